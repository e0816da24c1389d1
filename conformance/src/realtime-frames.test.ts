import { afterEach, describe, expect, inject, test } from 'vitest';
import {
  encodeBroadcast,
  openRawSocket,
  type RawSocket,
  type Serializer,
  shakeHands,
} from './support/open-raw-socket.ts';
import { SOON } from './support/receive-changes.ts';
import { signToken } from './support/sign-token.ts';

const deployment = inject('deployment');
const SERIALIZERS: readonly Serializer[] = ['1.0.0', '2.0.0'];
const CONFIG = { broadcast: { ack: false, self: false }, presence: { key: '' }, postgres_changes: [] };

const open: RawSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

async function openSocket(serializer: Serializer = '2.0.0', apikey?: string): Promise<RawSocket> {
  const socket = await openRawSocket(deployment, serializer, apikey);
  open.push(socket);
  return socket;
}

async function join(socket: RawSocket, topic: string, config: object = {}, ref = '1') {
  socket.push({ topic, event: 'phx_join', payload: { config: { ...CONFIG, ...config } }, ref, joinRef: ref });
  return socket.replyTo(ref);
}

async function expectAlive(socket: RawSocket) {
  socket.push({ topic: 'phoenix', event: 'heartbeat', ref: 'vivo' });
  expect(await socket.replyTo('vivo')).toMatchObject({
    topic: 'phoenix',
    payload: { status: 'ok', response: {} },
  });
}

describe('the handshake', () => {
  test('is answered with the reason when the key is wrong', async () => {
    const expired = await signToken(deployment.dataFolder, { role: 'anon', exp: 1_000_000_000 });
    const endless = await signToken(deployment.dataFolder, { role: 'anon' });
    const nobody = await signToken(deployment.dataFolder, { exp: 4_000_000_000 });
    const postgres = await signToken(deployment.dataFolder, { role: 'postgres', exp: 4_000_000_000 });
    for (const key of ['', 'chave', expired, endless, nobody, postgres, `${deployment.anonKey}x`]) {
      const { status, body } = await shakeHands(deployment.url, `apikey=${key}&vsn=1.0.0`);
      expect([401, 403]).toContain(status);
      expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\S/) });
    }
    expect((await shakeHands(deployment.url, 'vsn=1.0.0')).status).toBeGreaterThanOrEqual(401);
  });

  test('succeeds with either key and either serializer, and with the serializer left out', async () => {
    for (const vsn of ['&vsn=1.0.0', '&vsn=2.0.0', ''])
      for (const key of [deployment.anonKey, deployment.serviceRoleKey])
        expect((await shakeHands(deployment.url, `apikey=${key}${vsn}`)).status).toBe(101);
  });

  test('refuses a serializer that does not exist, and plain requests', async () => {
    const { status } = await shakeHands(deployment.url, `apikey=${deployment.anonKey}&vsn=9.9.9`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    const plain = await fetch(`${deployment.url}/realtime/v1/websocket?apikey=${deployment.anonKey}`);
    expect(plain.status).toBeGreaterThanOrEqual(400);
    expect(plain.status).toBeLessThan(500);
  });
});

