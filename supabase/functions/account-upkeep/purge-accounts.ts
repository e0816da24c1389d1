import { Stripe } from 'stripe';
import { callAsService } from '../_shared/call-as-service.ts';
import type { DatabaseAccess } from '../_shared/call-database.ts';
import { cancelSubscriptions } from '../_shared/cancel-subscriptions.ts';
import { nameFailure } from '../_shared/name-failure.ts';
import { purgeFiles } from './purge-files.ts';

export type PurgeDeps = {
  readonly access: DatabaseAccess;
  /** Opened for those alone who have ever bought something. */
  readonly openStripe: () => Stripe;
  /** Whether there is time left for another step. */
  readonly mayGoOn: () => boolean;
};

export type PurgeReport = { readonly purged: number; readonly failed: number };

type DuePurge = { readonly user_id: string; readonly stripe_customer_id: string | null };

const BATCH = 20;

/**
 * Deletes for good the accounts whose time is over, with the customer that the payment provider keeps of each, and their files. One that fails is left
 * as far as it came: the next round goes on.
 * @throws InstallationUnreachable
 */
export async function purgeAccounts(deps: PurgeDeps): Promise<PurgeReport> {
  const seen = new Set<string>();
  let [purged, failed] = [0, 0];
  while (deps.mayGoOn()) {
    const due = (await callAsService(deps.access, 'begin_account_purges', {
      max: BATCH,
    })) as readonly DuePurge[];
    const fresh = due.filter(({ user_id }) => !seen.has(user_id));
    if (fresh.length === 0) break;
    for (const account of fresh) {
      seen.add(account.user_id);
      const isEmptied =
        (await isForgottenByProvider(deps, account.stripe_customer_id)) &&
        (await purgeFiles(deps.access, account.user_id, deps.mayGoOn));
      if (!isEmptied) failed += 1;
      else if (await isGone(deps, account.user_id)) purged += 1;
    }
  }
  return { purged, failed };
}

/** Ends what a closed account is charged for all the same. @returns how many could not be asked for. */
export async function cancelForClosedAccounts(deps: PurgeDeps): Promise<number> {
  const charged = (await callAsService(deps.access, 'find_charged_closed_accounts', {})) as readonly {
    readonly stripe_customer_id: string;
  }[];
  let failed = 0;
  for (const { stripe_customer_id: customerId } of charged) {
    if (!deps.mayGoOn()) break;
    await cancelSubscriptions({ stripe: deps.openStripe(), customerId }).catch((error: unknown) => {
      failed += 1;
      console.error('a subscription of a closed account could not be cancelled', nameFailure(error));
    });
  }
  return failed;
}

/** The provider deletes a customer's data and ends its subscriptions. */
async function isForgottenByProvider({ openStripe }: PurgeDeps, customerId: string | null): Promise<boolean> {
  if (customerId === null) return true;
  try {
    await openStripe().customers.del(customerId);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return true;
    console.error('a customer could not be deleted', nameFailure(error));
    return false;
  }
}

async function isGone({ access, mayGoOn }: PurgeDeps, user_id: string): Promise<boolean> {
  while (mayGoOn()) {
    if ((await callAsService(access, 'purge_account', { user_id })) === true) return true;
  }
  return false;
}
