import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';

let functions: TestFunctions;
beforeAll(async () => {
  functions = await startFunctions();
  // The process of the function is there before anybody is measured.
  await call('nobody');
});
afterAll(() => functions.stop());

/** Calls of `narrow` that name this address end when it answers. */
const held: ServerResponse[] = [];
const holder = createServer((_request, response) => held.push(response));
let until: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  until = `http://127.0.0.1:${(holder.address() as AddressInfo).port}`;
});
afterAll(() => holder.close());
const release = () => {
  for (const response of held.splice(0)) response.end();
};

async function call(sub: string, query = '', body = 'oi') {
  const headers = await functions.authorize(sub);
  const response = await fetch(`${functions.url}/narrow${query}`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}
const holdPlace = (sub: string) => call(sub, `?until=${until}`);

describe('a body that does not come', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function begin(sub: string, first: string, length: string) {
    const { hostname, port } = new URL(functions.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    const { authorization } = await functions.authorize(sub);
    const head = ['POST /functions/v1/narrow HTTP/1.1', 'Host: x', `Authorization: ${authorization}`, length];
    await new Promise<void>((resolve) =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${first}`, () => resolve()),
    );
  }

  test.each([
    ['of a stated length', 'Content-Length: 100', 'a'],
    ['of an open length', 'Transfer-Encoding: chunked', '1\r\na\r\n'],
    ['larger than what is held', 'Content-Length: 1000000', 'a'.repeat(300_000)],
  ])('%s keeps nobody from their turn, however often', async (_what, length, first) => {
    for (let each = 0; each < 33; each += 1) await begin(`attacker ${each % 2}`, first, length);
    // Beyond the time in which a body counts as one that comes at once.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const startedAt = performance.now();
    for (const sub of ['attacker 0', 'maria'])
      expect(await call(sub)).toEqual({ status: 200, text: 'pronto: POST oi' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('a caller', () => {
  let calls: Promise<{ readonly status: number }>[];
  beforeEach(() => {
    calls = [];
  });
  afterEach(async () => {
    const over = Promise.all(calls);
    const timer = setInterval(release, 20);
    await over;
    clearInterval(timer);
  });

  test('who sends call upon call gets half of the places, and the others get the rest', async () => {
    calls = [holdPlace('attacker'), holdPlace('attacker')];
    await eventually(() => expect(held).toHaveLength(1));
    expect((await call('attacker')).status).toBe(429);
    expect((await call('maria')).status).toBe(200);
    expect(held).toHaveLength(1);
  });

  test('who waits is passed by whoever has a place of their own', async () => {
    calls = [holdPlace('attacker'), holdPlace('attacker')];
    await eventually(() => expect(held).toHaveLength(1));
    calls.push(holdPlace('joana'));
    await eventually(() => expect(held).toHaveLength(2));
    const maria = call('maria');
    // The second one of the attacker came first, and has to wait for the first.
    held.pop()?.end();
    expect((await maria).status).toBe(200);
  });

  test('without a token is a visitor of their network, and so is a preflight', async () => {
    const preflight = (query = '') => fetch(`${functions.url}/narrow${query}`, { method: 'OPTIONS' });
    calls = [preflight(`?until=${until}`), preflight(`?until=${until}`)];
    await eventually(() => expect(held).toHaveLength(1));
    expect((await preflight()).status).toBe(429);
    expect((await call('maria')).status).toBe(200);
  });
});
