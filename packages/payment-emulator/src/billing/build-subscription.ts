import type Stripe from 'stripe';
import { createId } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Customer, Price, Subscription } from '../ledger/object-kinds.ts';
import { addInterval } from './add-interval.ts';

export type SubscriptionPlan = {
  readonly customer: Customer;
  readonly price: Price;
  readonly quantity: number;
  /** Seconds since 1970. */
  readonly trialEnd: number | null;
  readonly metadata: Record<string, string>;
  readonly paymentMethod: string | null;
};

/** A subscription as it is before its first invoice: trialing or incomplete. Nothing is kept. */
export function buildSubscription(ledger: Ledger, plan: SubscriptionPlan): Subscription {
  const { customer, price, trialEnd } = plan;
  const id = createId('sub');
  const time = Math.floor(ledger.time);
  const anchor = trialEnd ?? time;
  const isTrial = trialEnd !== null;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: time,
    currency: price.currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: plan.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [buildItem(id, plan, { start: time, end: trialEnd ?? endOfPeriod(price, time) })],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: plan.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: time,
    status: isTrial ? 'trialing' : 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: isTrial ? time : null,
  };
}

/** When a period of this price that begins at `start` ends. */
export function endOfPeriod(price: Price, start: number): number {
  return addInterval(start, price.recurring?.interval ?? 'month', price.recurring?.interval_count ?? 1);
}

function buildItem(
  subscription: string,
  { price, quantity }: SubscriptionPlan,
  period: { start: number; end: number },
): Stripe.SubscriptionItem {
  return {
    id: createId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: period.start,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: describePlan(price),
    price: price as Stripe.Price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** The older form of a price, which Stripe still puts beside it. */
export function describePlan(price: Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
