import { Stripe } from 'stripe';
import { ACCOUNT_LIFE_REFUSALS } from '../../../packages/domain/src/messages/account-life-messages.ts';
import { type AccountMailSender, sendAccountMails } from '../_shared/account-mails.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure, nameFailure } from '../_shared/answer-payment-failure.ts';
import { callAsService, type DatabaseAccess } from '../_shared/call-database.ts';
import { cancelSubscriptions } from '../_shared/cancel-subscriptions.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { purgeFiles, purgeLeftoverCovers } from './purge-files.ts';

export type AccountUpkeepDeps = AccountMailSender & {
  readonly operatorKeys: readonly string[];
  readonly openStripe: () => Stripe;
  /** After so many days without a sign of life, an account that has no address goes. */
  readonly anonymousDays: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly budgetMs?: number;
};

/** The hosted platform ends a call that has not answered for 150 s. */
const BUDGET_MS = 60_000;
const WARN_BATCH = 5_000;
const SUSPEND_BATCH = 1_000;
const ABANDON_BATCH = 1_000;

/**
 * The function `account-upkeep`, with one of the operator's keys alone: `POST` does what is due for accounts that are unused or closed, and
 * answers `{warned, suspended, abandoned, purged, failed, mailed, complete}`; those that were abandoned go with the next round; at last the covers go that deleted links have left behind. Any number may
 * run; each account is taken by one. What is left when the time is up (`complete: false`) is for the next call.
 */
export function createAccountUpkeep(deps: AccountUpkeepDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, PAYMENT_REFUSALS.method, { allow: 'POST' });
    if (!(await isOperator(request.headers, deps.operatorKeys)))
      return refuse(403, ACCOUNT_LIFE_REFUSALS.operator);
    try {
      const report = await runRound(deps);
      console.info('accounts looked after', report);
      return answerJson(200, report);
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}

async function runRound(deps: AccountUpkeepDeps) {
  const { access, openStripe, anonymousDays, now, budgetMs = BUDGET_MS } = deps;
  const endsAt = now() + budgetMs;
  let complete = true;
  const mayGoOn = () => {
    if (now() >= endsAt) complete = false;
    return complete;
  };
  const repeat = async (name: string, parameters: Record<string, number>) => {
    let total = 0;
    while (mayGoOn()) {
      const count = Number(await callAsService(access, name, parameters));
      total += count;
      if (count === 0) break;
    }
    return total;
  };
  // Nobody waits longer for their deletion than for anything else.
  const { purged, failed } = await purgeAccounts({ access, openStripe, mayGoOn });
  const stillCharged = await cancelForClosedAccounts({ access, openStripe, mayGoOn });
  const warned = await repeat('warn_inactive_accounts', { max: WARN_BATCH });
  const suspended = await repeat('suspend_inactive_accounts', { max: SUSPEND_BATCH });
  const abandoned = await repeat('close_abandoned_accounts', { max: ABANDON_BATCH, days: anonymousDays });
  const mailed = await sendAccountMails(deps);
  await purgeLeftoverCovers(access, mayGoOn);
  return { warned, suspended, abandoned, purged, failed: failed + stillCharged, mailed, complete };
}

type PurgeDeps = {
  readonly access: DatabaseAccess;
  /** Opened for those alone who have ever bought something. */
  readonly openStripe: () => Stripe;
  /** Whether there is time left for another step. */
  readonly mayGoOn: () => boolean;
};

type PurgeReport = { readonly purged: number; readonly failed: number };

type DuePurge = { readonly user_id: string; readonly stripe_customer_id: string | null };

const BATCH = 20;

/**
 * Deletes for good the accounts whose time is over, with the customer that the payment provider keeps of each, and their files. One that fails is left
 * as far as it came: the next round goes on.
 * @throws InstallationUnreachable
 */
async function purgeAccounts(deps: PurgeDeps): Promise<PurgeReport> {
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
async function cancelForClosedAccounts(deps: PurgeDeps): Promise<number> {
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
