import { createHmac } from 'node:crypto';
import type { StripeSettings } from './settings.ts';

/** How this installation takes payments: by the provider, or by the emulator in its own process. */
export type Payments = StripeSettings & { readonly isEmulated: boolean };

/** The emulator's price ids: always the same, so that what was bought in one run is known in the next. */
const EMULATOR_PRICES: StripeSettings['prices'] = {
  plusMonthly: 'price_emulator_plus_monthly',
  plusYearly: 'price_emulator_plus_yearly',
  proMonthly: 'price_emulator_pro_monthly',
  proYearly: 'price_emulator_pro_yearly',
};

/**
 * The provider's settings where they are given, else the emulator's. Its keys come from the secret that every copy of the
 * server shares, so a payment that one copy began another can go on with.
 * @param secret the signing secret of the installation.
 */
export function resolvePayments(stripe: StripeSettings | undefined, secret: string): Payments {
  if (stripe !== undefined) return { ...stripe, isEmulated: false };
  return {
    isEmulated: true,
    secretKey: `sk_test_emulator_${derive(secret, 'secret-key')}`,
    webhookSecret: `whsec_${derive(secret, 'webhook-secret')}`,
    apiUrl: undefined,
    prices: EMULATOR_PRICES,
  };
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`linkoteca/payment-emulator/${purpose}/v1`).digest('hex');
}
