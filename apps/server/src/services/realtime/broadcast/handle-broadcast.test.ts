import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let older: TestSocket;
let newer: TestSocket;
beforeAll(async () => {
  server = await startRealtime({ limits: { broadcastBytes: 2_000 } });
});
afterAll(() => server.app.close());
beforeEach(async () => {
  older = await openSocket(server, { vsn: '1.0.0' });
  newer = await openSocket(server, { vsn: '2.0.0' });
  return () => {
    older.close();
    newer.close();
  };
});

const TOPIC = 'realtime:ação ✓';
const joinBoth = (config: object = {}) =>
  Promise.all([older, newer].map((socket) => socket.join(TOPIC, { broadcast: config })));
const payloads = async (socket: TestSocket) =>
  (await socket.receivedEvents('broadcast')).map(({ payload }) => payload);

describe('a broadcast', () => {
  test('as JSON goes to sockets of both serializers as it came, whatever it contains, and not to its sender', async () => {
    await joinBoth();
    const message = {
      type: 'broadcast',
      event: 'olá "mundo"',
      payload: { a: [1, null, { b: 'ç' }], __proto__: { x: 1 } },
      extra: 'fica',
    };
    older.send(TOPIC, 'broadcast', message);
    newer.send(TOPIC, 'broadcast', { ...message, event: 'dois' });
    expect(await payloads(newer)).toEqual([message]);
    expect(await payloads(older)).toEqual([{ ...message, event: 'dois' }]);
    expect((await newer.receivedEvents('broadcast'))[0]).toMatchObject({
      topic: TOPIC,
      joinRef: null,
      ref: null,
    });
  });

  test('in the binary form goes on in it, and is taken apart for older sockets', async () => {
    await joinBoth();
    const other = await openSocket(server);
    await other.join(TOPIC);
    newer.sendBinary(TOPIC, 'ç', { big: 1, text: 'ã' }, '{"persist":true}');
    const body = { type: 'broadcast', event: 'ç', payload: { big: 1, text: 'ã' } };
    expect((await other.receivedEvents('broadcast'))[0]).toMatchObject({ isBinary: true, payload: body });
    expect(await payloads(older)).toEqual([body]);
    expect(await payloads(newer)).toEqual([]);
    other.close();
  });

  test('of raw bytes goes to newer sockets alone', async () => {
    await joinBoth({ self: true });
    newer.sendBinary(TOPIC, 'bytes', Buffer.from([0, 1, 254, 255]));
    newer.sendBinary(TOPIC, 'nada', Buffer.alloc(0));
    const receivedEvents = await payloads(newer);
    expect(receivedEvents.map(({ event, payload }) => [event, [...payload]])).toEqual([
      ['bytes', [0, 1, 254, 255]],
      ['nada', []],
    ]);
    expect(await payloads(older)).toEqual([]);
  });

  test('of which a name is too long for a binary frame goes as text', async () => {
    const topic = `realtime:${'x'.repeat(300)}`;
    await newer.join(topic, { broadcast: { self: true } });
    newer.send(topic, 'broadcast', { type: 'broadcast', event: 'e', payload: { a: 1 } });
    expect(await payloads(newer)).toEqual([{ type: 'broadcast', event: 'e', payload: { a: 1 } }]);
  });

  test('reaches its own sender with `self`, and is answered with `ack` alone', async () => {
    await newer.join(TOPIC, { broadcast: { self: true, ack: true } });
    await older.join(TOPIC, { broadcast: { self: false, ack: false } });
    const acknowledged = await newer.reply(newer.send(TOPIC, 'broadcast', { event: 'a', payload: {} }));
    expect(acknowledged.payload).toEqual({ status: 'ok', response: {} });
    const silent = older.send(TOPIC, 'broadcast', { event: 'b', payload: {} });
    expect((await payloads(newer)).map(({ event }) => event)).toEqual(['a', 'b']);
    expect((await older.receivedEvents('phx_reply')).some(({ ref }) => ref === silent)).toBe(false);
  });

  test('reaches nobody in another topic, and nobody who has left', async () => {
    await joinBoth();
    await older.join('realtime:outra');
    await older.reply(older.send(TOPIC, 'phx_leave'));
    newer.send(TOPIC, 'broadcast', { event: 'x', payload: {} });
    await newer.receivedEvents('x');
    expect(await payloads(older)).toEqual([]);
  });

  test('that is too large is refused where an answer was asked for, and goes nowhere', async () => {
    await joinBoth({ ack: true });
    const large = { event: 'x', payload: { text: 'x'.repeat(2_100) } };
    const reply = await newer.reply(newer.send(TOPIC, 'broadcast', large));
    expect(reply.payload).toEqual({ status: 'error', response: { reason: 'Payload size exceeded' } });
    newer.sendBinary(TOPIC, 'x', Buffer.alloc(2_001));
    newer.sendBinary(TOPIC, 'cabe', Buffer.from(JSON.stringify('x'.repeat(10))));
    expect(await payloads(older)).toEqual([]);
  });

  test.each([
    ['text', 'x'],
    ['a list', [1]],
    ['a number', 1],
  ])('whose payload is %s is no broadcast', async (_name, payload) => {
    await joinBoth({ ack: true });
    expect((await newer.reply(newer.send(TOPIC, 'broadcast', payload))).payload.status).toBe('error');
    expect(await payloads(older)).toEqual([]);
  });

  test('that says JSON and is none goes nowhere: it would break its receivers', async () => {
    await joinBoth({ self: true });
    const broken = Buffer.from([3, 0, 1, Buffer.byteLength(TOPIC), 1, 0, 1]);
    for (const body of ['{', '', '\u0000', Buffer.from([0xff, 0xfe])])
      newer.ws.send(Buffer.concat([broken, Buffer.from(`1${TOPIC}e`), Buffer.from(body)]));
    expect(await payloads(newer)).toEqual([]);
    expect(newer.ws.readyState).toBe(newer.ws.OPEN);
  });

  test('of many senders comes whole and in each sender’s order', async () => {
    const senders = await Promise.all(Array.from({ length: 8 }, () => openSocket(server)));
    await newer.join(TOPIC);
    for (const sender of senders) await sender.join(TOPIC, { broadcast: { ack: true } });
    await Promise.all(
      senders.map(async (sender, from) => {
        let last = '';
        for (let turn = 0; turn < 25; turn += 1)
          last = sender.send(TOPIC, 'broadcast', { event: 'n', payload: { from, turn } });
        await sender.reply(last);
      }),
    );
    const receivedEvents = await payloads(newer);
    expect(receivedEvents).toHaveLength(200);
    for (const from of senders.keys()) {
      const turns = receivedEvents
        .filter(({ payload }) => payload.from === from)
        .map(({ payload }) => payload.turn);
      expect(turns).toEqual(Array.from({ length: 25 }, (_unused, turn) => turn));
    }
    for (const sender of senders) sender.close();
  });
});
