import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { type BilledInvoice, classifyRefund, listBilledInvoices } from './refunds.ts';

const START = 1_750_000_000;
const DAY = 86_400;

type Given = {
  readonly at?: number;
  readonly amount?: number;
  readonly back?: number;
} & Partial<Stripe.Charge>;

let count = 0;
/** An invoice of a subscription (null: of anything else), paid by one charge. */
function bill(
  subscription: string | null,
  { at = START, amount = 199, back = 0, ...rest }: Given = {},
): BilledInvoice {
  count += 1;
  const charge = {
    id: `ch_${count}`,
    created: at,
    status: 'succeeded',
    amount_captured: amount,
    amount_refunded: back,
    disputed: false,
    ...rest,
  };
  const parent = subscription && { subscription_details: { subscription } };
  return { invoice: { parent }, charges: [charge] } as unknown as BilledInvoice;
}

const judge = (billed: readonly BilledInvoice[], days = 1, isComplete = true) =>
  classifyRefund({ billed, isComplete, time: START + days * DAY });
const idsOf = (billed: readonly BilledInvoice[]) =>
  billed.flatMap(({ charges }) => charges.map(({ id }) => id));
const refunded = (verdict: ReturnType<typeof judge>) =>
  verdict.kind === 'refundable' ? verdict.charges.map(({ id }) => id) : verdict.kind;

describe('what a person may have back', () => {
  test('is the first payment, to the last second of the fourteenth day', () => {
    const billed = [bill('sub_1')];
    expect(refunded(judge(billed, 14))).toEqual(idsOf(billed));
    expect(judge(billed, 14 + 1 / DAY)).toEqual({ kind: 'too_late' });
  });

  test('is all that was paid since, the change to a dearer plan included', () => {
    const billed = [bill('sub_1', { at: START + DAY, amount: 200 }), bill('sub_1')];
    expect(refunded(judge(billed, 2))).toEqual(idsOf(billed));
  });

  test('is counted from the first payment, not from the latest', () => {
    expect(judge([bill('sub_1', { at: START + 31 * DAY }), bill('sub_1')], 32)).toEqual({ kind: 'too_late' });
  });

  test('is what is left of a payment that was refunded in part', () => {
    const billed = [bill('sub_1', { back: 50 })];
    expect(refunded(judge(billed))).toEqual(idsOf(billed));
  });

  test('goes on where it was interrupted', () => {
    const rest = bill('sub_1', { at: START + DAY });
    expect(refunded(judge([rest, bill('sub_1', { back: 199 })], 2))).toEqual(idsOf([rest]));
  });

  test('goes on with an earlier subscription where it was interrupted between two', () => {
    const first = bill('sub_1');
    expect(refunded(judge([bill('sub_2', { at: START + DAY, back: 199 }), first], 2))).toEqual(
      idsOf([first]),
    );
  });

  test('is done when nothing is left', () => {
    expect(judge([bill('sub_1', { back: 199 })])).toEqual({ kind: 'done' });
  });

  test('comes back once: a later subscription has had its chance', () => {
    expect(judge([bill('sub_2', { at: START + 2 * DAY }), bill('sub_1', { back: 199 })], 3)).toEqual({
      kind: 'used',
    });
  });

  test('is the bank’s affair while the payment is disputed', () => {
    expect(judge([bill('sub_1', { disputed: true })])).toEqual({ kind: 'disputed' });
  });

  test('is nothing where nothing was paid, or not for a subscription', () => {
    const nothing = [bill('sub_1', { status: 'failed' }), bill('sub_1', { amount: 0 }), bill(null)];
    for (const billed of [[], nothing]) expect(judge(billed)).toEqual({ kind: 'nothing' });
  });

  test('is nobody’s who has older bills than can be seen', () => {
    expect(judge([bill('sub_1')], 1, false)).toEqual({ kind: 'too_late' });
  });
});

test.each([
  ['Wed, 18 Feb 2026 12:00:00 GMT', '2026-02-18T12:00:00Z'],
  [undefined, '2026-01-01T00:00:00Z'],
  ['ontem', '2026-01-01T00:00:00Z'],
])('bills are as of the provider’s own time, ours where it tells none: %s', async (date, time) => {
  const list = async () => ({ data: [], has_more: false, lastResponse: { headers: date ? { date } : {} } });
  const stripe = { invoices: { list }, charges: { list } } as unknown as Stripe;
  const bills = await listBilledInvoices(stripe, 'cus_1', new Date('2026-01-01T00:00:00Z'));
  expect(bills).toEqual({ billed: [], isComplete: true, time: Date.parse(time) / 1000 });
});
