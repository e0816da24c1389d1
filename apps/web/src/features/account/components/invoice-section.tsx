import { formatDate, formatLongDate } from '@linkoteca/domain/dates';
import { formatPrice } from '@linkoteca/domain/formats';
import { ExternalLink } from 'lucide-react';
import { useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import { useRequestRefund } from '../api/change-subscription.ts';
import { useInvoices } from '../api/invoices.ts';
import { PaymentFunctionError } from '../api/payment-function.ts';
import { INVOICE_MESSAGES } from '../model/billing-messages.ts';
import type { Invoice } from '../model/read-invoices.ts';

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

type KnownStatus = keyof typeof INVOICE_MESSAGES.statuses;

const TONES: Readonly<Record<KnownStatus, 'neutral' | 'accent' | 'warning'>> = {
  paid: 'accent',
  open: 'warning',
  draft: 'neutral',
  void: 'neutral',
  uncollectible: 'warning',
  refunded: 'neutral',
  partially_refunded: 'neutral',
};

/** One invoice: date and number, amount, how it stands, and its receipt in another tab. */
function InvoiceRow({ invoice }: { readonly invoice: Invoice }) {
  const { number, date, amountCents, currency, status, receiptUrl } = invoice;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-base text-ink">{formatLongDate(date)}</p>
        {number ? <p className="truncate text-sm text-ink-faint">{number}</p> : null}
      </div>
      <p className="text-base font-medium tabular-nums">{formatPrice(amountCents, currency)}</p>
      {isKnown(status) ? <Badge tone={TONES[status]}>{INVOICE_MESSAGES.statuses[status]}</Badge> : null}
      {receiptUrl ? (
        <a
          href={receiptUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={joinClassNames('-mx-2', buttonClassName('quiet', 'small'))}
        >
          {INVOICE_MESSAGES.receipt}{' '}
          <VisuallyHidden>
            de {formatDate(date)}, {INVOICE_MESSAGES.newWindow}
          </VisuallyHidden>
          <ExternalLink aria-hidden />
        </a>
      ) : null}
    </li>
  );
}

function isKnown(status: string | null): status is KnownStatus {
  return status !== null && Object.hasOwn(INVOICE_MESSAGES.statuses, status);
}

interface RefundDialogProps {
  readonly open: boolean;
  /** What would be given back. */
  readonly invoices: readonly Invoice[];
  readonly onClose: () => void;
  /** Where the keyboard goes when the button that asked is gone. */
  readonly focusAfterRefund: () => HTMLElement | null;
}

/** Says what a refund brings about before it is asked for. */
function RefundDialog({ open, invoices, onClose, focusAfterRefund }: RefundDialogProps) {
  const request = useRequestRefund();
  const done = useRef(false);
  const confirm = useSingleFlight(async () => {
    done.current = false;
    const { refundDone, refundRefused, refundUnclear } = INVOICE_MESSAGES;
    try {
      await request.mutateAsync();
      done.current = true;
      toast.success(refundDone.title, refundDone.description);
    } catch (error) {
      // Without the service's own word the money may be on its way, also where the connection broke.
      const refusal = error instanceof PaymentFunctionError ? error.sentence : null;
      toast.error(refusal ? refundRefused : refundUnclear.title, refusal ?? refundUnclear.description);
    }
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      title={INVOICE_MESSAGES.refundQuestion}
      description={INVOICE_MESSAGES.refundConsequence}
      confirmLabel={INVOICE_MESSAGES.refund}
      busy={request.isPending}
      busyLabel={INVOICE_MESSAGES.refunding}
      // What is under way cannot be taken back: the dialog waits with the person.
      onCancel={() => (request.isPending ? undefined : onClose())}
      onConfirm={() => void confirm(undefined)}
      finalFocus={() => (done.current ? focusAfterRefund() : true)}
    >
      <ul className="mt-3 flex flex-col gap-1 text-base tabular-nums">
        {invoices.map(({ id, date, refundCents, currency }) => (
          <li key={id} className="flex justify-between gap-3">
            {formatLongDate(date)}
            <span className="font-medium">{formatPrice(refundCents, currency)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-base text-ink">{INVOICE_MESSAGES.refundKept}</p>
    </ConfirmDialog>
  );
}
