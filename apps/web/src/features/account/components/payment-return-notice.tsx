import { PAYMENT_RETURN_MESSAGES } from '@linkoteca/domain/billing-messages';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { usePaymentReturn } from '../model/use-payment-return.ts';

/** Answers the provider's return, and says so while a payment is being confirmed. */
export function PaymentReturnNotice() {
  const returned = usePaymentReturn();
  return returned === 'success' ? <Spinner label={PAYMENT_RETURN_MESSAGES.checking} /> : null;
}
