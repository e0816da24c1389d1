import { Stripe } from 'stripe';
import { REFUND_DAYS } from '../../../packages/domain/src/limits.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { answerPaymentFailure, forPerson, isMissing } from '../_shared/answer-payment-failure.ts';
import { cancelSubscriptions } from '../_shared/cancel-subscriptions.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { classifyRefund, listBilledInvoices, type RefundVerdict } from '../_shared/refunds.ts';

export type RefundDeps = {
  readonly stripe: Stripe;
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
  readonly now: () => Date;
};

const REFUSALS = {
  nothing: PAYMENT_REFUSALS.nothingToRefund,
  too_late: PAYMENT_REFUSALS.refundTooLate(REFUND_DAYS),
  used: PAYMENT_REFUSALS.refundUsed,
  disputed: PAYMENT_REFUSALS.refundDisputed,
} as const;

/**
 * The function `request-refund`: `POST` ends the caller's subscription at once and gives back all that was paid, within 14 days of the
 * first payment → `{"refunded":true}`; else 409 with a sentence. A second click finds it done. That the plan ends is said by
 * the webhook, as ever.
 */
export function createRefundHandler(deps: RefundDeps): (request: Request) => Promise<Response> {
  return forPerson('POST', async (_request, { id, authorization }) => {
    const { fetch, supabaseUrl: url, anonKey: key, stripe } = deps;
    const account = await findBillingAccount({ fetch, url, key, authorization }, id);
    if (account === undefined) return refuse(401, PAYMENT_REFUSALS.signIn);
    const { customerId } = account;
    if (customerId === undefined) return refuse(409, REFUSALS.nothing);
    const verdict = await judge(stripe, customerId, deps.now());
    if (verdict.kind === 'refundable') return await settle(stripe, customerId, id, verdict.charges);
    if (verdict.kind === 'done') return await settle(stripe, customerId, id, []);
    return refuse(409, REFUSALS[verdict.kind]);
  });
}

async function judge(stripe: Stripe, customer: string, now: Date): Promise<RefundVerdict> {
  try {
    return classifyRefund(await listBilledInvoices(stripe, customer, now));
  } catch (error) {
    if (isMissing(error)) return { kind: 'nothing' };
    throw error;
  }
}

/** The end comes first: whoever is interrupted here and asks again still has the money to get, and is charged no more. */
async function settle(
  stripe: Stripe,
  customerId: string,
  userId: string,
  charges: readonly Stripe.Charge[],
): Promise<Response> {
  await cancelSubscriptions({ stripe, customerId });
  try {
    for (const { id: charge } of charges) await giveBack(stripe, charge, userId);
    return answerJson(200, { refunded: true });
  } catch (error) {
    const { status } = answerPaymentFailure(error);
    return refuse(status, PAYMENT_REFUSALS.refundHalfway);
  }
}

/** What is left of the charge, in full: a second refund of it is the provider's to refuse, however it comes about. */
async function giveBack(stripe: Stripe, charge: string, userId: string): Promise<void> {
  try {
    const metadata = { user_id: userId };
    await stripe.refunds.create({ charge, reason: 'requested_by_customer', metadata });
  } catch (error) {
    const isStripes = error instanceof Stripe.errors.StripeError;
    if (!isStripes || error.code !== 'charge_already_refunded') throw error;
  }
}
