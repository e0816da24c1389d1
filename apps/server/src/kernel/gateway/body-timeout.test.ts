import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { registerBodyTimeout } from './body-timeout.ts';

/** Six pieces take twice the time for all of it, and each a third of that for a pause: a busy machine sends late. */
const PATIENCE = { wholeMs: 600, pauseMs: 600 };
const PIECE_MS = 200;
const PIECE = 'x'.repeat(10);
const app = Fastify();
registerBodyTimeout(app, PATIENCE);
app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
const echo = async ({ body }: { body: unknown }) => ({ length: String(body).length });
app.post('/', echo);
app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send() }, echo);
app.post('/files', { config: { takesFiles: true } }, echo);

beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => app.close());

/** Announces `pieces` pieces and sends `sent` of them, one each `PIECE_MS`. */
async function send(path: string, { pieces, sent }: { pieces: number; sent: number }): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const answer = text(socket);
  await once(socket, 'connect');
  const length = pieces * PIECE.length;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.on('error', () => undefined);
  for (let piece = 0; piece < sent && !socket.destroyed; piece += 1) {
    await sleep(PIECE_MS);
    socket.write(PIECE);
  }
  return answer;
}

describe('a body that comes slowly', () => {
  it('is cut off when all of it takes too long', async () => {
    expect(await send('/', { pieces: 6, sent: 6 })).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is nobody’s to cut off where it came without a connection and was not read', async () => {
    const emit = vi.spyOn(app.server, 'emit');
    const { statusCode } = await app.inject({ method: 'POST', url: '/refused', payload: PIECE });
    await sleep(2 * PATIENCE.wholeMs);
    expect([statusCode, emit.mock.calls]).toEqual([401, []]);
    emit.mockRestore();
  });

  it('may take its time where files come, as long as something comes', async () => {
    expect(await send('/files', { pieces: 6, sent: 6 })).toMatch(/^HTTP\/1\.1 200 [\s\S]*"length":60/);
  });

  it('is cut off where files come, too, once nothing comes any more', async () => {
    expect(await send('/files', { pieces: 6, sent: 2 })).toMatch(/^HTTP\/1\.1 408 /);
  });
});
