import { connect } from 'node:net';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';

let functions: TestFunctions;
beforeAll(async () => {
  functions = await startFunctions();
});
afterAll(() => functions.stop());

type Call = { readonly sent: number; readonly cancelled: boolean; readonly aborted: boolean };

let calls = 0;
/** Each call has a name of its own: what became of an earlier one of the same kind must not be taken for it. */
function call(kind: string, init: RequestInit = {}): Promise<Response> {
  calls += 1;
  return fetch(`${functions.url}/streams/${kind}?call=${calls}`, init);
}
/** What the function knows of the call made last; null until it has arrived. */
const last = async (): Promise<Call | null> =>
  (await fetch(`${functions.url}/streams/last?call=${calls}`)).json();
const MEBIBYTE = 1_048_576;

describe('a stream', () => {
  test('flows in and out at once: what is sent comes back before more is sent', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const send = (text: string) => writer.write(new TextEncoder().encode(text));
    const asked = call('upper', { method: 'POST', body: readable, duplex: 'half' } as RequestInit);
    void send('um');
    const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('UM');
    void send('dois');
    expect((await reader?.read())?.value).toBe('DOIS');
    void writer.close();
    expect((await reader?.read())?.done).toBe(true);
  });

  test('of events arrives event by event, its head before the first', async () => {
    const response = await call('ticks');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^data: 1\n\n/);
    await reader?.cancel();
    await eventually(async () => expect(await last()).toMatchObject({ cancelled: true, aborted: true }));
  });

  test('is made no faster than it is read', async () => {
    const response = await call('endless');
    const sent: number[] = [];
    const rests = async () => {
      sent.push((await last())?.sent ?? 0);
      return sent.length > 3 && new Set(sent.slice(-3)).size === 1;
    };
    await expect.poll(rests, { interval: 50 }).toBe(true);
    expect(sent.at(-1)).toBeGreaterThan(0);
    expect(sent.at(-1)).toBeLessThan(16 * MEBIBYTE);
    await response.body?.cancel();
    await eventually(async () => expect((await last())?.cancelled).toBe(true));
  });

  test('that breaks is cut off, so that nobody takes a part for the whole', async () => {
    const response = await call('broken');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await eventually(() =>
      expect(functions.logged.at(-1)).toMatchObject({
        message: 'function failed',
        failure: { message: 'o fim não veio' },
      }),
    );
  });

  test('of many bytes is counted to the last', async () => {
    const body = new Blob([new Uint8Array(8 * MEBIBYTE)]).stream();
    const response = await call('count', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await response.json()).toEqual({ bytes: 8 * MEBIBYTE });
  });

  test('that a function does not read costs it nothing', async () => {
    const response = await call('unread', { method: 'POST', body: new Uint8Array(4 * MEBIBYTE) });
    expect([response.status, await response.text()]).toEqual([200, 'sem ler']);
    expect(await (await call('upper', { method: 'POST', body: 'de novo' })).text()).toBe('DE NOVO');
  });
});

describe('the bytes of a call reach no other call', () => {
  /** Sends bytes that no client would, and waits for the whole answer. @returns its first line */
  async function sendBytes(kind: string, method: string, length: number, body: string | Uint8Array) {
    const { hostname, port } = new URL(functions.url);
    const socket = connect(Number(port), hostname);
    const head = [`${method} /functions/v1/streams/${kind} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      answer += chunk;
      if (answer.endsWith('\r\n0\r\n\r\n')) break;
    }
    return answer.split('\r\n', 1)[0];
  }
  const OK = 'HTTP/1.1 200 OK';
  const upper = async (body: string) => (await call('upper', { method: 'POST', body })).text();

  test.each([
    ['GET', 5, '12345'],
    ['GET', 1_000_000, ''],
    ['GET', 5, '1'],
  ])('of %s with a length of %i and the body "%s"', async (method, length, body) => {
    expect(await sendBytes('unread', method, length, body)).toBe(OK);
    expect(await upper('inteiro')).toBe('INTEIRO');
  });

  test('of a body that would be a call by itself, behind a length without its bytes', async () => {
    // About as long as the head of the next call: what is over or under is blank lines.
    expect(await sendBytes('unread', 'GET', 500, '')).toBe(OK);
    const hidden = `${'\r\n'.repeat(400)}GET /streams/unread?call=hidden HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect((await upper(hidden)).trim()).toBe(hidden.trim().toUpperCase());
    expect(await (await fetch(`${functions.url}/streams/last?call=hidden`)).json()).toBeNull();
  });

  // More than a function takes in unasked, and less than its connection holds besides.
  test.each([210_000, 240_000])('of %i bytes that nobody has read', async (bytes) => {
    const body = new Uint8Array(bytes);
    expect(await sendBytes('unread', 'POST', bytes, body)).toBe(OK);
    expect(await upper('de novo')).toBe('DE NOVO');
  });

  test('of an answer that is longer than it says', async () => {
    expect(await (await call('overlong')).text()).toBe('curto');
    expect(await upper('próprio')).toBe('PRÓPRIO');
    expect(await upper('de novo')).toBe('DE NOVO');
  });
});

describe('a caller who hangs up', () => {
  test('is noticed by a function that has not answered yet', async () => {
    const leaving = new AbortController();
    const asked = call('silent', { signal: leaving.signal });
    await eventually(async () => expect(await last()).not.toBeNull());
    // Nobody but the connection knows of the call any more.
    await fetch(`${functions.url}/streams/collect`);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await eventually(async () => expect((await last())?.aborted).toBe(true));
  });

  test('in the middle of sending is noticed as well', async () => {
    const leaving = new AbortController();
    const body = new ReadableStream({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.enqueue(new Uint8Array(100));
      },
    });
    const asked = call('count', {
      method: 'POST',
      body,
      duplex: 'half',
      signal: leaving.signal,
    } as RequestInit);
    await eventually(async () => expect(await last()).not.toBeNull());
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await eventually(async () => expect((await last())?.aborted).toBe(true));
    expect((await call('unread')).status).toBe(200);
  });
});

describe('what a function prints', () => {
  test('becomes lines of the log, with function, call and level, and without secrets', async () => {
    const before = functions.logged.length;
    const authorization = `Bearer ${functions.keyring.serviceRoleKey}`;
    await fetch(`${functions.url}/prints`, { headers: { authorization } });
    await eventually(() => expect(functions.logged.at(-1)?.message).toBe('depois da resposta'));
    const lines = functions.logged.slice(before);
    const all = { function: 'prints', reqId: expect.stringMatching(/^req-/) };
    expect(lines).toEqual([
      { ...all, level: 'info', message: 'um 2 { a: [ 3 ] } fim' },
      { ...all, level: 'info', message: 'visita', details: { host: 'exemplo.com', token: 'segredo' } },
      { ...all, level: 'warn', message: 'a chave é [redacted]' },
      {
        ...all,
        level: 'error',
        message: 'falhou TypeError: o motivo',
        failure: { name: 'TypeError', message: 'o motivo', stack: expect.any(String) },
      },
      { ...all, level: 'debug', message: 'Bearer [redacted]' },
      { ...all, level: 'info', message: 'direto' },
      { ...all, level: 'info', message: 'depois da resposta' },
    ]);
  });
});
