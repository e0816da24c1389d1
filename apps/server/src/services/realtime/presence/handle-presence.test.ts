import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openSocket, type Received, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

/** A room of its own for each test: nobody of the one before is still leaving it. */
let topic: string;
let rooms = 0;
let server: StartedRealtime;
let other: StartedRealtime;
let maria: TestSocket;
let joana: TestSocket;
beforeAll(async () => {
  server = await startRealtime({
    copyId: 'copy-one',
    limits: { presenceBytes: 300, trackCalls: { calls: 5, milliseconds: 30_000 } },
  });
  other = await startRealtime({ copyId: 'copy-two', copyOf: server });
});
afterAll(() => Promise.all([server.app.close(), other.app.close()]));
beforeEach(async () => {
  rooms += 1;
  topic = `realtime:sala ${rooms}`;
  maria = await openSocket(server);
  joana = await openSocket(server, { vsn: '1.0.0' });
  return async () => {
    maria.close();
    joana.close();
    await Promise.all([maria.closed(), joana.closed()]);
  };
});

const join = (socket: TestSocket, key: string, presence: object = {}) =>
  socket.join(topic, { presence: { key, enabled: true, ...presence } });
const track = (socket: TestSocket, payload: unknown) =>
  socket.reply(socket.send(topic, 'presence', { type: 'presence', event: 'track', payload }));
const untrack = (socket: TestSocket) =>
  socket.reply(socket.send(topic, 'presence', { type: 'presence', event: 'untrack' }));
const diff = async (socket: TestSocket) => (await socket.event('presence_diff')).payload;
const REF = expect.stringMatching(/.{6}/);

