import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodePush, openSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
beforeAll(async () => {
  server = await startRealtime({ limits: { broadcastBytes: 200_000 } });
});
afterAll(() => server.app.close());

const HANDSHAKE = [
  'Host: x',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** A client below any library: it sends what it is told and reads only when asked. */
function dial({ port }: StartedRealtime, path: string, headers: readonly string[] = HANDSHAKE): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write([`GET ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  return socket;
}

async function readAnswer(socket: Socket): Promise<{ readonly status: number; readonly body: string }> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await new Promise((resolve) => socket.on('close', resolve).on('end', () => socket.end()));
  return { status: Number(text.split(' ')[1]), body: text.slice(text.indexOf('\r\n\r\n') + 4) };
}

describe('a handshake', () => {
  const WEBSOCKET = '/realtime/v1/websocket';
  const key = () => server.keyring.anonKey;

  test.each([
    ['without a key', async () => `${WEBSOCKET}?vsn=2.0.0`, 401, 'Missing API key'],
    ['with an empty key', async () => `${WEBSOCKET}?apikey=&vsn=2.0.0`, 401, 'Missing API key'],
    [
      'with no token of anybody',
      async () => `${WEBSOCKET}?apikey=abc&vsn=2.0.0`,
      401,
      'MalformedJWT: The token provided is not a valid JWT',
    ],
    [
      'with a token of somebody else',
      async () => `${WEBSOCKET}?apikey=${key().slice(0, -6)}AAAAAA&vsn=2.0.0`,
      401,
      'JwtSignatureError: Failed to validate JWT signature',
    ],
    [
      'with an expired token',
      async () => `${WEBSOCKET}?apikey=${await server.signIn('maria', -5)}&vsn=2.0.0`,
      401,
      'InvalidJWTToken: Token has expired',
    ],
    [
      'with a token without a role',
      async () => `${WEBSOCKET}?apikey=${await server.keyring.signAccessToken({ exp: 4e9 })}&vsn=2.0.0`,
      401,
      'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
    ],
    [
      'with a role that is not for clients',
      async () =>
        `${WEBSOCKET}?apikey=${await server.keyring.signAccessToken({ role: 'postgres', exp: 4e9 })}&vsn=2.0.0`,
      403,
      'Unauthorized: The role of the token may not be used here',
    ],
    [
      'of a serializer nobody knows',
      async () => `${WEBSOCKET}?apikey=${key()}&vsn=3.0.0`,
      400,
      'Unsupported serializer version',
    ],
    [
      'of a serializer that is none',
      async () => `${WEBSOCKET}?apikey=${key()}&vsn=2.0.0%0d%0a`,
      400,
      'Unsupported serializer version',
    ],
    ['at another address', async () => `/realtime/v1/socket?apikey=${key()}&vsn=2.0.0`, 404, 'Not found'],
  ])('%s is refused', async (_name, path, status, error) => {
    const answer = await readAnswer(dial(server, await path()));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { error }]);
  });

  test.each([
    ['1.0.0 by default', () => ''],
    ['the key of the operator', () => `&apikey2=x`],
  ])('is taken with %s', async (_name, extra) => {
    const socket = dial(
      server,
      `${WEBSOCKET}?apikey=${server.keyring.serviceRoleKey}${extra()}&log_level=info`,
    );
    const [chunk] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data])))) as [
      Buffer,
    ];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });

  test('takes a person’s token as the key, and the key in a header', async () => {
    const byToken = await openSocket(server, { key: await server.signIn('maria') });
    expect((await byToken.join('realtime:a')).payload.status).toBe('ok');
    byToken.close();
    const byHeader = await openSocket(server, { key: '', headers: { 'x-api-key': key() } });
    expect((await byHeader.join('realtime:a')).payload.status).toBe('ok');
    byHeader.close();
  });

  test('that is broken below is refused without harm', async () => {
    const path = `${WEBSOCKET}?apikey=${key()}&vsn=2.0.0`;
    const broken = HANDSHAKE.filter((line) => !line.startsWith('Sec-WebSocket-Key'));
    expect((await readAnswer(dial(server, path, broken))).status).toBe(400);
  });

  test('is asked for when somebody comes without', async () => {
    const answer = await server.app.inject({ url: WEBSOCKET });
    expect([answer.statusCode, answer.headers['upgrade']]).toEqual([426, 'websocket']);
  });

  test('is refused when there are as many sockets as allowed', async () => {
    const small = await startRealtime({ limits: { sockets: 1 } });
    const first = await openSocket(small);
    const answer = await readAnswer(dial(small, `${WEBSOCKET}?apikey=${small.keyring.anonKey}&vsn=2.0.0`));
    expect([answer.status, answer.body]).toEqual([
      429,
      '{"error":"ConnectionRateLimitReached: Too many connected users"}',
    ]);
    first.close();
    await small.app.close();
  });
});

describe('a message that is none closes its socket, and harms nobody else', () => {
  const frame = (...bytes: number[]) => Buffer.from(bytes);
  const NEWER: readonly (readonly [string, string | Buffer])[] = [
    ['nothing', ''],
    ['half of JSON', '[1,'],
    ['an object', '{"topic":"realtime:a","event":"phx_join","payload":{},"ref":"1"}'],
    ['a short array', '["1","1","realtime:a","phx_join"]'],
    ['a topic that is no text', '["1","1",7,"phx_join",{}]'],
    ['an event that is no text', '["1","1","realtime:a",null,{}]'],
    ['a reference that is a list', '[[],"1","realtime:a","phx_join",{}]'],
    ['a reference that is endless', `["1","${'1'.repeat(300)}","realtime:a","phx_join",{}]`],
    ['a topic that is endless', `["1","1","realtime:${'a'.repeat(1_100)}","phx_join",{}]`],
    ['deep nesting', `["1","1","realtime:a","phx_join",${'['.repeat(100_000)}`],
    ['no bytes', frame()],
    ['an unknown kind', frame(9, 0, 0, 0, 0, 0, 0)],
    ['a kind of the server', frame(4, 0, 0, 0, 0, 0, 0)],
    ['a short header', frame(3, 0, 0)],
    ['a length beyond the end', frame(3, 0, 0, 200, 0, 0, 1, 65)],
    ['an unknown encoding', frame(3, 0, 0, 0, 0, 0, 2)],
    ['a name that is not UTF-8', frame(3, 0, 0, 2, 0, 0, 1, 0xff, 0xfe)],
  ];
  test.each(NEWER)('to 2.0.0: %s', async (_name, message) => {
    const socket = await openSocket(server);
    socket.ws.send(message, { binary: Buffer.isBuffer(message) });
    expect(await socket.closed()).toEqual({ code: 1008, reason: 'malformed message' });
  });

  test.each([
    ['an array', '["1","1","realtime:a","phx_join",{}]'],
    ['null', 'null'],
    ['a binary frame', encodePush({ topic: 'realtime:a', event: 'x', payload: {} })],
  ])('to 1.0.0: %s', async (_name, message) => {
    const socket = await openSocket(server, { vsn: '1.0.0' });
    socket.ws.send(message, { binary: Buffer.isBuffer(message) });
    expect((await socket.closed()).code).toBe(1008);
  });

  test('one larger than a broadcast may be', async () => {
    const socket = await openSocket(server);
    socket.ws.send('x'.repeat(300_000));
    expect((await socket.closed()).code).toBe(1009);
  });

  test('random bytes', async () => {
    const bystander = await openSocket(server);
    await bystander.join('realtime:a');
    await Promise.all(
      [...Array(60).keys()].map(async (length) => {
        const socket = await openSocket(server);
        const bytes = Buffer.from(
          Array.from({ length }, (_unused, index) => (index * 89 + length * 37) % 256),
        );
        bytes[0] = 3;
        socket.ws.send(bytes);
        // It is cut off, or goes on.
        await Promise.race([socket.closed(), socket.reply(socket.send('phoenix', 'heartbeat'))]);
        socket.close();
      }),
    );
    expect((await bystander.reply(bystander.send('phoenix', 'heartbeat'))).payload.status).toBe('ok');
    bystander.close();
  });

  test('a reference may be a number or nothing, and comes back as it was', async () => {
    const socket = await openSocket(server);
    socket.ws.send('[null,7,"realtime:a","phx_join",{},"more"]');
    expect(await socket.event('phx_reply')).toMatchObject({
      ref: 7,
      joinRef: null,
      payload: { status: 'ok' },
    });
    socket.ws.send('[null,null,"phoenix","heartbeat",null]');
    expect(await socket.event('phx_reply')).toMatchObject({ ref: null, payload: { status: 'ok' } });
    socket.close();
  });
});

describe('a client that is not there any more', () => {
  let strict: StartedRealtime;
  afterEach(() => strict.app.close());
  const count = async (name: string) =>
    Number(
      new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\d+)$`, 'm').exec(await strict.metrics.metrics())?.[1],
    );
  const until = (isTrue: () => Promise<boolean>) => expect.poll(isTrue).toBe(true);

  test('is cut off when it says nothing for too long, and one that sends heartbeats is not', async () => {
    strict = await startRealtime({ limits: { silenceMs: 6_000, sweepMs: 20 } });
    const [silent, alive] = [await openSocket(strict), await openSocket(strict)];
    // Far more often than it must: a busy machine sends late.
    const beats = setInterval(() => alive.send('phoenix', 'heartbeat'), 100);
    expect((await silent.closed()).code).toBe(1006);
    await sleep(300);
    expect(alive.ws.readyState).toBe(alive.ws.OPEN);
    clearInterval(beats);
    expect(await count('linkoteca_realtime_cut_off_total{reason="silence"}')).toBe(1);
    alive.close();
  });

  test.each([
    ['when far too much waits for it', { maxBacklogBytes: 3_000_000 }, 'backlog', 200],
    ['when much waits for it and it takes none', { backlogBytes: 1_000_000, backlogMs: 200 }, 'backlog', 140],
    ['when it takes nothing for too long', { stallMs: 200 }, 'stall', 140],
  ])('is cut off %s, while the others get everything in time', async (_name, limits, reason, messages) => {
    strict = await startRealtime({ limits: { ...limits, sweepMs: 20, silenceMs: 60_000 } });
    const path = `/realtime/v1/websocket?apikey=${strict.keyring.anonKey}&vsn=2.0.0`;
    const stuck = dial(strict, path);
    await new Promise((resolve) => stuck.once('data', resolve));
    stuck.pause();
    stuck.write(maskFrame('["1","1","realtime:a","phx_join",{}]'));
    await until(async () => (await count('linkoteca_realtime_channels')) === 1);
    const [sender, reader] = [await openSocket(strict), await openSocket(strict)];
    await sender.join('realtime:a', { broadcast: { ack: true } });
    await reader.join('realtime:a');
    const payload = { event: 'x', payload: { text: 'x'.repeat(100_000) } };
    const slowest = { ms: 0 };
    for (let sent = 0; sent < messages; sent += 1) {
      const at = performance.now();
      sender.send('realtime:a', 'broadcast', payload);
      await reader.event('broadcast');
      slowest.ms = Math.max(slowest.ms, performance.now() - at);
    }
    await until(async () => (await count(`linkoteca_realtime_cut_off_total{reason="${reason}"}`)) === 1);
    await until(async () => (await count('linkoteca_realtime_sockets')) === 2);
    // Whoever waited for the stuck one would wait for ever.
    expect(slowest.ms).toBeLessThan(10_000);
    for (const socket of [sender, reader]) expect(socket.ws.readyState).toBe(socket.ws.OPEN);
    stuck.destroy();
    sender.close();
    reader.close();
  });
});

describe('the stop of the server', () => {
  test('says goodbye to every client, ends the stuck ones, and does not wait', async () => {
    const stopping = await startRealtime();
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(stopping)));
    for (const socket of sockets) await socket.join('realtime:a');
    const stuck = dial(stopping, `/realtime/v1/websocket?apikey=${stopping.keyring.anonKey}`);
    await new Promise((resolve) => stuck.once('data', resolve));
    stuck.pause();
    const at = performance.now();
    await stopping.app.close();
    // The stuck one would take for ever.
    expect(performance.now() - at).toBeLessThan(10_000);
    for (const socket of sockets)
      expect(await socket.closed()).toEqual({ code: 1012, reason: 'Realtime is restarting, please standby' });
    expect(await stopping.metrics.metrics()).toContain('linkoteca_realtime_channels 0');
    stuck.destroy();
  });
});

/** A text frame as a client must send it: masked, here with zeros. */
function maskFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}
