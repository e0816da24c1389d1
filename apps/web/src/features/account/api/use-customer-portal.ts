import { useCallback } from 'react';
import { PaymentFunctionError } from './payment-function-error.ts';
import { useDepartureAddress } from './use-departure-address.ts';
import { usePaymentFunction } from './use-payment-function.ts';

/**
 * Asks for the provider's customer portal, which comes back to the billing tab.
 * @throws PaymentFunctionError.
 */
export function useCustomerPortal(): () => Promise<string> {
  const call = usePaymentFunction();
  const readAddress = useDepartureAddress();
  return useCallback(async () => {
    const { url } = await call({
      name: 'customer-portal',
      body: { returnUrl: `${window.location.origin}/profile?tab=billing` },
      fail: (sentence) => new PaymentFunctionError('Failed to open customer portal', sentence),
    });
    return readAddress(url);
  }, [call, readAddress]);
}
