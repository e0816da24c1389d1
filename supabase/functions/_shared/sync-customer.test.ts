import { describe, expect, test } from 'vitest';
import type { CustomerSource, PaidSubscription, SubscriptionPayment } from './open-customer-source.ts';
import { NO_SUBSCRIPTION, type SubscriptionStore } from './open-subscription-store.ts';
import { deriveSubscriptionState, syncCustomer } from './sync-customer.ts';
import {
  DAY,
  makeSubscription,
  PRICE_BOOK,
  type SubscriptionFields,
  T0,
} from './test-support/make-subscription.ts';

const derive = (...subscriptions: PaidSubscription[]) =>
  deriveSubscriptionState({ subscriptions }, PRICE_BOOK);
const statusOf = (...subscriptions: PaidSubscription[]) => derive(...subscriptions).state.subscription_status;
const END = T0 + 30 * DAY;
const paid: SubscriptionPayment = { created: T0, isReturned: false };
const returned: SubscriptionPayment = { created: T0 + 5, isReturned: true };
const ended = (fields: Partial<SubscriptionFields> = {}) => ({
  status: 'canceled',
  endedAt: T0 + 10 * DAY,
  reason: 'cancellation_requested',
  ...fields,
});

describe('one subscription', () => {
  test.each<[string, Partial<SubscriptionFields>, readonly SubscriptionPayment[], string]>([
    ['that is paid', {}, [paid], 'active'],
    ['that costs nothing', {}, [], 'active'],
    ['on trial', { status: 'trialing', trialEnd: T0 + 7 * DAY }, [], 'active'],
    ['whose renewal was refused', { status: 'past_due' }, [], 'payment_failed'],
    ['whose renewal was refused for good but that still stands', { status: 'unpaid' }, [], 'payment_failed'],
    ['whose first payment waits for the bank', { status: 'incomplete' }, [], 'payment_failed'],
    ['whose first payment never came', { status: 'incomplete_expired', endedAt: T0 + DAY }, [], 'expired'],
    ['whose trial ended without a card', { status: 'paused' }, [], 'expired'],
    ['in a state that nobody has heard of', { status: 'hibernating' }, [paid], 'expired'],
    ['that will end with its time', { cancelAtPeriodEnd: true, cancelAt: END }, [paid], 'active'],
    ['that was ended before its time', ended(), [paid], 'canceled'],
    ['that ended with its time', ended({ endedAt: END, cancelAtPeriodEnd: true }), [paid], 'expired'],
    ['that ended on the day it was to', ended({ cancelAt: T0 + 9 * DAY }), [paid], 'expired'],
    ['given up for want of a payment', ended({ reason: 'payment_failed' }), [], 'expired'],
    ['ended by the bank’s dispute, undecided', ended({ reason: 'payment_disputed' }), [paid], 'canceled'],
    ['refunded in full and ended', ended(), [returned], 'refunded'],
    ['refunded in full, although it goes on', {}, [returned], 'refunded'],
    ['of whose two payments one was refunded', {}, [paid, returned], 'active'],
    ['ended, of whose two payments one was refunded', ended(), [paid, returned], 'refunded'],
    [
      'renewed after a refund',
      { start: END, end: END + 30 * DAY },
      [returned, { created: END + 3600, isReturned: false }],
      'active',
    ],
    [
      'ended long after a refund',
      ended({ start: END, end: END + 30 * DAY, endedAt: END + DAY }),
      [returned],
      'canceled',
    ],
    [
      'whose renewal after a refund was refused',
      { status: 'past_due', start: END },
      [returned],
      'payment_failed',
    ],
  ])('%s', (_what, fields, payments, status) => {
    expect(statusOf(makeSubscription(fields, payments))).toBe(status);
  });

  test('is described by what its price stands for, when it ends, and what a renewal costs', () => {
    expect(derive(makeSubscription({ priceId: 'price_pro_yearly', trialEnd: T0 + DAY })).state).toEqual({
      plan: 'pro',
      subscription_status: 'active',
      stripe_subscription_id: 'sub_1',
      current_period_end: new Date(END * 1000).toISOString(),
      cancel_at_period_end: false,
      trial_end: new Date((T0 + DAY) * 1000).toISOString(),
      stripe_price_id: 'price_pro_yearly',
      billing_interval: 'year',
      amount_cents: 3990,
      currency: 'usd',
    });
  });

  test.each([
    [{ percent_off: 25, amount_off: null, duration: 'forever' }, 149],
    [{ percent_off: null, amount_off: 100, duration: 'repeating' }, 99],
    [{ percent_off: null, amount_off: 500, duration: 'forever' }, 0],
    [{ percent_off: 100, amount_off: null, duration: 'once' }, 199],
    ['co_not_expanded', 199],
  ])('costs what a discount leaves: %j', (coupon, cents) => {
    expect(derive(makeSubscription({ coupon: coupon as object })).state.amount_cents).toBe(cents);
  });

  test.each<Partial<SubscriptionFields>>([{ cancelAtPeriodEnd: true }, { cancelAt: END }])(
    'ends with its time, said one way or the other: %j',
    (fields) => {
      expect(derive(makeSubscription(fields)).state.cancel_at_period_end).toBe(true);
      expect(derive(makeSubscription({ ...fields, ...ended() })).state.cancel_at_period_end).toBe(false);
    },
  );
});

