import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BodyTimeout, registerBodyTimeout } from './body-timeout.ts';

/** Six pieces take twice the time for all of it. Nothing else waits so long. */
const PATIENCE = { wholeMs: 617, pauseMs: 617 };
const PIECE_MS = 200;
/** Where nothing may be cut off, a busy machine sends late: each piece takes a fifth of what a pause may, and six take longer than all may. */
const LONG_PATIENCE = { wholeMs: 3_000, pauseMs: 3_000 };
const LONG_PIECE_MS = 600;
const PIECE = 'x'.repeat(10);
const app = createApp(PATIENCE);
const patientApp = createApp(LONG_PATIENCE);

function createApp(patience: BodyTimeout) {
  const app = Fastify();
  registerBodyTimeout(app, patience);
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const echo = async ({ body }: { body: unknown }) => ({ length: String(body).length });
  app.post('/', echo);
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send() }, echo);
  app.get('/bodyless', echo);
  app.post('/bodyless', echo);
  app.post(
    '/later',
    { preParsing: async (_request, _reply, payload) => sleep(1.5 * patience.wholeMs).then(() => payload) },
    echo,
  );
  app.post('/files', { config: { takesFiles: true } }, echo);
  return app;
}

beforeAll(() => Promise.all([app, patientApp].map((each) => each.listen({ port: 0, host: '127.0.0.1' }))));
afterAll(() => Promise.all([app, patientApp].map((each) => each.close())));

type Sending = { pieces: number; sent: number; chunked?: boolean; isPatient?: boolean };

/** Announces `pieces` pieces and sends `sent` of them, one after the other. */
async function send(
  path: string,
  { pieces, sent, chunked = false, isPatient = false }: Sending,
): Promise<string> {
  const { server } = isPatient ? patientApp : app;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  // The next piece may meet a connection that is closed by then: what was answered before stands.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${pieces * PIECE.length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n${length}\r\n\r\n`,
  );
  for (let piece = 0; piece < sent && !socket.destroyed; piece += 1) {
    await sleep(isPatient ? LONG_PIECE_MS : PIECE_MS);
    socket.write(chunked ? `a\r\n${PIECE}\r\n` : PIECE);
  }
  await closed;
  return answer;
}

/** Counts the timers that wait as long as a body may take: other timers of this process are of no concern. */
function countWatches(): () => { begun: number; running: number } {
  const begun = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const ended = [vi.spyOn(globalThis, 'clearTimeout'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => {
    for (const spy of [...begun, ...ended]) spy.mockRestore();
  });
  return () => {
    const cleared = new Set(ended.flatMap(({ mock }) => mock.calls.map(([timer]) => timer)));
    const timers = begun.flatMap(({ mock }) =>
      mock.results
        .filter((_, index) => mock.calls[index]?.[1] === PATIENCE.wholeMs)
        .map(({ value }) => value as NodeJS.Timeout),
    );
    return { begun: timers.length, running: timers.filter((timer) => !cleared.has(timer)).length };
  };
}

describe('a body that comes slowly', () => {
  it('is cut off when all of it takes too long', async () => {
    expect(await send('/', { pieces: 6, sent: 6 })).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is cut off as well where its length was not said', async () => {
    expect(await send('/', { pieces: 6, sent: 6, chunked: true })).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is not cut off once it is here, however long it waits to be read', async () => {
    expect(await send('/later', { pieces: 1, sent: 1, isPatient: true })).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*"length":10/,
    );
  });

  it('is watched no longer than it comes', async () => {
    const watches = countWatches();
    for (const url of ['/', '/files']) {
      const headers = { 'content-type': 'text/plain' };
      expect((await app.inject({ method: 'POST', url, headers, payload: PIECE })).statusCode).toBe(200);
    }
    expect(watches()).toEqual({ begun: 2, running: 0 });
  });

  it('is not watched for where none was said to come', async () => {
    const watches = countWatches();
    for (const method of ['GET', 'POST'] as const)
      expect((await app.inject({ method, url: '/bodyless' })).statusCode).toBe(200);
    expect(watches()).toEqual({ begun: 0, running: 0 });
  });

  it('is nobody’s to cut off where it came without a connection and was not read', async () => {
    const emit = vi.spyOn(app.server, 'emit');
    const { statusCode } = await app.inject({ method: 'POST', url: '/refused', payload: PIECE });
    await sleep(2 * PATIENCE.wholeMs);
    expect([statusCode, emit.mock.calls]).toEqual([401, []]);
    emit.mockRestore();
  });

  it('may take its time where files come, as long as something comes', async () => {
    expect(await send('/files', { pieces: 6, sent: 6, isPatient: true })).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*"length":60/,
    );
  });

  it('is cut off where files come, too, once nothing comes any more', async () => {
    expect(await send('/files', { pieces: 6, sent: 2 })).toMatch(/^HTTP\/1\.1 408 /);
  });
});
