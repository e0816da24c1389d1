import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { PaymentFunctionError } from './payment-function-error.ts';
import { usePaymentFunction } from './use-payment-function.ts';
import { useRenewSubscription } from './use-renew-subscription.ts';

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
