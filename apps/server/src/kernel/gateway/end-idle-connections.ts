import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * A stop waits for requests under way, and not for connections that become idle meanwhile, which browsers keep open, nor for the rest
 * of a body whose request has its answer: nobody reads that any more, and it may take as long as a body may take.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const answered = new Set<IncomingMessage>();

  app.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    if (!raw.complete && !raw.destroyed) {
      answered.add(raw);
      raw.once('close', () => answered.delete(raw));
    }
    done();
  });

  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      for (const { socket } of answered) socket.destroy();
    }, SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}