describe.each(SERIALIZERS)('with the serializer %s', (serializer) => {
  test('a heartbeat is answered with its reference', async () => {
    await expectAlive(await openSocket(serializer));
  });

  test('a channel is joined, left and closed with its references', async () => {
    const socket = await openSocket(serializer);
    const topic = `realtime:quadros ${serializer}`;
    expect(await join(socket, topic, { presence: { key: 'x', enabled: true } }, '7')).toMatchObject({
      topic,
      ref: '7',
      payload: { status: 'ok', response: { postgres_changes: [] } },
    });
    expect(await socket.find(({ event }) => event === 'presence_state')).toMatchObject({
      topic,
      payload: {},
    });
    socket.push({ topic, event: 'phx_leave', ref: '8', joinRef: '7' });
    expect(await socket.replyTo('8')).toMatchObject({ topic, payload: { status: 'ok', response: {} } });
    const closing = await socket.find(({ event }) => event === 'phx_close');
    expect(closing).toMatchObject({ topic, payload: {} });
    expect(closing.joinRef ?? closing.ref).toBe('7');
    await expectAlive(socket);
  });

  test('a channel is joined without any configuration', async () => {
    const socket = await openSocket(serializer);
    for (const [index, payload] of [{}, { config: {} }, { config: null }].entries()) {
      const ref = `${index + 1}`;
      socket.push({ topic: `realtime:nua ${index}`, event: 'phx_join', payload, ref, joinRef: ref });
      expect(await socket.replyTo(ref)).toMatchObject({ payload: { status: 'ok' } });
    }
  });

  test('requested changes come back as they were, each with a number, nothing added', async () => {
    const socket = await openSocket(serializer, deployment.serviceRoleKey);
    const requested = [
      { event: '*', schema: 'public', table: 'links' },
      { event: 'INSERT', schema: 'public', table: 'links', filter: 'title=eq.a' },
      { event: 'UPDATE', schema: '*' },
    ];
    const { payload } = await join(socket, 'realtime:pedidos', { postgres_changes: requested });
    const { postgres_changes } = (payload as { response: { postgres_changes: { id: number }[] } }).response;
    expect(postgres_changes.map(({ id: _, ...rest }) => rest)).toEqual(requested);
    const ids = postgres_changes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(Number.isSafeInteger(id) && id !== 0).toBe(true);
    expect(await socket.find(({ event }) => event === 'system')).toMatchObject({
      topic: 'realtime:pedidos',
      payload: {
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
        channel: 'pedidos',
      },
    });
  });

  test('joining a joined channel again closes the first joining, not the second', async () => {
    const socket = await openSocket(serializer);
    await join(socket, 'realtime:de novo', {}, '1');
    expect(await join(socket, 'realtime:de novo', { broadcast: { self: true } }, '2')).toMatchObject({
      payload: { status: 'ok' },
    });
    const closing = await socket.find(({ event }) => event === 'phx_close');
    expect(closing.joinRef ?? closing.ref).toBe('1');
    const payload = { type: 'broadcast', event: 'x', payload: { n: 1 } };
    socket.push({ topic: 'realtime:de novo', event: 'broadcast', payload, ref: '3', joinRef: '2' });
    await socket.find(({ event }) => event === 'broadcast');
    await expectAlive(socket);
    expect(socket.heard.filter(({ event }) => event === 'broadcast')).toHaveLength(1);
  });

  test.each(['', 'realtime:', 'quadro', 'phoenix'])('the topic %j is not joined', async (topic) => {
    const socket = await openSocket(serializer);
    socket.push({ topic, event: 'phx_join', payload: { config: CONFIG }, ref: '1', joinRef: '1' });
    expect(await socket.replyTo('1')).toMatchObject({
      payload: { status: 'error', response: { reason: expect.stringMatching(/\S/) } },
    });
    await expectAlive(socket);
  });

  test('a message to a channel that was not joined says so', async () => {
    const socket = await openSocket(serializer);
    const payload = { type: 'broadcast', event: 'x', payload: {} };
    socket.push({ topic: 'realtime:alheia', event: 'broadcast', payload, ref: '1', joinRef: '9' });
    expect(await socket.replyTo('1')).toMatchObject({
      payload: { status: 'error', response: { reason: 'unmatched topic' } },
    });
  });

  test('nonsense ends at most the connection that sent it', async () => {
    const witness = await openSocket(serializer);
    await join(witness, 'realtime:testemunha');
    const nonsense: (string | Uint8Array)[] = [
      '',
      'null',
      '7',
      '"x"',
      '{',
      '[]',
      '{}',
      '[1,2,3]',
      '[null,null,null,null,null]',
      '["1","1","realtime:a","phx_join",null]',
      '["1","1","realtime:b","phx_join",{"config":{"postgres_changes":{"a":1}}}]',
      '["1","1","realtime:c","phx_join",{"config":{"postgres_changes":[7,null,{"event":7}]}}]',
      '["1","1","realtime:d","phx_join",{"config":{"broadcast":7,"presence":"x","private":"y"}}]',
      '{"topic":"realtime:e","event":"phx_join","payload":[],"ref":1,"join_ref":{}}',
      `["1","1","realtime:${'x'.repeat(10_000)}","phx_join",{}]`,
      `${'['.repeat(50_000)}`,
      '["1","1","__proto__","__proto__",{"__proto__":{"a":1}}]',
      '["1","2","phoenix","phx_leave",{}]',
      '["1","2","phoenix","nada",{}]',
      new Uint8Array(),
      new Uint8Array([3]),
      new Uint8Array([3, 255, 255, 255, 255, 255, 1]),
      new Uint8Array([9, 1, 2, 3]),
      new Uint8Array([3, 0, 0, 0, 0, 0, 1, 123]),
      encodeBroadcast({ topic: 'realtime:testemunha', event: 'x', payload: '{"quebrado' }),
    ];
    for (const frame of nonsense) {
      const socket = await openSocket(serializer);
      socket.sendRaw(frame);
    }
    await expectAlive(witness);
    expect((await fetch(`${deployment.url}/health`)).status).toBe(200);
    expect(witness.heard.filter(({ event }) => event === 'broadcast')).toEqual([]);
  });

  test('a frame of ten megabytes ends the connection', async () => {
    const socket = await openSocket(serializer);
    socket.sendRaw(`["1","1","realtime:a","phx_join",{"x":"${'x'.repeat(10_000_000)}"}]`);
    expect(await socket.closed).toBeGreaterThanOrEqual(1000);
  });

  test('a hundred channels share a socket, the next is refused, and leaving makes room', async () => {
    const socket = await openSocket(serializer);
    for (let n = 1; n <= 100; n += 1) {
      const ref = `${n}`;
      socket.push({ topic: `realtime:n ${n}`, event: 'phx_join', payload: {}, ref, joinRef: ref });
    }
    for (let n = 1; n <= 100; n += 1)
      expect(await socket.replyTo(`${n}`)).toMatchObject({ payload: { status: 'ok' } });
    expect(await join(socket, 'realtime:n 101', {}, '101')).toMatchObject({
      payload: { status: 'error', response: { reason: 'ChannelRateLimitReached: Too many channels' } },
    });
    socket.push({ topic: 'realtime:n 1', event: 'phx_leave', ref: '102', joinRef: '1' });
    await socket.replyTo('102');
    expect(await join(socket, 'realtime:n 101', {}, '103')).toMatchObject({ payload: { status: 'ok' } });
  });
});