describe('a price that no setting names', () => {
  const foreign = makeSubscription({ id: 'sub_2', priceId: 'price_of_something_else' });

  test('gives no plan, and is reported', () => {
    expect(derive(foreign)).toEqual({ state: NO_SUBSCRIPTION, unknownPrices: ['price_of_something_else'] });
  });

  test('takes none away either', () => {
    const { state, unknownPrices } = derive(foreign, makeSubscription());
    expect([state.plan, state.subscription_status, unknownPrices.length]).toEqual(['plus', 'active', 1]);
  });
});

describe('of several subscriptions', () => {
  const plus = makeSubscription({ id: 'sub_plus' }, [paid]);
  const pro = makeSubscription({ id: 'sub_pro', priceId: 'price_pro_monthly' }, [paid]);
  const late = makeSubscription({ id: 'sub_late', status: 'past_due', priceId: 'price_pro_yearly' });
  const old = makeSubscription({ id: 'sub_old', ...ended() });
  const older = makeSubscription({ id: 'sub_older', ...ended({ endedAt: T0 + DAY }) });
  const refunded = makeSubscription({ id: 'sub_refunded', priceId: 'price_pro_monthly' }, [returned]);

  test.each([
    ['the better plan counts', [plus, pro], 'sub_pro'],
    ['a failed purchase takes nothing away', [late, plus], 'sub_plus'],
    ['what waits for a payment comes before what has ended', [old, late], 'sub_late'],
    ['what is paid comes before what was refunded', [refunded, plus], 'sub_plus'],
    ['the one that ended last tells how it ended', [older, old], 'sub_old'],
  ])('%s, in whatever order they come', (_what, subscriptions, id) => {
    expect(derive(...subscriptions).state.stripe_subscription_id).toBe(id);
    expect(derive(...subscriptions.toReversed()).state.stripe_subscription_id).toBe(id);
  });

  test('none at all is the free plan without a status', () => {
    expect(derive()).toEqual({ state: NO_SUBSCRIPTION, unknownPrices: [] });
  });
});

test('what was read first never overwrites what was read later, however late it arrives', async () => {
  let [issued, applied] = [0, 0];
  const written: unknown[] = [];
  // As the database does it: an older ticket never overwrites a newer one.
  const store = {
    begin: async () => {
      issued += 1;
      return issued;
    },
    apply: async (_customer, ticket, state) => {
      if (ticket <= applied) return 'superseded';
      applied = ticket;
      written.push(state?.plan);
      return 'changed';
    },
  } satisfies Partial<SubscriptionStore> as unknown as SubscriptionStore;
  let isPassed = false;
  const source = {
    read: async () => {
      if (isPassed) return { subscriptions: [makeSubscription({ priceId: 'price_pro_monthly' })] };
      isPassed = true;
      // While the first answer is on its way, the plan changes, and who hears of that asks as well.
      expect(await sync()).toBe('changed');
      return { subscriptions: [makeSubscription({ priceId: 'price_plus_monthly' })] };
    },
  } satisfies Partial<CustomerSource> as unknown as CustomerSource;
  const ignore = () => undefined;
  const sync = () =>
    syncCustomer({ store, source, priceBook: PRICE_BOOK, warn: ignore, info: ignore }, 'cus_1');
  expect(await sync()).toBe('superseded');
  expect(written).toEqual(['pro']);
});
