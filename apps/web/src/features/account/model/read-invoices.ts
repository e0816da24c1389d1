import { isCurrency, isRecord, readText } from './read-answer.ts';

export interface Invoice {
  readonly id: string;
  readonly number: string | null;
  /** ISO 8601: when it was paid, or else made out. */
  readonly date: string;
  /** In the currency's smallest unit. */
  readonly amountCents: number;
  readonly currency: string;
  readonly status: string | null;
  readonly receiptUrl: string | null;
  /** Whether `request-refund` would give it back now. */
  readonly refundable: boolean;
  /** What it would give back of this one: all that is left of it. */
  readonly refundCents: number;
}

/** Reads what `list-invoices` answered, newest first; null when it is no list. An invoice without id, day or amount is left out. */
export function readInvoices(body: Readonly<Record<string, unknown>>): readonly Invoice[] | null {
  const { invoices } = body;
  return Array.isArray(invoices) ? invoices.flatMap((each: unknown) => readInvoice(each) ?? []) : null;
}

function readInvoice(value: unknown): Invoice | null {
  if (!isRecord(value)) return null;
  const { amountCents, currency, refundAmountCents } = value;
  const [id, date] = [readText(value['id']), readText(value['date'])];
  if (id === null || date === null || typeof amountCents !== 'number' || !isCurrency(currency)) return null;
  return {
    id,
    date,
    amountCents,
    currency,
    number: readText(value['number']),
    status: readText(value['status']),
    receiptUrl: readText(value['receiptUrl']),
    refundable: value['refundable'] === true,
    refundCents: typeof refundAmountCents === 'number' ? refundAmountCents : amountCents,
  };
}
