import { drawInvoice } from '../billing/build-invoice.ts';
import { findDiscount } from '../billing/discounts.ts';
import { itemOf } from '../billing/keep-subscription.ts';
import { describePeriodLine } from '../billing/period-line.ts';
import { planPriceChange } from '../billing/price-changes.ts';
import { idOf } from '../ledger/ids.ts';
import type { ApiRequest } from './api-route.ts';
import { findActivePrice, findCustomer, findObject } from './find-object.ts';

/**
 * What the next invoice of a subscription would ask for: with `subscription_details[items]` that of the change, else that
 * of the renewal. Nothing is kept.
 */
export async function previewInvoice({ ledger, parameters }: ApiRequest): Promise<object> {
  const subscription = await findObject(
    ledger,
    'subscription',
    parameters.requiredText('subscription'),
    'subscription',
  );
  const customer = await findCustomer(ledger, idOf(subscription.customer) ?? '', 'customer');
  const details = parameters.inner('subscription_details');
  const [wanted] = details?.list('items') ?? [];
  const item = itemOf(subscription);
  const { interval_count: count = 1 } = item.price.recurring ?? {};
  if (!wanted) {
    const line = describePeriodLine(item);
    const length = item.current_period_end - item.current_period_start;
    const period = { start: item.current_period_end, end: item.current_period_end + length * count };
    const discount = await findDiscount(ledger, subscription);
    return drawInvoice(ledger, {
      customer,
      subscription,
      reason: 'subscription_cycle',
      lines: [{ ...line, period }],
      discount,
    });
  }
  const price = await findActivePrice(
    ledger,
    wanted.requiredText('price'),
    'subscription_details[items][0][price]',
  );
  const plan = await planPriceChange(ledger, subscription, {
    price,
    quantity: wanted.integer('quantity') ?? item.quantity ?? 1,
    prorationDate: details?.integer('proration_date'),
  });
  return drawInvoice(ledger, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: plan.lines,
    prorationDate: plan.time,
  });
}
