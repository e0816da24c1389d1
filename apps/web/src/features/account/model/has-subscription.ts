import type { Subscription } from './resolve-plan.ts';

/**
 * Whether a subscription runs that can be changed or ended. It still does while a payment is being tried again, although its plan's
 * limits do not hold meanwhile; a paid plan without a status has no record of payments to say otherwise.
 */
export function hasSubscription({ plan, status }: Pick<Subscription, 'plan' | 'status'>): boolean {
  return plan !== 'free' && (status === null || status === 'active' || status === 'payment_failed');
}
