import type { Payments } from '../kernel/resolve-payments.ts';

/** Where the emulator answers, below the server's own address. */
export const PAYMENT_EMULATOR_PATH = '/payment-emulator';

/**
 * What functions see of payments, by the names of their settings.
 * @param ownUrl where this machine reaches the server itself.
 */
export function describePayments(
  { isEmulated, secretKey, webhookSecret, apiUrl, prices }: Payments,
  ownUrl: string,
): Readonly<Record<`STRIPE_${string}`, string | undefined>> {
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PLUS_MONTHLY: prices.plusMonthly,
    STRIPE_PRICE_PLUS_YEARLY: prices.plusYearly,
    STRIPE_PRICE_PRO_MONTHLY: prices.proMonthly,
    STRIPE_PRICE_PRO_YEARLY: prices.proYearly,
    STRIPE_API_URL: isEmulated ? `${ownUrl}${PAYMENT_EMULATOR_PATH}` : apiUrl,
  };
}
