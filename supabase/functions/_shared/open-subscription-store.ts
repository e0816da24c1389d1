import type { BillingInterval, PlanId } from '../../../packages/domain/src/plans.ts';
import { callDatabase, type DatabaseAccess, InstallationUnreachable } from './call-database.ts';

/** What became of a state (supabase/migrations/20261123001300_apply_subscriptions.sql). */
export type Applied = 'changed' | 'unchanged' | 'superseded' | 'repeated' | 'unknown';

export type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly customerId: string;
  /** In seconds. */
  readonly created: number;
};

/** Subscriptions as the database keeps them; each call @throws InstallationUnreachable when it cannot be asked. */
export type SubscriptionStore = {
  /** Whether the event is still to be applied. */
  record(event: ReceivedEvent): Promise<boolean>;
  ignore(eventId: string): Promise<void>;
  /** The customer that stands for the account; undefined when there is no such account, or the customer is another's. */
  claim(userId: string, customerId: string): Promise<string | undefined>;
  /** A ticket, undefined for nobody of ours. To be taken before the provider is asked. */
  begin(customerId: string): Promise<number | undefined>;
  /** @param state undefined when the customer was deleted. */
  apply(
    customerId: string,
    ticket: number,
    state: SubscriptionState | undefined,
    eventId: string | undefined,
  ): Promise<Applied>;
  /** The person's customer, where the provider may be asked just now. */
  beginCheck(userId: string): Promise<string | undefined>;
  /** Customers who were not asked for since then. */
  listStale(before: Date, max: number): Promise<readonly string[]>;
  /** Forgets events that will not come again. */
  purge(): Promise<void>;
};

/** @param access with the service role's key. */
export function openSubscriptionStore(access: DatabaseAccess): SubscriptionStore {
  const call = async (name: string, args: object): Promise<unknown> => {
    const answer = await callDatabase(access, name, args).catch((cause: unknown) => {
      throw new InstallationUnreachable(`${name}: no answer`, { cause });
    });
    if (!answer.ok) throw new InstallationUnreachable(`${name}: ${answer.status}`);
    return answer.value;
  };
  const callForText = async (name: string, args: object) => {
    const value = await call(name, args);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    async record({ id, type, customerId, created }) {
      const at = new Date(created * 1000).toISOString();
      const args = { event_id: id, type, customer_id: customerId, created_at: at };
      return (await call('record_stripe_event', args)) === true;
    },
    async ignore(eventId) {
      await call('ignore_stripe_event', { event_id: eventId });
    },
    claim: (userId, customerId) =>
      callForText('claim_stripe_customer', { user_id: userId, customer_id: customerId }),
    async begin(customerId) {
      const ticket = await call('begin_subscription_sync', { customer_id: customerId });
      return typeof ticket === 'number' ? ticket : undefined;
    },
    async apply(customerId, ticket, state, eventId) {
      const args = { customer_id: customerId, ticket, state: state ?? null, event_id: eventId ?? null };
      return (await call('apply_subscription', args)) as Applied;
    },
    beginCheck: (userId) => callForText('begin_subscription_check', { user_id: userId }),
    async listStale(before, max) {
      const rows = await call('list_stale_customers', { before: before.toISOString(), max });
      return (rows as readonly { readonly customer_id: string }[]).map((row) => row.customer_id);
    },
    async purge() {
      await call('purge_stripe_events', {});
    },
  };
}

/** The specification's words (section 4); only `active` counts as subscribed. */
export type SubscriptionStatus = 'active' | 'expired' | 'canceled' | 'refunded' | 'payment_failed';

/** What `apply_subscription` writes: the columns of `subscribers`. Times as in RFC 3339. */
export type SubscriptionState = {
  readonly plan: PlanId;
  readonly subscription_status: SubscriptionStatus | null;
  readonly stripe_subscription_id: string | null;
  readonly current_period_end: string | null;
  readonly cancel_at_period_end: boolean;
  readonly trial_end: string | null;
  readonly stripe_price_id: string | null;
  readonly billing_interval: BillingInterval | null;
  readonly amount_cents: number | null;
  readonly currency: string | null;
};

/** Somebody who has bought nothing. */
export const NO_SUBSCRIPTION: SubscriptionState = {
  plan: 'free',
  subscription_status: null,
  stripe_subscription_id: null,
  current_period_end: null,
  cancel_at_period_end: false,
  trial_end: null,
  stripe_price_id: null,
  billing_interval: null,
  amount_cents: null,
  currency: null,
};
