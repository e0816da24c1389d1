import type { Stripe } from 'stripe';
import {
  DELETION_WORD,
  REAUTHENTICATION_NEEDED,
  RECENT_SIGN_IN_SECONDS,
} from '../../../packages/domain/src/account-life.ts';
import { ACCOUNT_LIFE_REFUSALS } from '../../../packages/domain/src/messages/account-life-messages.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { forPerson, nameFailure, type Person } from '../_shared/answer-payment-failure.ts';
import { callAsService, callDatabase, InstallationUnreachable } from '../_shared/call-database.ts';
import { cancelSubscriptions } from '../_shared/cancel-subscriptions.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { readFields } from '../_shared/read-body.ts';
import { readClaims, readSignInTime } from '../_shared/read-person.ts';

export type DeleteAccountDeps = {
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Opened for those alone who have ever bought something. */
  readonly openStripe: () => Stripe;
  /** Milliseconds. */
  readonly now: () => number;
  /** The account is closed, and a mail says so in the queue; not waited for. */
  readonly onClosed: () => unknown;
};

type AccountToClose = { readonly stripe_customer_id: string | null };

const PATIENCE_MS = 10_000;
/** Clocks differ. */
const LEEWAY_SECONDS = 60;

/**
 * The function `delete-account`: `POST {"confirmation":"EXCLUIR"}` by a person who signed in within the last ten minutes closes
 * their account and answers `{"closed":true,"restorableUntil"}` (RFC 3339). First the subscription ends: where that cannot be done nothing
 * is closed (503), so that nobody is charged after leaving. A 503 without a sentence: nobody heard whether it was closed.
 */
export function createDeleteAccount(deps: DeleteAccountDeps): (request: Request) => Promise<Response> {
  const handle = async (request: Request, person: Person): Promise<Response> => {
    const fields = await readFields(request);
    if (fields?.['confirmation'] !== DELETION_WORD) return refuse(400, ACCOUNT_LIFE_REFUSALS.confirmation);
    if (!isRecent(readSignInTime(request.headers), deps.now()))
      return answerJson(403, {
        error: ACCOUNT_LIFE_REFUSALS.reauthenticate,
        code: REAUTHENTICATION_NEEDED,
      });
    if (!(await hasSession(deps, person)) || !(await hasAccount(deps, person)))
      return refuse(401, ACCOUNT_LIFE_REFUSALS.signIn);
    return await close(deps, person, readClaims(request.headers)?.['session_id']);
  };
  return forPerson('POST', handle, ACCOUNT_LIFE_REFUSALS.unavailable);
}

function isRecent(signedInAt: number | undefined, now: number): boolean {
  if (signedInAt === undefined) return false;
  const age = now / 1000 - signedInAt;
  return age <= RECENT_SIGN_IN_SECONDS && age >= -LEEWAY_SECONDS;
}

/** A signed token outlives its session: whoever was signed out meanwhile deletes nothing. */
async function hasSession(deps: DeleteAccountDeps, { id, authorization }: Person): Promise<boolean> {
  const response = await deps
    .fetch(`${deps.supabaseUrl}/auth/v1/user`, {
      headers: { apikey: deps.anonKey, authorization },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    .catch((cause: unknown) => {
      throw new InstallationUnreachable('auth: no answer', { cause });
    });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status >= 500) throw new InstallationUnreachable(`auth: status ${response.status}`);
  return response.ok && (body as { readonly id?: unknown } | undefined)?.id === id;
}

/** The database says what a token is worth: a password alone is worth nothing where there is a second factor (decision 0091). */
async function hasAccount(
  { fetch, supabaseUrl: url, anonKey: key }: DeleteAccountDeps,
  { id, authorization }: Person,
): Promise<boolean> {
  return (await findBillingAccount({ fetch, url, key, authorization }, id)) !== undefined;
}

async function close(deps: DeleteAccountDeps, person: Person, session: unknown): Promise<Response> {
  const { fetch, supabaseUrl: url, serviceRoleKey: key } = deps;
  const access = { fetch, url, key };
  const [account] = (await callAsService(access, 'find_account_to_close', {
    user_id: person.id,
  })) as readonly AccountToClose[];
  if (account === undefined) return refuse(401, ACCOUNT_LIFE_REFUSALS.signIn);
  const customerId = account.stripe_customer_id;
  const isToEnd = customerId !== null && !(await isAdmin(deps, person));
  if (isToEnd && !(await isCancelled(deps, customerId)))
    return refuse(503, ACCOUNT_LIFE_REFUSALS.subscription, { 'retry-after': '60' });

  const ask = () =>
    callDatabase(access, 'close_account', {
      user_id: person.id,
      ...(typeof session === 'string' ? { asking_session: session } : {}),
    });
  // Called again it answers the same: an answer that was lost is heard the second time.
  const closed = await ask()
    .catch(ask)
    .catch(() => undefined);
  if (!closed?.ok && closed?.sentence !== undefined) return refuse(closed.status, closed.sentence);
  if (!closed?.ok) {
    console.error('whether an account was closed is not known', { status: closed?.status });
    return answerJson(503, {});
  }
  if (closed.value === null) return refuse(401, ACCOUNT_LIFE_REFUSALS.signIn);
  deps.onClosed();
  return answerJson(200, { closed: true, restorableUntil: closed.value });
}

/** Their account cannot be closed, so its subscription goes on: `close_account` refuses them in its own words. */
async function isAdmin(
  { fetch, supabaseUrl: url, anonKey: key }: DeleteAccountDeps,
  { authorization }: Person,
): Promise<boolean> {
  const answer = await callDatabase({ fetch, url, key, authorization }, 'is_admin', {}).catch(
    (cause: unknown) => {
      throw new InstallationUnreachable('is_admin: no answer', { cause });
    },
  );
  if (!answer.ok) throw new InstallationUnreachable(`is_admin: status ${answer.status}`);
  return answer.value === true;
}

async function isCancelled({ openStripe }: DeleteAccountDeps, customerId: string): Promise<boolean> {
  try {
    await cancelSubscriptions({ stripe: openStripe(), customerId });
    return true;
  } catch (error) {
    console.error('a subscription could not be cancelled', nameFailure(error));
    return false;
  }
}
