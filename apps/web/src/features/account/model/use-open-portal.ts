import { BILLING_MESSAGES } from '@linkoteca/domain/messages/billing-messages';
import { log } from '../../../shared/lib/log.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { describePaymentFailure } from '../api/describe-payment-failure.ts';
import { useCustomerPortal } from '../api/use-customer-portal.ts';
import type { Departure } from './use-departure.ts';

/** Leads to the provider's customer portal. */
export function useOpenPortal(departure: Departure): (key: string) => void {
  const ask = useCustomerPortal();
  return (key) => departure.depart({ key, ask, explain: explainPortal });
}

function explainPortal(error: unknown): void {
  log.warn('the customer portal could not be opened', error);
  toast.error(BILLING_MESSAGES.portalFailed, describePaymentFailure(error, ''));
}
