import { useCallback } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { readDepartureAddress } from '../model/read-departure-address.ts';
import { wrongFormat } from './payment-function-error.ts';

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
