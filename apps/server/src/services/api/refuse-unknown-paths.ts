import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

/**
 * Paths below a prefix that are nobody's are refused in the words of who is there. Routes of their own: where the web app is served, its
 * files take every path that no route has.
 */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const refuse = async () => {
    throw new Problem('not_found', { detail: 'Esse caminho não existe.' });
  };
  for (const url of ['', '/*'])
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      // A body that comes along is not read.
      onRequest: refuse,
      handler: refuse,
    });
}
