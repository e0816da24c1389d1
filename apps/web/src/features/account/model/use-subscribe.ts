import { DELAY_MS } from '@linkoteca/domain/limits';
import type { BillingInterval, PlanId } from '@linkoteca/domain/plans';
import { log } from '../../../shared/lib/log.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useCreateCheckout } from '../api/checkout.ts';
import {
  describePaymentFailure,
  MissingAddressError,
  PaymentFunctionError,
} from '../api/payment-function.ts';
import { useLoadPrices } from '../api/prices.ts';
import { BILLING_MESSAGES } from './billing-messages.ts';
import type { Departure } from './departure.ts';
import { findPrice } from './prices.ts';

/** A figure on a card. */
export interface ShownPrice {
  readonly amountCents: number;
  readonly currency: string;
}

class PriceChangedError extends Error {
  override name = 'PriceChangedError';
}

/** Leads to the provider's page of a plan and period, for the price that the person saw and no other. */
export function useSubscribe(departure: Departure) {
  const loadPrices = useLoadPrices();
  const createCheckout = useCreateCheckout();
  return (plan: PlanId, interval: BillingInterval, shown: ShownPrice) =>
    departure.depart({
      key: plan,
      delayMs: DELAY_MS.checkoutRedirect,
      explain: explainCheckout,
      ask: async () => {
        const price = findPrice(await loadPrices(), plan, interval);
        if (!price) throw new PaymentFunctionError('Failed to create checkout session');
        const same =
          price.amountCents === shown.amountCents &&
          price.currency.toLowerCase() === shown.currency.toLowerCase();
        if (!same) throw new PriceChangedError();
        return createCheckout(price.priceId);
      },
    });
}

function explainCheckout(error: unknown): void {
  log.warn('checkout failed', error);
  if (error instanceof PriceChangedError) {
    const { title, description } = BILLING_MESSAGES.pricesChanged;
    toast.info(title, description);
  } else if (error instanceof MissingAddressError) {
    toast.error(BILLING_MESSAGES.checkoutWithoutUrl);
  } else {
    const { title, description } = BILLING_MESSAGES.checkoutFailed;
    toast.error(title, describePaymentFailure(error, description));
  }
}