describe('presence', () => {
  test('starts with who is there, even when nobody is', async () => {
    await join(maria, 'm');
    expect((await maria.event('presence_state')).payload).toEqual({});
    expect((await track(maria, { name: 'Maria' })).payload).toEqual({ status: 'ok', response: {} });
    await join(joana, 'j');
    expect((await joana.event('presence_state')).payload).toEqual({
      m: { metas: [{ name: 'Maria', phx_ref: REF }] },
    });
  });

  test('tells everybody, the one who came included, who comes and goes', async () => {
    await join(maria, 'm');
    await join(joana, 'j');
    await track(joana, { at: 1 });
    const joined = { joins: { j: { metas: [{ at: 1, phx_ref: REF }] } }, leaves: {} };
    expect(await diff(maria)).toEqual(joined);
    expect(await diff(joana)).toEqual(joined);
    await untrack(joana);
    expect(await diff(maria)).toEqual({ joins: {}, leaves: joined.joins });
  });

  test('told anew is a leave and a join that names the one before', async () => {
    await join(maria, 'm');
    await track(maria, { at: 1 });
    const [first] = (await diff(maria)).joins.m.metas;
    await track(maria, { at: 2, phx_ref: 'forged', phx_ref_prev: 'forged' });
    const told = await diff(maria);
    expect(told.leaves.m.metas).toEqual([first]);
    expect(told.joins.m.metas).toEqual([{ at: 2, phx_ref: REF, phx_ref_prev: first.phx_ref }]);
    expect(told.joins.m.metas[0].phx_ref).not.toBe(first.phx_ref);
  });

  test('of one key in several places has several metas, and loses them one by one', async () => {
    await join(maria, 'eu');
    await join(joana, 'eu');
    await track(maria, { tab: 1 });
    await track(joana, { tab: 2 });
    const late = await openSocket(server);
    await join(late, 'x');
    const { eu } = (await late.event('presence_state')).payload;
    expect(eu.metas.map(({ tab }: { tab: number }) => tab)).toEqual([1, 2]);
    joana.close();
    const left = await late.next(({ event, payload }) => event === 'presence_diff' && 'eu' in payload.leaves);
    expect(left.payload.leaves.eu.metas).toEqual([{ tab: 2, phx_ref: REF }]);
    late.close();
  });

  test('ends with the socket, with the channel, and with a join that takes its place', async () => {
    await join(joana, 'j');
    for (const end of [
      () => maria.ws.terminate(),
      () => maria.send(topic, 'phx_leave'),
      () => void maria.join(topic, { presence: { key: 'm' } }),
    ]) {
      if (maria.ws.readyState !== maria.ws.OPEN) maria = await openSocket(server);
      await join(maria, 'm');
      await track(maria, {});
      await joana.next(({ event, payload }) => event === 'presence_diff' && 'm' in payload.joins);
      end();
      await joana.next(({ event, payload }) => event === 'presence_diff' && 'm' in payload.leaves);
    }
  });

  test('has a key of its own when none is given', async () => {
    for (const socket of [maria, joana]) {
      await join(socket, '');
      await track(socket, {});
    }
    const keys = Object.keys((await diff(maria)).joins);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('takes any key, also one that means something to JavaScript', async () => {
    await join(maria, '__proto__');
    await track(maria, { constructor: 1 });
    await join(joana, '"quoted"\n');
    const text = JSON.stringify((await joana.event('presence_state')).payload);
    expect(text).toMatch(/^\{"__proto__":\{"metas":\[\{"constructor":1,"phx_ref":"[^"]+"\}\]\}\}$/);
  });

  test('is told once: what the state has said does not come again as a change', async () => {
    await join(maria, 'm');
    await track(maria, {});
    await join(joana, 'j');
    expect(Object.keys((await joana.event('presence_state')).payload)).toEqual(['m']);
    await track(joana, {});
    await untrack(maria);
    const diffs = (await joana.receivedEvents('presence_diff')).map(({ payload }) => payload);
    expect(diffs.flatMap(({ joins }) => Object.keys(joins))).toEqual(['j']);
    expect(diffs.flatMap(({ leaves }) => Object.keys(leaves))).toEqual(['m']);
  });

  test('is told to nobody whose join is not answered yet, who is then told the state', async () => {
    const { replay } = server.access;
    onTestFinished(() => void Object.assign(server.access, { replay }));
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.access.replay = async () => {
      asked.resolve();
      await answered.promise;
      return [];
    };
    const config = { private: true, presence: { key: 'm', enabled: true } };
    await maria.join(topic, config);
    const ref = joana.send(topic, 'phx_join', { config: { ...config, broadcast: { replay: { since: 0 } } } });
    await asked.promise;
    await track(maria, { at: 1 });
    await diff(maria);
    expect(await joana.receivedEvents('presence_diff')).toEqual([]);
    answered.resolve();
    await joana.reply(ref);
    const state = { m: { metas: [{ at: 1, phx_ref: REF }] } };
    expect((await joana.event('presence_state')).payload).toEqual(state);
    await untrack(maria);
    expect(await diff(joana)).toEqual({ joins: {}, leaves: state });
  });

  test('says nothing to those who have not asked for it, until they show themselves', async () => {
    await join(maria, 'm');
    await track(maria, {});
    await join(joana, 'j', { enabled: false });
    await untrack(maria);
    await track(maria, {});
    expect(await joana.receivedEvents('presence_state')).toEqual([]);
    expect(await joana.receivedEvents('presence_diff')).toEqual([]);
    await track(joana, {});
    expect(Object.keys((await joana.event('presence_state')).payload).sort()).toEqual(['j', 'm']);
  });

  test('is on for clients that do not know the switch', async () => {
    await joana.join(topic, { presence: { key: '' } });
    await joana.event('presence_state');
  });

  test('gathers what happens in a moment into one message', async () => {
    await join(maria, 'm');
    const sockets = await Promise.all(Array.from({ length: 30 }, () => openSocket(server)));
    await Promise.all(sockets.map((socket, index) => join(socket, `k${index}`)));
    await Promise.all(sockets.map((socket) => track(socket, {})));
    const diffs = await maria.receivedEvents('presence_diff');
    const joins = diffs.flatMap(({ payload }) => Object.keys(payload.joins));
    expect(new Set(joins).size).toBe(30);
    expect(diffs.length).toBeLessThan(15);
    for (const socket of sockets) socket.close();
  });

  test.each([['text'], [[1]], [7]])('refuses %j as what somebody says of itself', async (payload) => {
    await join(maria, 'm');
    expect((await track(maria, payload)).payload).toEqual({
      status: 'error',
      response: { reason: 'Presence track payload must be a map' },
    });
  });

  test('refuses events it does not know', async () => {
    await join(maria, 'm');
    for (const payload of [{ event: 'dance' }, { event: 7 }, {}, null])
      expect((await maria.reply(maria.send(topic, 'presence', payload))).payload.status).toBe('error');
  });

  test('ends the channel of whoever calls too often, or says too much', async () => {
    await join(maria, 'm');
    for (let call = 0; call < 5; call += 1) await track(maria, { call });
    maria.send(topic, 'presence', { event: 'untrack' });
    expect((await maria.event('system')).payload.message).toBe('Client presence rate limit exceeded');
    await maria.event('phx_close');
    await join(joana, 'j');
    joana.send(topic, 'presence', { event: 'track', payload: { text: 'x'.repeat(400) } });
    expect((await joana.event('system')).payload.message).toBe('Track message size exceeded');
    await joana.event('phx_close');
  });

  test('keeps the channel of whoever calls often over a longer time', async () => {
    let at = Date.now();
    const patient = await startRealtime({
      now: () => new Date(at),
      limits: { trackCalls: { calls: 2, milliseconds: 30_000 } },
    });
    onTestFinished(() => patient.app.close());
    const socket = await openSocket(patient);
    onTestFinished(() => socket.close());
    await join(socket, 'm');
    for (let round = 0; round < 3; round += 1) {
      for (const call of [1, 2]) expect((await track(socket, { call })).payload.status).toBe('ok');
      at += 30_001;
    }
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });

  test('counts anew when the clock is set back', async () => {
    let at = Date.now();
    const turned = await startRealtime({
      now: () => new Date(at),
      limits: { trackCalls: { calls: 2, milliseconds: 30_000 } },
    });
    onTestFinished(() => turned.app.close());
    const socket = await openSocket(turned);
    onTestFinished(() => socket.close());
    await join(socket, 'm');
    for (const call of [1, 2]) await track(socket, { call });
    at -= 3_600_000;
    expect((await track(socket, { call: 3 })).payload.status).toBe('ok');
  });
});

describe('presence across copies', () => {
  const tell = (to: StartedRealtime, call: 'joined' | 'left', copyId: string) => {
    for (const listener of to.copies.listeners) listener[call]?.(copyId);
  };

  test('of another copy is told here, in the state and in diffs, and goes with it', async () => {
    const far = await openSocket(other);
    await join(far, 'longe');
    await track(far, { far: true });
    await far.event('presence_diff');
    await join(maria, 'm');
    expect((await maria.event('presence_state')).payload).toEqual({
      longe: { metas: [{ far: true, phx_ref: REF }] },
    });
    await track(far, { far: 2 });
    const isMove = ({ event, payload }: Received) => event === 'presence_diff' && 'longe' in payload.leaves;
    const again = (await maria.next(isMove)).payload;
    expect([again.joins.longe.metas[0].far, again.leaves.longe.metas[0].far]).toEqual([2, true]);
    tell(server, 'left', 'copy-two');
    expect((await diff(maria)).leaves.longe.metas[0].far).toBe(2);
    // It comes back: the copy tells what it holds, once more.
    tell(other, 'joined', 'copy-one');
    expect((await diff(maria)).joins.longe.metas[0].far).toBe(2);
    far.close();
    expect((await diff(maria)).leaves.longe.metas[0].far).toBe(2);
  });

  test('of this copy is published once and never echoed', async () => {
    // Of this topic: whoever has left another one may be told of still.
    const name = topic.slice('realtime:'.length);
    const published = () =>
      server.copies.published.filter((message) => message.kind === 'presence' && message['topic'] === name);
    await join(maria, 'm');
    await track(maria, { a: 1 });
    await maria.event('presence_diff');
    expect(published()).toMatchObject([{ joins: [{ copyId: 'copy-one' }] }]);
    for (const listener of server.copies.listeners)
      listener.message?.('copy-two', {
        kind: 'presence',
        topic: name,
        isPrivate: false,
        joins: [{ id: 'copy-two:9', copyId: 'copy-two', key: 'k', ref: 'r1', metaJson: '{"phx_ref":"r1"}' }],
        leaves: [],
      });
    await maria.event('presence_diff');
    expect(published()).toHaveLength(1);
  });
});

describe('broadcasts across copies', () => {
  test('reach the others’ sockets in every form, and are not sent back', async () => {
    const far = await openSocket(other);
    await far.join(topic);
    await maria.join(topic);
    await joana.join(topic);
    const count = () => server.copies.published.filter(({ kind }) => kind === 'broadcast').length;
    const before = count();
    far.send(topic, 'broadcast', { type: 'broadcast', event: 'a', payload: { x: 'ç' } });
    far.sendBinary(topic, 'b', { y: 1 });
    far.sendBinary(topic, 'c', Buffer.from([255]));
    await far.receivedEvents('x');
    const receivedEvents = await maria.receivedEvents('broadcast');
    expect(receivedEvents.map(({ payload }) => payload.event)).toEqual(['a', 'b', 'c']);
    expect(receivedEvents.map(({ isBinary = false }) => isBinary)).toEqual([false, true, true]);
    expect((await joana.receivedEvents('broadcast')).map(({ payload }) => payload.event)).toEqual(['a', 'b']);
    expect(await far.receivedEvents('broadcast')).toEqual([]);
    expect(count()).toBe(before);
    far.close();
  });
});
