import type { FastifyInstance } from 'fastify';
import { findService } from './find-service.ts';

/** The services answer data, never pages: whatever a browser makes of an answer, nothing in it may run or be framed. */
export function protectServices(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (findService(request.url))
      reply
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
        .header('cross-origin-resource-policy', 'cross-origin');
    done();
  });
}
