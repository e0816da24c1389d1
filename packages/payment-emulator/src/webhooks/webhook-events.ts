/**
 * What the emulator tells its webhook, as an endpoint at Stripe names the events it wants. The others are only written down.
 */
const WEBHOOK_EVENTS: ReadonlySet<string> = new Set([
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refunded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.updated',
  'invoice.marked_uncollectible',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'refund.created',
]);

/** Whether the webhook has asked for this type of event. */
export function isWebhookEvent(type: string): boolean {
  return WEBHOOK_EVENTS.has(type);
}
