import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { RightsWatch } from '../watch-rights.ts';
import { describeProblem } from './answer-unknown-path.ts';

/** What an operator needs to find out why. */
const STILL_ANSWERED = /^\/(?:health|metrics)(?:[/?]|$)/;
const MESSAGE =
  'O banco de dados não está em condições de ser usado; quem cuida desta instalação precisa corrigi-lo';
const HANG_UP_MS = 1_000;

/** Answers 503 to everything, and ends the live channels, while rights in the database are not what the migrations make. */
export function refuseChangedRights(
  app: FastifyInstance,
  { difference }: Pick<RightsWatch, 'difference'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (difference() === undefined || STILL_ANSWERED.test(request.url)) done();
    else
      reply
        .code(503)
        .header('retry-after', '5')
        .header('cache-control', 'no-store')
        .send(describeProblem(503, 'unavailable', MESSAGE));
  });
  const channels = new Set<Duplex>();
  app.server.on('upgrade', (_request, connection) => {
    channels.add(connection);
    connection.once('close', () => channels.delete(connection));
  });
  const timer = setInterval(() => {
    if (difference() !== undefined) for (const channel of channels) channel.destroy();
  }, HANG_UP_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
