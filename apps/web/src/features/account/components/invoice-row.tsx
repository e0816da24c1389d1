import { INVOICE_MESSAGES } from '@linkoteca/domain/billing-messages';
import { formatDate, formatLongDate } from '@linkoteca/domain/format-date';
import { formatPrice } from '@linkoteca/domain/format-number';
import { ExternalLink } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { Invoice } from '../model/read-invoices.ts';

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
export function InvoiceRow({ invoice }: { readonly invoice: Invoice }) {
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
