import type { PaymentEmulator } from '@linkoteca/payment-emulator/emulator-options';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAYMENT_EMULATOR_PATH } from './describe-payments.ts';
import type { OperatorAccess } from './kernel/gateway/operator-access.ts';
import { isLoopbackHost } from './kernel/is-loopback-host.ts';

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
      ...(method !== 'GET' && typeof request.body === 'string' ? { body: request.body } : {}),
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
