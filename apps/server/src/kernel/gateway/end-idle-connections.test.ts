import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { endIdleConnections } from './end-idle-connections.ts';

/** As the gateway has it, with connections that would stay open for longer than a test may take. */
let app: FastifyInstance;
/** What is left of the answer of `/slow`. */
let rest: PassThrough;
beforeEach(async () => {
  app = Fastify({ forceCloseConnections: 'idle', keepAliveTimeout: 600_000, requestTimeout: 600_000 });
  rest = new PassThrough();
  rest.write('quase');
  endIdleConnections(app);
  app.get('/slow', async (_request, reply) => reply.send(rest));
  app.post(
    '/refused',
    { onRequest: async (_request, reply) => reply.code(401).send('não') },
    async () => 'x',
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return async () => {
    app.server.closeAllConnections();
    await app.close();
  };
});

async function open(request: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

describe('a stop', () => {
  it('waits for an answer under way, and not for its connection, which stays open', async () => {
    const socket = await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 [\s\S]*quase/);
    const ended = once(socket, 'close');
    const stopped = app.close();
    rest.end('pronto');
    await Promise.all([stopped, ended]);
    expect(text).toContain('pronto');
  });

  it.each([
    ['before it', async (asked: Promise<unknown>) => asked],
    ['after it', async () => undefined],
  ])('does not wait for the rest of a body whose request was answered %s', async (_when, wait) => {
    const socket = await open('POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nmetade');
    const answered = once(socket, 'data');
    await wait(answered);
    const ended = once(socket, 'close');
    await Promise.all([app.close(), ended]);
  });
});
