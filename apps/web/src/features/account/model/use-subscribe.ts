import { DELAY_MS } from '@linkoteca/domain/limits';
import { BILLING_MESSAGES } from '@linkoteca/domain/messages/billing-messages';
import type { BillingInterval, PlanId } from '@linkoteca/domain/plans';
import { log } from '../../../shared/lib/log.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { describePaymentFailure } from '../api/describe-payment-failure.ts';
import { MissingAddressError, PaymentFunctionError } from '../api/payment-function-error.ts';
import { useCreateCheckout } from '../api/use-create-checkout.ts';
import { useLoadPrices } from '../api/use-prices.ts';
import { findPrice } from './find-price.ts';
import type { Departure } from './use-departure.ts';

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
