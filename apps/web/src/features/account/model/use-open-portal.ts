import { log } from '../../../shared/lib/log.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useCustomerPortal } from '../api/checkout.ts';
import { describePaymentFailure } from '../api/payment-function.ts';
import { BILLING_MESSAGES } from './billing-messages.ts';
import type { Departure } from './departure.ts';

/** Leads to the provider's customer portal. */
export function useOpenPortal(departure: Departure): (key: string) => void {
  const ask = useCustomerPortal();
  return (key) => departure.depart({ key, ask, explain: explainPortal });
}

function explainPortal(error: unknown): void {
  log.warn('the customer portal could not be opened', error);
  toast.error(BILLING_MESSAGES.portalFailed, describePaymentFailure(error, ''));
}
