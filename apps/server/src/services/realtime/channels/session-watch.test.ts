import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../kernel/caller-context.ts';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let socket: TestSocket;
/** The sessions that are over, as the database would say. */
let ended: Set<string>;
/** Whom the database was asked about, question by question. */
let questions: Caller[][];
let isDown: boolean;

const sessionOf = ({ claims }: Caller) => String(claims['session_id']);
const signIn = (session: string, target = server) =>
  target.keyring.signAccessToken({
    sub: 'maria',
    role: 'authenticated',
    session_id: session,
    exp: Date.now() / 1000 + 3_600,
  });

async function start(): Promise<StartedRealtime> {
  const started = await startRealtime();
  started.listEnded = async (callers) => {
    questions.push([...callers]);
    await sleep(1);
    if (isDown) throw new Error('the database is away');
    return new Set(callers.filter((caller) => ended.has(sessionOf(caller))));
  };
  return started;
}

beforeEach(async () => {
  ended = new Set();
  questions = [];
  isDown = false;
  server = await start();
  socket = await openSocket(server);
});
afterEach(() => server.app.close());

const join = async (session: string, topic = `realtime:${session}`, config = {}) =>
  (await socket.join(topic, config, { access_token: await signIn(session) })).payload;
const over = (topic: string) => ({
  extension: 'system',
  status: 'error',
  message: 'Session has ended',
  channel: topic,
});

describe('an open channel', () => {
  test('is closed within seconds of its session’s end, with a word why, and others stay', async () => {
    for (const session of ['one', 'two']) expect(await join(session)).toMatchObject({ status: 'ok' });
    await join('one', 'realtime:hidden', { private: true });
    await join('two', 'realtime:shared-room');
    ended.add('one');
    const endedAt = performance.now();
    await Promise.all(['one', 'hidden'].map((topic) => socket.event('phx_close', `realtime:${topic}`)));
    expect(performance.now() - endedAt).toBeLessThan(5_000);
    const told = socket.received.filter(({ event }) => event === 'system');
    expect(told.map(({ payload }) => payload)).toEqual(expect.arrayContaining([over('one'), over('hidden')]));
    expect(told).toHaveLength(2);
    socket.send('realtime:one', 'broadcast', { event: 'e', payload: {} });
    expect((await socket.receivedEvents('phx_close')).map(({ topic }) => topic).sort()).toEqual([
      'realtime:hidden',
      'realtime:one',
    ]);
  });

  test('of an ended session is closed on every copy', async () => {
    const other = await start();
    try {
      const there = await openSocket(other);
      await there.join('realtime:room', {}, { access_token: await signIn('one', other) });
      await join('one');
      ended.add('one');
      await Promise.all([there.event('phx_close'), socket.event('phx_close')]);
    } finally {
      await other.app.close();
    }
  });

  test('outlives a database that is away, and is closed when that can be asked again', async () => {
    await join('one');
    ended.add('one');
    isDown = true;
    questions = [];
    await expect.poll(() => questions.length).toBeGreaterThan(1);
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
    isDown = false;
    await socket.event('phx_close', 'realtime:one');
  });

  test('that takes the token of an ended session is closed, and one of a good session goes on', async () => {
    await join('one');
    await join('two');
    ended.add('gone');
    socket.send('realtime:one', 'access_token', { access_token: await signIn('gone') });
    socket.send('realtime:two', 'access_token', { access_token: await signIn('three') });
    await socket.event('phx_close', 'realtime:one');
    expect((await socket.receivedEvents('phx_close')).map(({ topic }) => topic)).toEqual(['realtime:one']);
    await expect.poll(() => questions.at(-1)?.map(sessionOf)).toEqual(['three']);
  });

  test('that takes a new token while nobody can say ends so that the client joins again by itself', async () => {
    await join('one');
    isDown = true;
    socket.send('realtime:one', 'access_token', { access_token: await signIn('two') });
    expect((await socket.event('system')).payload).toEqual({
      ...over('one'),
      message: 'Realtime was unable to connect to the project database',
    });
    await socket.event('phx_error', 'realtime:one');
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });
});

describe('a join', () => {
  test('with the token of an ended session is refused, public or private', async () => {
    ended.add('one');
    for (const config of [{}, { private: true }])
      expect(await join('one', 'realtime:room', config)).toEqual({
        status: 'error',
        response: { reason: 'Unauthorized: Session has ended' },
      });
  });

  test('is refused while nobody can say', async () => {
    isDown = true;
    expect(await join('one')).toMatchObject({
      status: 'error',
      response: { reason: expect.stringContaining('UnableToConnectToProject') },
    });
  });

  test('of many at once asks the database once, and once more for those who came meanwhile', async () => {
    const tokens = await Promise.all(Array.from({ length: 40 }, (_, at) => signIn(`s${at}`)));
    const joined = tokens.map((access_token, at) => socket.join(`realtime:room-${at}`, {}, { access_token }));
    for (const reply of await Promise.all(joined)) expect(reply.payload.status).toBe('ok');
    const asked = questions.filter((callers) => callers.length > 0);
    expect(new Set(asked.flat().map(sessionOf)).size).toBe(40);
    expect(asked.length).toBeLessThan(15);
  });

  test('of a visitor or an operator asks nothing, then or later', async () => {
    await socket.join('realtime:a');
    await socket.join('realtime:b', {}, { access_token: server.keyring.serviceRoleKey });
    await sleep(900);
    expect(questions).toEqual([]);
  });

  test('that is left again leaves nobody to ask about', async () => {
    await join('one');
    await socket.reply(socket.send('realtime:one', 'phx_leave'));
    await sleep(500);
    const asked = questions.length;
    await sleep(900);
    expect(questions.length).toBe(asked);
    // And the next who comes is watched again.
    await join('two');
    ended.add('two');
    await socket.event('phx_close', 'realtime:two');
  });
});

describe('a broadcast over HTTP', () => {
  const send = async (session: string, path: string, body: unknown) =>
    (
      await fetch(`${server.url}/api/broadcast${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await signIn(session)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    ).status;
  const batch = { messages: [{ topic: 'a', event: 'e', payload: {} }] };

  test.each([
    ['', batch],
    ['/a/events/e', {}],
  ])('to %j is refused with the token of an ended session, and while nobody can say', async (path, body) => {
    await socket.join('realtime:a');
    ended.add('one');
    expect(await send('one', path, body)).toBe(401);
    expect(await socket.receivedEvents('broadcast')).toEqual([]);
    expect(await send('two', path, body)).toBe(202);
    expect(await socket.receivedEvents('broadcast')).toHaveLength(1);
    isDown = true;
    expect(await send('two', path, body)).toBe(503);
  });
});
