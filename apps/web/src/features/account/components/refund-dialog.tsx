import { INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { formatLongDate } from '@linkoteca/domain/format-date';
import { formatPrice } from '@linkoteca/domain/format-number';
import { useRef } from 'react';
import { useSingleFlight } from '../../../shared/lib/use-single-flight.ts';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { describePaymentFailure } from '../api/describe-payment-failure.ts';
import { useRequestRefund } from '../api/use-request-refund.ts';
import type { Invoice } from '../model/read-invoices.ts';

interface RefundDialogProps {
  readonly open: boolean;
  /** What would be given back. */
  readonly invoices: readonly Invoice[];
  readonly onClose: () => void;
  /** Where the keyboard goes when the button that asked is gone. */
  readonly focusAfterRefund: () => HTMLElement | null;
}

/** Says what a refund brings about before it is asked for. */
export function RefundDialog({ open, invoices, onClose, focusAfterRefund }: RefundDialogProps) {
  const request = useRequestRefund();
  const done = useRef(false);
  const confirm = useSingleFlight(async () => {
    done.current = false;
    const { refundDone, refundFailed } = INVOICE_MESSAGES;
    try {
      await request.mutateAsync();
      done.current = true;
      toast.success(refundDone.title, refundDone.description);
    } catch (error) {
      toast.error(refundFailed.title, describePaymentFailure(error, refundFailed.description));
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
