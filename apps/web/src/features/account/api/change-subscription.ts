import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { PaymentFunctionError, usePaymentFunction } from './payment-function.ts';

/** Reads again what a change of the subscription changes: itself, its invoices, and what its plan opens. */
export function useRenewSubscription(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    const names = ['subscription', 'invoices', 'received-shares'];
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  }, [queryClient]);
}

/**
 * Has the server compare the subscription with the payment provider now, then reads it again here. Resolves to the plan
 * that is subscribed to, or null.
 * @throws PaymentFunctionError; `fetch`'s own error without network.
 */
export function useSyncSubscription(): () => Promise<string | null> {
  const call = usePaymentFunction();
  const queryClient = useQueryClient();
  const userId = useUserId();
  const renew = useRenewSubscription();
  return useCallback(async () => {
    const answer = await call({
      name: 'check-subscription',
      fail: (sentence) => new PaymentFunctionError('Failed to check subscription', sentence),
    });
    queryClient.setQueryData(['subscription-check', userId], answer);
    await renew();
    const { subscribed, plan } = answer;
    return subscribed === true && typeof plan === 'string' ? plan : null;
  }, [call, queryClient, userId, renew]);
}

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
