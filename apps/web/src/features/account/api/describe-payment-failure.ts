import { describeError } from '../../../shared/lib/describe-error.ts';
import { PaymentFunctionError } from './payment-function-error.ts';

/** What a person reads of a payment call that failed: the server's sentence, the missing network, else the screen's own text. */
export function describePaymentFailure(error: unknown, fallback: string): string {
  if (error instanceof PaymentFunctionError) return error.sentence ?? fallback;
  return describeError(error, fallback);
}
