import { BILLING_SERVICE_ERRORS, INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import type { Invoice } from '../model/read-invoices.ts';
import { readInvoices } from '../model/read-invoices.ts';
import { PaymentFunctionError } from './payment-function-error.ts';
import { useDepartureAddress } from './use-departure-address.ts';
import { usePaymentFunction } from './use-payment-function.ts';

/** The person's invoices, newest first. */
export function useInvoices() {
  const call = usePaymentFunction();
  const readAddress = useDepartureAddress();
  return useQuery({
    queryKey: ['invoices', useUserId()],
    queryFn: async (): Promise<readonly Invoice[]> => {
      const answer = await call({ name: 'list-invoices', failure: INVOICE_MESSAGES.loadFailed });
      const invoices = readInvoices(answer);
      if (invoices === null) throw new PaymentFunctionError(BILLING_SERVICE_ERRORS.format);
      return invoices.map((invoice) => ({
        ...invoice,
        receiptUrl: readLink(invoice.receiptUrl, readAddress),
      }));
    },
  });
}

function readLink(value: string | null, readAddress: (value: unknown) => string): string | null {
  try {
    return value === null ? null : readAddress(value);
  } catch {
    return null;
  }
}
