import { useCallback } from 'react';
import { MissingAddressError, PaymentFunctionError } from './payment-function-error.ts';
import { useDepartureAddress } from './use-departure-address.ts';
import { usePaymentFunction } from './use-payment-function.ts';

/**
 * Asks for the provider's page on which a price is subscribed to, or a running subscription changed to it. The price is an id:
 * amounts are the server's affair.
 * @throws PaymentFunctionError; MissingAddressError when the answer has no address.
 */
export function useCreateCheckout(): (priceId: string) => Promise<string> {
  const call = usePaymentFunction();
  const readAddress = useDepartureAddress();
  return useCallback(
    async (priceId) => {
      const { sessionUrl, url } = await call({
        name: 'create-checkout',
        body: { priceId, redirectUrl: `${window.location.origin}/plans` },
        fail: (sentence) => new PaymentFunctionError('Failed to create checkout session', sentence),
      });
      const address = sessionUrl ?? url;
      if (address == null || address === '')
        throw new MissingAddressError('Failed to create checkout session');
      return readAddress(address);
    },
    [call, readAddress],
  );
}
