import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RightsWatch } from '../rights-watch.ts';
import { answerUnknownPath, describeProblem } from './answer-unknown-path.ts';

/** Files that need no header: what a window, a picture or a player can open by its address alone. */
const FILE = /^\/storage\/v1\/(?:object|render\/image)\/(?:public|sign)\/[^?#]/;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request came by the name of the files' own origin. Behind a proxy, by the name that the proxy was asked for. */
export function isOnFilesOrigin(request: Pick<FastifyRequest, 'host'>, filesUrl: string): boolean {
  return request.host.toLowerCase() === new URL(filesUrl).host;
}

/**
 * The origin on which people's files lie has nothing else: no app, no pages, no accounts and no tables, so that whatever a file
 * made of itself would find nothing there. Register it before everything that answers.
 */
export function serveFilesApart(app: FastifyInstance, filesUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isOnFilesOrigin(request, filesUrl)) return;
    if (FILE.test(request.url) && METHODS.has(request.method)) return;
    return answerUnknownPath(request, reply);
  });
}

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
