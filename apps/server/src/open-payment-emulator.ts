import { PLANS } from '@linkoteca/domain/plans';
import type { EmulatorPrice, PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import { createPaymentEmulator } from '@linkoteca/payment-emulator/payment-emulator';
import { createPostgresStore } from '@linkoteca/payment-emulator/store/create-postgres-store';
import type { Logger } from 'pino';
import { PAYMENT_EMULATOR_PATH } from './describe-payments.ts';
import { asPaymentEmulator, type Database } from './kernel/database.ts';
import type { Payments } from './kernel/resolve-payments.ts';

export type PaymentEmulatorDeps = {
  readonly payments: Pick<Payments, 'secretKey' | 'webhookSecret' | 'prices'>;
  readonly db: Database;
  readonly siteUrl: string;
  /** Where this machine reaches the server itself; undefined while it does not listen. */
  readonly ownUrl: () => string | undefined;
  readonly now: () => Date;
  readonly logger: Logger;
};

const CURRENCY = 'usd';

/** The payment provider of an installation that has none: it sells the plans at their own prices and keeps its objects in the database. */
export function openPaymentEmulator(deps: PaymentEmulatorDeps): PaymentEmulator {
  const { payments, db, siteUrl, ownUrl, now, logger } = deps;
  return createPaymentEmulator({
    store: createPostgresStore((run) => asPaymentEmulator(db, run)),
    prices: listPrices(payments.prices),
    secretKey: payments.secretKey,
    webhookSecret: payments.webhookSecret,
    webhookUrl: () => {
      const url = ownUrl();
      return url === undefined ? undefined : `${url}/functions/v1/stripe-webhook`;
    },
    siteUrl: `${siteUrl}${PAYMENT_EMULATOR_PATH}`,
    now,
    fetch,
    logger,
  });
}

function listPrices(ids: Payments['prices']): readonly EmulatorPrice[] {
  const { plus, pro } = PLANS;
  return [
    { id: ids.plusMonthly, plan: plus, interval: 'month', amountCents: plus.monthlyPriceCents },
    { id: ids.plusYearly, plan: plus, interval: 'year', amountCents: plus.yearlyPriceCents },
    { id: ids.proMonthly, plan: pro, interval: 'month', amountCents: pro.monthlyPriceCents },
    { id: ids.proYearly, plan: pro, interval: 'year', amountCents: pro.yearlyPriceCents },
  ].map(({ id, plan, interval, amountCents }) => ({
    id,
    productName: `Linkoteca ${plan.name}`,
    plan: plan.id,
    interval: interval === 'year' ? 'year' : 'month',
    amountCents,
    currency: CURRENCY,
  }));
}
