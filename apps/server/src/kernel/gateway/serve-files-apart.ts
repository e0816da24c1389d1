import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerUnknownPath } from './answer-unknown-path.ts';

/** Files that need no header: what a window, a picture or a player can open by its address alone. */
const FILE = /^\/storage\/v1\/object\/(?:public|sign)\/[^?#]/;
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
