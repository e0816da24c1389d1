import { INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDepartureAddress } from './use-departure-address.ts';
import { usePaymentFunction } from './use-payment-function.ts';

const invoiceListSchema = v.object({
  invoices: v.array(
    v.object({
      id: v.string(),
      number: v.nullish(v.string(), null),
      /** ISO 8601. */
      date: v.string(),
      /** In the currency's smallest unit. */
      amountCents: v.number(),
      currency: v.pipe(v.string(), v.regex(/^[a-z]{3}$/i)),
      status: v.nullish(v.string(), null),
      receiptUrl: v.nullish(v.string(), null),
      refundable: v.boolean(),
    }),
  ),
});

export type Invoice = v.InferOutput<typeof invoiceListSchema>['invoices'][number];

/** The person's invoices, newest first. */
export function useInvoices() {
  const call = usePaymentFunction();
  const readAddress = useDepartureAddress();
  return useQuery({
    queryKey: ['invoices', useUserId()],
    queryFn: async (): Promise<readonly Invoice[]> => {
      const answer = await call({ name: 'list-invoices', failure: INVOICE_MESSAGES.loadFailed });
      const { invoices } = v.parse(invoiceListSchema, answer);
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
