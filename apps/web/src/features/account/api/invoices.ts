import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import type { Invoice } from '../model/read-invoices.ts';
import { readInvoices } from '../model/read-invoices.ts';
import { useDepartureAddress } from './checkout.ts';
import { PaymentFunctionError, usePaymentFunction, wrongFormat } from './payment-function.ts';

/** The person's invoices, newest first. */
export function useInvoices() {
  const call = usePaymentFunction();
  const readAddress = useDepartureAddress();
  return useQuery({
    queryKey: ['invoices', useUserId()],
    queryFn: async (): Promise<readonly Invoice[]> => {
      const answer = await call({
        name: 'list-invoices',
        fail: (sentence) => new PaymentFunctionError('Failed to list invoices', sentence),
      });
      const invoices = readInvoices(answer);
      if (invoices === null) throw wrongFormat();
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
