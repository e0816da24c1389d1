import { INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { useRef, useState } from 'react';
import { LoadError } from '../../../shared/ui/load-error.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { useInvoices } from '../api/use-invoices.ts';
import type { Invoice } from '../model/read-invoices.ts';
import { InvoiceRow } from './invoice-row.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/** The invoices with their receipts; the first payment can be asked back while that is possible. */
export function InvoiceSection() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [refunding, setRefunding] = useState<Invoice | null>(null);
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 ref={heading} tabIndex={-1} className="text-base font-semibold">
        {INVOICE_MESSAGES.title}
      </h3>
      <InvoiceList onRefund={setRefunding} />
      <RefundDialog
        invoice={refunding}
        onClose={() => setRefunding(null)}
        focusAfterRefund={() => heading.current}
      />
    </section>
  );
}

function InvoiceList({ onRefund }: { readonly onRefund: (invoice: Invoice) => void }) {
  const { data, isError, refetch } = useInvoices();
  if (data && data.length > 0) {
    return (
      <ul className="divide-y divide-line">
        {data.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} onRefund={() => onRefund(invoice)} />
        ))}
      </ul>
    );
  }
  if (data) return <p className="text-base text-ink-soft">{INVOICE_MESSAGES.none}</p>;
  if (isError) {
    return (
      <LoadError
        title={INVOICE_MESSAGES.loadFailed}
        description={INVOICE_MESSAGES.loadFailedHint}
        onRetry={() => void refetch()}
      />
    );
  }
  return <Skeleton className="h-24 w-full" />;
}
