import { INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/load-error.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { useInvoices } from '../api/use-invoices.ts';
import { InvoiceRow } from './invoice-row.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/** The invoices with their receipts; what was paid can be asked back while that is possible. */
export function InvoiceSection() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState(false);
  const refundable = useInvoices().data?.filter((invoice) => invoice.refundable) ?? [];
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h3 ref={heading} tabIndex={-1} className="text-base font-semibold">
          {INVOICE_MESSAGES.title}
        </h3>
        {refundable.length > 0 ? (
          <Button size="small" onClick={() => setAsking(true)}>
            {INVOICE_MESSAGES.refund}
          </Button>
        ) : null}
      </div>
      <InvoiceList />
      <RefundDialog
        open={asking}
        invoices={refundable}
        onClose={() => setAsking(false)}
        focusAfterRefund={() => heading.current}
      />
    </section>
  );
}

function InvoiceList() {
  const { data, isError, refetch } = useInvoices();
  if (data && data.length > 0) {
    return (
      <ul className="divide-y divide-line">
        {data.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
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
