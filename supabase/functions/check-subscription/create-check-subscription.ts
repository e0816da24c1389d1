import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure } from '../_shared/answer-payment-failure.ts';
import { type DatabaseAccess, InstallationUnreachable } from '../_shared/call-database.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { readFields } from '../_shared/read-body.ts';
import { readPerson } from '../_shared/read-person.ts';
import { type SyncDeps, syncCustomer } from '../_shared/sync-customer.ts';

export type CheckSubscriptionDeps = {
  readonly sync: SyncDeps;
  /** The table API with the visitors' key: a person's row is read with their own token. */
  readonly access: DatabaseAccess;
  /** Pays nothing, so the provider is not asked. */
  readonly adminUserId: string | undefined;
};

/**
 * The function `check-subscription` (specification, section 7): compares what the database says of the caller with what the payment provider says, and answers
 * `{subscribed, plan, status, currentPeriodEnd, cancelAtPeriodEnd, trialEnd}`. `GET`, or `POST {"userId"}`, which must be the caller. Asked again within
 * a second and a half it answers what is known.
 */
export function createCheckSubscription(
  deps: CheckSubscriptionDeps,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'POST')
      return refuse(405, PAYMENT_REFUSALS.method, { allow: 'GET, POST' });
    const person = readPerson(request.headers);
    const authorization = request.headers.get('authorization');
    if (person === undefined || authorization === null) return refuse(401, PAYMENT_REFUSALS.signIn);
    if (request.method === 'POST') {
      const fields = await readFields(request);
      if (fields === undefined) return refuse(400, PAYMENT_REFUSALS.malformed);
      const { userId = person } = fields;
      if (userId !== person) return refuse(403, PAYMENT_REFUSALS.otherUser);
    }
    try {
      if (person !== deps.adminUserId) await reconcile(deps.sync, person);
      const subscription = await readSubscriber({ ...deps.access, authorization }, person);
      return subscription ? answerJson(200, subscription) : refuse(401, PAYMENT_REFUSALS.signIn);
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}

async function reconcile(sync: SyncDeps, person: string): Promise<void> {
  const customer = await sync.store.beginCheck(person);
  if (customer === undefined) return;
  const outcome = await syncCustomer(sync, customer);
  // The webhook was late, or never came.
  if (outcome === 'changed') sync.info('a subscription was repaired', { customer });
}

/** A person's subscription as they may see it. */
type Subscription = {
  readonly subscribed: boolean;
  readonly plan: string;
  readonly status: string | null;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly trialEnd: string | null;
};

type Row = {
  readonly plan: string;
  readonly subscription_status: string | null;
  readonly current_period_end: string | null;
  readonly cancel_at_period_end: boolean;
  readonly trial_end: string | null;
};

const COLUMNS = 'plan,subscription_status,current_period_end,cancel_at_period_end,trial_end';
const PATIENCE_MS = 10_000;

/**
 * Reads the caller's own row; somebody who has none is on the free plan.
 * @returns undefined when the token is not good any more. @throws InstallationUnreachable
 */
async function readSubscriber(
  { fetch, url, key, authorization }: DatabaseAccess & { readonly authorization: string },
  person: string,
): Promise<Subscription | undefined> {
  const path = `subscribers?select=${COLUMNS}&user_id=eq.${encodeURIComponent(person)}`;
  const response = await fetch(`${url}/rest/v1/${path}`, {
    headers: { apikey: key, authorization },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: unknown) => {
    throw new InstallationUnreachable('subscribers: no answer', { cause });
  });
  if (response.status === 401) return undefined;
  if (!response.ok) throw new InstallationUnreachable(`subscribers: ${response.status}`);
  const [row] = (await response.json()) as readonly Row[];
  const { plan = 'free', subscription_status: status = null } = row ?? {};
  return {
    subscribed: status === 'active' && plan !== 'free',
    plan,
    status,
    currentPeriodEnd: row?.current_period_end ?? null,
    cancelAtPeriodEnd: row?.cancel_at_period_end ?? false,
    trialEnd: row?.trial_end ?? null,
  };
}
