import type { FastifyInstance } from 'fastify';

const MOST_BYTES_READ_IN_VAIN = 32 * 1024 * 1024;

/**
 * A client still sends while it is told that its body is too large (413). Up to 32 MiB the rest is taken and thrown away:
 * closing at once, as Fastify would, breaks its writing off before it reads the answer.
 */
export function hearLargeBodiesOut(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const announced = Number(request.headers['content-length']);
    if (reply.statusCode === 413 && announced <= MOST_BYTES_READ_IN_VAIN) reply.removeHeader('connection');
  });
}
