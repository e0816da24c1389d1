import type { FastifyInstance } from 'fastify';

const MOST_BYTES_READ_IN_VAIN = 32 * 1024 * 1024;

/**
 * A client still sends while it is told that its body is too large (413). Up to 32 MiB the rest is taken and thrown away:
 * closing at once, as Fastify would, breaks its writing off before it reads the answer.
 */
export function hearLargeBodiesOut(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isHeardOut =
      reply.statusCode === 413 && Number(request.headers['content-length']) <= MOST_BYTES_READ_IN_VAIN;
    if (isHeardOut) reply.removeHeader('connection');
    done();
  });
}
