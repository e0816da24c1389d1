import { describe, expect, test } from 'vitest';
import type {
  CustomerSnapshot,
  CustomerSource,
  PaidSubscription,
  SubscriptionPayment,
} from './open-customer-source.ts';
import { NO_SUBSCRIPTION, type SubscriptionStore } from './open-subscription-store.ts';
import { deriveSubscriptionState, type SyncCause, syncCustomer } from './sync-customer.ts';
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
/** With what the fields above have no word for. */
const alter = ({ subscription, payments }: PaidSubscription, changes: object) => ({
  subscription: { ...subscription, ...changes },
  payments,
});
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
    [
      'refunded in full, taken a minute before its time',
      {},
      [{ created: T0 - 60, isReturned: true }],
      'refunded',
    ],
    ['refunded before its time', {}, [{ created: T0 - 61, isReturned: true }], 'active'],
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

  test('has no end of a trial without one', () => {
    expect(derive(makeSubscription()).state.trial_end).toBeNull();
  });

  test('that was canceled early and ended with its time has expired', () => {
    const canceled = alter(makeSubscription(ended({ endedAt: END })), { canceled_at: T0 + DAY });
    expect(statusOf(canceled)).toBe('expired');
  });

  test('costs its price as often as it was bought', () => {
    const { subscription } = makeSubscription();
    const data = subscription.items.data.map((item) => ({ ...item, quantity: 3 }));
    expect(derive(alter(makeSubscription(), { items: { data } })).state.amount_cents).toBe(597);
  });

  test.each([
    ['a discount that is only named', 'di_1'],
    ['a discount without a coupon', { source: { coupon: null } }],
  ])('costs its full price with %s', (_what, discount) => {
    expect(derive(alter(makeSubscription(), { discounts: [discount] })).state.amount_cents).toBe(199);
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

  test.each([
    ['before the renewal', END - DAY, 199],
    ['with it', END, 199],
    ['after it', END + 1, 99],
    ['never', null, 99],
  ])('costs what a discount leaves that ends %s', (_when, end, cents) => {
    const coupon = { percent_off: null, amount_off: 100, duration: 'repeating' };
    const discount = { id: 'di_1', object: 'discount', end, source: { type: 'coupon', coupon } };
    expect(derive(alter(makeSubscription(), { discounts: [discount] })).state.amount_cents).toBe(cents);
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
  // What decides among equals speaks for the plan that is not the better one.
  const plus = makeSubscription({ id: 'sub_a_plus', created: T0 + DAY, end: END + DAY }, [paid]);
  const pro = makeSubscription({ id: 'sub_pro', priceId: 'price_pro_monthly' }, [paid]);
  const late = makeSubscription({ id: 'sub_late', status: 'past_due', priceId: 'price_pro_yearly' });
  const old = makeSubscription({ id: 'sub_old', ...ended() });
  const older = makeSubscription({ id: 'sub_older', ...ended({ endedAt: T0 + DAY }) });
  const endedLater = makeSubscription({ id: 'sub_ended_later', ...ended({ endedAt: END + DAY }) });
  const olderPro = makeSubscription({
    id: 'sub_older_pro',
    priceId: 'price_pro_monthly',
    ...ended({ endedAt: T0 + DAY }),
  });
  const plain = makeSubscription({ id: 'sub_plain' });
  const newer = makeSubscription({ id: 'sub_newer', created: T0 + DAY });
  const twin = makeSubscription({ id: 'sub_twin' });
  const refunded = makeSubscription({ id: 'sub_refunded', priceId: 'price_pro_monthly' }, [returned]);

  test.each([
    ['the better plan counts', [plus, pro], 'sub_pro'],
    ['a failed purchase takes nothing away', [late, plus], 'sub_a_plus'],
    ['what waits for a payment comes before what has ended', [old, late], 'sub_late'],
    ['what is paid comes before what was refunded', [refunded, plus], 'sub_a_plus'],
    ['what waits for a payment comes before what has ended since', [endedLater, late], 'sub_late'],
    ['the one that ended last tells how it ended', [older, old], 'sub_old'],
    ['the one that ended last tells it, whatever the plan', [olderPro, old], 'sub_old'],
    ['of two that end together the newer counts', [plain, newer], 'sub_newer'],
    ['of two that are alike the same one always counts', [plain, twin], 'sub_twin'],
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

/** A store and a source that keep what they are told, and what an operator would read. */
function openSync({ tickets = [1, 2], snapshot = {}, userIds = [], owners = {}, late = [] }: SyncWorld) {
  const calls: unknown[][] = [];
  const left = [...tickets];
  const store = {
    begin: async (customer) => {
      calls.push(['begin', customer]);
      return left.shift();
    },
    claim: async (userId) => {
      calls.push(['claim', userId]);
      return owners[userId];
    },
    apply: async (_customer, ticket, state, eventId) => {
      calls.push(['apply', ticket, state?.plan, eventId]);
      return late.includes(ticket) ? 'superseded' : 'changed';
    },
  } satisfies Partial<SubscriptionStore> as unknown as SubscriptionStore;
  const source: CustomerSource = {
    read: async () =>
      snapshot === 'missing' ? snapshot : { subscriptions: [makeSubscription()], ...snapshot },
    readUserIds: async () => (userIds === 'gone' ? undefined : userIds),
  };
  const say = (level: string) => (message: string, fields: object) => calls.push([level, message, fields]);
  const deps = { store, source, priceBook: PRICE_BOOK, warn: say('warn'), info: say('info') };
  const cause = { eventId: 'evt_1', userId: 'named' };
  return { calls, sync: (of: SyncCause = cause) => syncCustomer(deps, 'cus_1', of) };
}

type SyncWorld = {
  readonly tickets?: readonly (number | undefined)[];
  readonly snapshot?: Partial<CustomerSnapshot> | 'missing';
  readonly userIds?: readonly string[] | 'gone';
  /** Whose customer stands for an account. */
  readonly owners?: Readonly<Record<string, string>>;
  /** Tickets that a newer one was faster than. */
  readonly late?: readonly number[];
};

describe('a customer', () => {
  test('of ours is written once, with the event', async () => {
    const { calls, sync } = openSync({});
    expect(await sync()).toBe('changed');
    expect(calls).toEqual([
      ['begin', 'cus_1'],
      ['apply', 1, 'plus', 'evt_1'],
    ]);
  });

  test('with a price that no setting names is written, and reported', async () => {
    const { calls, sync } = openSync({
      snapshot: { subscriptions: [makeSubscription({ priceId: 'price_odd' })] },
    });
    expect(await sync()).toBe('changed');
    expect(calls.slice(1)).toEqual([
      [
        'warn',
        'a subscription has a price that no setting names',
        { customerId: 'cus_1', unknownPrices: ['price_odd'] },
      ],
      ['apply', 1, 'free', 'evt_1'],
    ]);
  });

  test('whom the provider does not know is reported, and nothing is written', async () => {
    const { calls, sync } = openSync({ snapshot: 'missing' });
    expect(await sync()).toBe('missing');
    expect(calls.map(([what]) => what)).toEqual(['begin', 'warn']);
  });

  test('who was deleted is written as ended and let go of, and the event counts when both are done', async () => {
    const { calls, sync } = openSync({ snapshot: { isDeleted: true } });
    expect(await sync()).toBe('changed');
    expect(calls).toEqual([
      ['begin', 'cus_1'],
      ['apply', 1, 'plus', undefined],
      ['begin', 'cus_1'],
      ['apply', 2, undefined, 'evt_1'],
    ]);
  });

  test('who was deleted is let go of only once the end is written, though a newer question was answered before', async () => {
    const { calls, sync } = openSync({ tickets: [1, 3, 4], late: [1], snapshot: { isDeleted: true } });
    expect(await sync()).toBe('changed');
    expect(calls.filter(([what]) => what === 'apply')).toEqual([
      ['apply', 1, 'plus', undefined],
      ['apply', 3, 'plus', undefined],
      ['apply', 4, undefined, 'evt_1'],
    ]);
  });

  test('who was deleted, and whose account is gone meanwhile, is nobody’s', async () => {
    const { calls, sync } = openSync({ tickets: [1, undefined], snapshot: { isDeleted: true } });
    expect(await sync()).toBe('unknown');
    expect(calls).toHaveLength(3);
  });
});

describe('a customer who is nobody’s yet', () => {
  test('becomes the account’s that its metadata name, and is written', async () => {
    const { calls, sync } = openSync({ tickets: [undefined, 7], userIds: ['ana'], owners: { ana: 'cus_1' } });
    expect(await sync()).toBe('changed');
    expect(calls).toEqual([
      ['begin', 'cus_1'],
      ['claim', 'ana'],
      ['begin', 'cus_1'],
      ['apply', 7, 'plus', 'evt_1'],
    ]);
  });

  test('becomes the account’s that the event names', async () => {
    const { calls, sync } = openSync({ tickets: [undefined, 7], owners: { named: 'cus_1' } });
    expect(await sync()).toBe('changed');
    expect(calls[1]).toEqual(['claim', 'named']);
  });

  test('stays nobody’s when no account is named', async () => {
    const { calls, sync } = openSync({ tickets: [undefined] });
    expect(await sync({})).toBe('unknown');
    expect(calls).toEqual([['begin', 'cus_1']]);
  });

  test('stays nobody’s when the provider does not know it, whoever the event names', async () => {
    const { calls, sync } = openSync({
      tickets: [undefined],
      userIds: 'gone',
      owners: { named: 'cus_1' },
    });
    expect(await sync()).toBe('unknown');
    expect(calls).toEqual([['begin', 'cus_1']]);
  });

  test('is not given to an account that has another customer, nor to one that does not exist', async () => {
    const { calls, sync } = openSync({
      tickets: [undefined, 7],
      userIds: ['bia'],
      owners: { bia: 'cus_other' },
    });
    expect(await sync()).toBe('unknown');
    const fields = { customerId: 'cus_1' };
    expect(calls.slice(1)).toEqual([
      ['claim', 'bia'],
      [
        'warn',
        'a customer names an account that is not its own',
        { ...fields, userId: 'bia', standing: 'cus_other' },
      ],
      ['claim', 'named'],
      ['info', 'a customer names an account that does not exist', { ...fields, userId: 'named' }],
    ]);
  });
});
