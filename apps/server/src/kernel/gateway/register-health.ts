import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Health, HealthReport } from '../health/create-health.ts';

/**
 * `/health/live` and `/health/ready` are asked by what runs the server and by what sends it requests, `/health` by whoever wants to know
 * whether the product works. They answer anybody, in time, and say nothing but a word.
 */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health', async (_request, reply) => {
    const { status, reason } = { reason: undefined, ...(await health.whole()) };
    return answer(reply, status, reason === undefined ? { status } : { status, reason });
  });
  app.get('/health/ready', async (_request, reply) => send(reply, await health.ready()));
  app.get('/health/live', async (_request, reply) => send(reply, await health.live()));
  // Whoever keeps a connection open would learn too late that it leads to a server that is leaving.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (health.isDraining) reply.header('connection', 'close');
    done();
  });
}

function send(reply: FastifyReply, report: HealthReport): FastifyReply {
  return answer(reply, report.status, report);
}

function answer(reply: FastifyReply, status: HealthReport['status'], body: object): FastifyReply {
  return reply
    .code(status === 'ok' ? 200 : 503)
    .header('cache-control', 'no-store')
    .send(body);
}
