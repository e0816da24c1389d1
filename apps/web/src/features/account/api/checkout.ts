import { useCallback } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { readDepartureAddress } from '../model/departure.ts';
import {
  MissingAddressError,
  PaymentFunctionError,
  usePaymentFunction,
  wrongFormat,
} from './payment-function.ts';

/**
 * Checks an address that a payment function answered before anybody is sent there.
 * @throws PaymentFunctionError for what is no address, or leads somewhere else in the clear.
 */
export function useDepartureAddress(): (value: unknown) => string {
  const { config } = useBackend();
  return useCallback(
    (value) => {
      const own = [window.location.origin, new URL(config.supabaseUrl).origin];
      const address = readDepartureAddress(value, own);
      if (address === null) throw wrongFormat();
      return address;
    },
    [config],
  );
}

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
