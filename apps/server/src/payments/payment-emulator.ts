import { PLANS, type Plan } from '@linkoteca/domain/plans';
import type { EmulatorPrice, PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import { createPaymentEmulator } from '@linkoteca/payment-emulator/payment-emulator';
import { createPostgresStore } from '@linkoteca/payment-emulator/store/create-postgres-store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { asPaymentEmulator, type Database } from '../kernel/database.ts';
import type { OperatorAccess } from '../kernel/gateway/operator-access.ts';
import { isLoopbackHost } from '../kernel/networks.ts';
import type { Payments } from '../kernel/resolve-payments.ts';
import { PAYMENT_EMULATOR_PATH } from './describe-payments.ts';

export type PaymentEmulatorRoutes = {
  readonly emulator: PaymentEmulator;
  readonly siteUrl: string;
  readonly operator: OperatorAccess;
};

/**
 * Answers everything below `/payment-emulator` with the emulator, which starts to renew and deliver once the server
 * listens. Register it only where no payment provider is configured.
 */
export function registerPaymentEmulator(app: FastifyInstance, routes: PaymentEmulatorRoutes): void {
  const { emulator, siteUrl } = routes;
  app.addHook('onListen', async () => {
    // An installation that others reach gives its plans away as long as it has no payment provider.
    if (!isLoopbackHost(new URL(siteUrl).hostname))
      app.log.warn({ siteUrl }, 'payments are emulated: plans cost nothing until STRIPE_SECRET_KEY is set');
    emulator.start();
  });
  app.addHook('onClose', () => emulator.stop());
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const answer = (request: FastifyRequest, reply: FastifyReply) => handle(routes, request, reply);
    scope.all(PAYMENT_EMULATOR_PATH, answer);
    scope.all(`${PAYMENT_EMULATOR_PATH}/*`, answer);
  });
}

async function handle(
  { emulator, siteUrl, operator }: PaymentEmulatorRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const exchanged = operator.exchangeKey(request, reply, PAYMENT_EMULATOR_PATH);
  if (exchanged) return exchanged;
  // Node leaves the body of an answer to HEAD out by itself.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const response = await emulator.handle(
    new Request(new URL(request.url, siteUrl), {
      method,
      headers: copyHeaders(request),
      ...(typeof request.body === 'string' ? { body: request.body } : {}),
    }),
    { isOperator: operator.isOperator(request) },
  );
  if (response.headers.get('x-unknown-path') !== null) {
    reply.callNotFound();
    return reply;
  }
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

function copyHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const name of [
    'authorization',
    'content-type',
    'idempotency-key',
    'origin',
    'sec-fetch-site',
    'accept',
  ]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

type PaymentEmulatorDeps = {
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
    { ...describePlan(plus), id: ids.plusMonthly, interval: 'month', amountCents: plus.monthlyPriceCents },
    { ...describePlan(plus), id: ids.plusYearly, interval: 'year', amountCents: plus.yearlyPriceCents },
    { ...describePlan(pro), id: ids.proMonthly, interval: 'month', amountCents: pro.monthlyPriceCents },
    { ...describePlan(pro), id: ids.proYearly, interval: 'year', amountCents: pro.yearlyPriceCents },
  ];
}

function describePlan({ id, name }: Plan): Pick<EmulatorPrice, 'plan' | 'productName' | 'currency'> {
  return { plan: id, productName: `Linkoteca ${name}`, currency: CURRENCY };
}
