import type Stripe from 'stripe';
import type { Price } from '../ledger/object-kinds.ts';
import type { InvoiceLine } from './build-invoice.ts';

/** The line for the period that a subscription's item is in, paid in advance. */
export function describePeriodLine(item: Stripe.SubscriptionItem, { isFree = false } = {}): InvoiceLine {
  const price = item.price as Price;
  const quantity = item.quantity ?? 1;
  return {
    amount: isFree ? 0 : (price.unit_amount ?? 0) * quantity,
    description: isFree ? `Trial period for ${namePrice(price)}` : `${quantity} × ${namePrice(price)}`,
    price,
    quantity,
    period: { start: item.current_period_start, end: item.current_period_end },
    subscriptionItem: item.id,
    isProration: false,
  };
}

/** As in `Linkoteca Plus (at $1.99 / month)`, the way Stripe describes its lines. */
export function namePrice(price: Price): string {
  const amount = ((price.unit_amount ?? 0) / 100).toFixed(2);
  return `${price.nickname ?? price.id} (at $${amount} / ${price.recurring?.interval ?? 'month'})`;
}