describe('the two serializers', () => {
  test('translate broadcasts for each other, bytes for those alone who can take them', async () => {
    const [older, newer] = [await openSocket('1.0.0'), await openSocket('2.0.0')];
    for (const socket of [older, newer]) await join(socket, 'realtime:ponte', { broadcast: { self: true } });
    newer.sendRaw(
      encodeBroadcast({
        topic: 'realtime:ponte',
        event: 'novo',
        payload: '{"n":[1]}',
        ref: '2',
        joinRef: '1',
      }),
    );
    const bytes = new Uint8Array([1, 0, 255]);
    newer.sendRaw(
      encodeBroadcast({ topic: 'realtime:ponte', event: 'bytes', payload: bytes, ref: '3', joinRef: '1' }),
    );
    await newer.find(({ payload }) => payload['event'] === 'bytes');
    const payload = { type: 'broadcast', event: 'velho', payload: { n: [2] } };
    older.push({ topic: 'realtime:ponte', event: 'broadcast', payload, ref: '2', joinRef: '1' });
    for (const socket of [older, newer]) await socket.find((frame) => frame.payload['event'] === 'velho');
    const heardBy = (socket: RawSocket) =>
      socket.heard
        .filter(({ event }) => event === 'broadcast')
        .map(({ payload: { type: _, ...rest } }) => rest);
    const [novo, velho] = [
      { event: 'novo', payload: { n: [1] } },
      { event: 'velho', payload: { n: [2] } },
    ];
    expect(heardBy(older)).toMatchObject([novo, velho]);
    expect(heardBy(newer)).toMatchObject([novo, { event: 'bytes', payload: bytes }, velho]);
    expect(newer.heard.find((frame) => frame.payload['event'] === 'novo')?.isBinary).toBe(true);
  });
});

describe('messages without end', () => {
  test('stop the channel that sends them, not its neighbours', async () => {
    const [flooder, witness] = [await openSocket(), await openSocket()];
    await join(flooder, 'realtime:enchente');
    await join(witness, 'realtime:calma', { broadcast: { self: true } });
    const frame = encodeBroadcast({
      topic: 'realtime:enchente',
      event: 'x',
      payload: '{}',
      ref: '2',
      joinRef: '1',
    });
    for (let n = 0; n < 5_000; n += 1) flooder.sendRaw(frame);
    await expect
      .poll(
        () =>
          !flooder.isOpen() || flooder.heard.some(({ event }) => ['phx_error', 'phx_close'].includes(event)),
        SOON,
      )
      .toBe(true);
    witness.sendRaw(
      encodeBroadcast({ topic: 'realtime:calma', event: 'y', payload: '{}', ref: '2', joinRef: '1' }),
    );
    await witness.find(({ event }) => event === 'broadcast');
  });
});
