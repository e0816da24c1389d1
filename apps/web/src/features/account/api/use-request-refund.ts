import { useMutation } from '@tanstack/react-query';
import { PaymentFunctionError } from './payment-function-error.ts';
import { usePaymentFunction } from './use-payment-function.ts';
import { useRenewSubscription } from './use-renew-subscription.ts';

/** Asks for the first payment back, which ends the subscription at once; the server judges whether it is in time. */
export function useRequestRefund() {
  const call = usePaymentFunction();
  const renew = useRenewSubscription();
  return useMutation({
    mutationFn: () =>
      call({
        name: 'request-refund',
        body: {},
        fail: (sentence) => new PaymentFunctionError('Failed to request refund', sentence),
      }),
    // A refusal, too, may mean that things are not as this screen believes.
    onSettled: renew,
  });
}
