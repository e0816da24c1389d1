import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StoredMessage } from '../messages/stored-message.ts';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let maria: TestSocket;
let joana: TestSocket;
const canRead = vi.fn<StartedRealtime['access']['canRead']>();
const canWrite = vi.fn<StartedRealtime['access']['canWrite']>();
const replay = vi.fn<StartedRealtime['access']['replay']>();

beforeAll(async () => {
  server = await startRealtime();
  Object.assign(server.access, { canRead, canWrite, replay });
});
afterAll(() => server.app.close());
beforeEach(async () => {
  canRead.mockReset().mockResolvedValue({ broadcast: true, presence: true });
  canWrite.mockReset().mockResolvedValue(true);
  replay.mockReset().mockResolvedValue([]);
  maria = await openSocket(server, { headers: { 'x-client-info': 'test', cookie: 'secret=1' } });
  joana = await openSocket(server, { vsn: '1.0.0' });
  return () => {
    maria.close();
    joana.close();
  };
});

const PRIVATE = { private: true, broadcast: { ack: true } };
const say = (socket: TestSocket, text: string, topic = 'realtime:a') =>
  socket.send(topic, 'broadcast', { type: 'broadcast', event: 'oi', payload: { text } });
const store = (message: Partial<StoredMessage>): StoredMessage => ({
  id: 'id-1',
  topic: 'a',
  event: 'guardada',
  isPrivate: true,
  payloadJson: '{"a":1}',
  bytes: null,
  ...message,
});

describe('a private channel', () => {
  test('is refused to whoever may not read it, with the topic’s name', async () => {
    canRead.mockResolvedValue({ broadcast: false, presence: false });
    const reply = await maria.join('realtime:a:b', PRIVATE);
    expect(reply.payload).toEqual({
      status: 'error',
      response: { reason: 'Unauthorized: You do not have permissions to read from this Channel topic: a:b' },
    });
    // Policies see the client's own headers, and no others.
    expect(canRead).toHaveBeenCalledWith(expect.objectContaining({ role: 'anon' }), 'a:b', {
      'x-client-info': 'test',
    });
  });

  test('is refused while policies cannot be asked', async () => {
    canRead.mockRejectedValue(new Error('a secret of the database'));
    const reply = await maria.join('realtime:a', PRIVATE);
    expect(reply.payload.response.reason).toBe(
      'UnableToConnectToProject: Realtime was unable to connect to the project database',
    );
  });

  test('does not ask for a public one', async () => {
    await maria.join('realtime:a');
    say(maria, 'x');
    await maria.receivedEvents('x');
    expect([canRead, canWrite, replay].some((question) => question.mock.calls.length > 0)).toBe(false);
  });

  test('is another than the public one of the same name', async () => {
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a');
    await maria.reply(say(maria, 'em segredo'));
    say(joana, 'em público');
    expect(await maria.receivedEvents('broadcast')).toEqual([]);
    expect(await joana.receivedEvents('broadcast')).toEqual([]);
  });

  test('asks once whether its client may write, and again after a new token', async () => {
    await maria.join('realtime:a', PRIVATE, { access_token: await server.signIn('maria') });
    for (const text of ['1', '2', '3']) await maria.reply(say(maria, text));
    expect(canWrite).toHaveBeenCalledTimes(1);
    maria.send('realtime:a', 'access_token', { access_token: await server.signIn('maria', 60) });
    await maria.reply(say(maria, '4'));
    expect(canWrite).toHaveBeenCalledTimes(2);
  });

  test('drops what its client may not write, and says so to a client that asked for answers', async () => {
    canWrite.mockResolvedValue(false);
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a', PRIVATE);
    expect((await maria.reply(say(maria, 'x'))).payload).toEqual({
      status: 'error',
      response: { reason: 'Unauthorized: You do not have permissions to write to this Channel topic: a' },
    });
    expect(await joana.receivedEvents('broadcast')).toEqual([]);
    // Asking the database once was enough.
    await maria.reply(say(maria, 'y'));
    expect(canWrite).toHaveBeenCalledTimes(1);
  });

  test('drops what its client may not write without a word where no answers were asked for', async () => {
    canWrite.mockResolvedValue(false);
    await maria.join('realtime:a', { private: true });
    await joana.join('realtime:a', PRIVATE);
    const ref = say(maria, 'x');
    expect(await joana.receivedEvents('broadcast')).toEqual([]);
    expect((await maria.receivedEvents('phx_reply')).some((reply) => reply.ref === ref)).toBe(false);
  });

  test('asks again when the question failed, and drops what it could not ask about', async () => {
    canWrite.mockRejectedValueOnce(new Error('the database is away'));
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a', PRIVATE);
    say(maria, 'perdida');
    await maria.reply(say(maria, 'ouvida'));
    expect((await joana.receivedEvents('broadcast')).map(({ payload }) => payload.payload.text)).toEqual([
      'ouvida',
    ]);
  });

  test('keeps the order of what is said while the first is asked about', async () => {
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a', PRIVATE);
    const texts = Array.from({ length: 20 }, (_unused, index) => String(index));
    for (const text of texts) say(maria, text);
    await maria.receivedEvents('x');
    expect((await joana.receivedEvents('broadcast')).map(({ payload }) => payload.payload.text)).toEqual(
      texts,
    );
  });

  test('lets somebody who may only see presences hear no broadcast', async () => {
    canRead.mockImplementation(async ({ claims }) => ({
      broadcast: claims['sub'] !== 'maria',
      presence: true,
    }));
    await maria.join('realtime:a', PRIVATE, { access_token: await server.signIn('maria') });
    await joana.join('realtime:a', { ...PRIVATE, broadcast: { self: true } });
    say(joana, 'x');
    server.store(store({}));
    expect(await joana.receivedEvents('broadcast')).toHaveLength(2);
    expect(await maria.receivedEvents('broadcast')).toEqual([]);
  });

  test('hides presences from somebody who may only hear broadcasts, and lets nobody track who may not', async () => {
    canRead.mockResolvedValue({ broadcast: true, presence: false });
    canWrite.mockImplementation(async (_caller, _topic, extension) => extension !== 'presence');
    await maria.join('realtime:a', { ...PRIVATE, presence: { enabled: true } });
    const reply = await maria.reply(maria.send('realtime:a', 'presence', { event: 'track', payload: {} }));
    expect(reply.payload.status).toBe('error');
    expect(await maria.receivedEvents('presence_state')).toEqual([]);
    expect(await maria.receivedEvents('presence_diff')).toEqual([]);
  });

  test('tells of somebody who comes only those who may see presences', async () => {
    const topic = 'realtime:who comes';
    canRead.mockImplementation(async ({ claims }) => ({
      broadcast: true,
      presence: claims['sub'] !== 'maria',
    }));
    const config = { ...PRIVATE, presence: { key: 'joana', enabled: true } };
    await maria.join(topic, config, { access_token: await server.signIn('maria') });
    await joana.join(topic, config);
    await joana.reply(joana.send(topic, 'presence', { event: 'track', payload: {} }));
    expect(Object.keys((await joana.event('presence_diff')).payload.joins)).toEqual(['joana']);
    expect(await maria.receivedEvents('presence_diff')).toEqual([]);
    expect(await maria.receivedEvents('presence_state')).toEqual([]);
  });
});

test('a new token that may see presences is told who is there', async () => {
  canRead.mockImplementation(async ({ claims }) => ({
    broadcast: true,
    presence: claims['sub'] === 'joana',
  }));
  await maria.join('realtime:a', { ...PRIVATE, presence: { enabled: true } });
  expect(await maria.receivedEvents('presence_state')).toEqual([]);
  maria.send('realtime:a', 'access_token', { access_token: await server.signIn('joana') });
  expect((await maria.event('presence_state')).payload).toEqual({});
});

describe('a stored message', () => {
  test('reaches those who listen to its topic, with its id', async () => {
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a');
    server.store(store({}));
    server.store(store({ id: 'id-2', isPrivate: false }));
    server.store(store({ id: 'id-3', topic: 'b' }));
    const body = { type: 'broadcast', event: 'guardada', payload: { a: 1 } };
    expect((await maria.receivedEvents('broadcast')).map(({ payload }) => payload)).toEqual([
      { ...body, meta: { id: 'id-1' } },
    ]);
    expect((await joana.receivedEvents('broadcast')).map(({ payload }) => payload)).toEqual([
      { ...body, meta: { id: 'id-2' } },
    ]);
  });

  test('of bytes goes to 2.0.0 sockets alone', async () => {
    await maria.join('realtime:a', PRIVATE);
    await joana.join('realtime:a', PRIVATE);
    server.store(store({ payloadJson: null, bytes: Buffer.from([0, 255]) }));
    const { payload } = await maria.event('broadcast');
    expect(payload).toMatchObject({ event: 'guardada', meta: { id: 'id-1' } });
    expect([...payload.payload]).toEqual([0, 255]);
    expect(await joana.receivedEvents('broadcast')).toEqual([]);
  });
});

describe('replay', () => {
  const replaying = { ...PRIVATE, broadcast: { replay: { since: 5, limit: 2 } } };

  test('comes behind the reply, oldest first, and says that it is one', async () => {
    replay.mockResolvedValue([store({}), store({ id: 'id-2', payloadJson: null, bytes: Buffer.from('x') })]);
    await maria.join('realtime:a', replaying);
    const receivedEvents = await maria.receivedEvents('broadcast');
    expect(receivedEvents.map(({ payload }) => payload.meta)).toEqual([
      { id: 'id-1', replayed: true },
      { id: 'id-2', replayed: true },
    ]);
    expect(replay).toHaveBeenCalledWith('a', { since: 5, limit: 2 });
    expect(maria.received[0]?.event).toBe('phx_reply');
  });

  test('loses nothing and repeats nothing of what comes while it is read', async () => {
    const read = Promise.withResolvers<void>();
    replay.mockImplementation(async () => {
      await read.promise;
      return [store({}), store({ id: 'id-2' })];
    });
    const joining = maria.join('realtime:a', replaying);
    await maria.receivedEvents('x');
    server.store(store({ id: 'id-2' }));
    server.store(store({ id: 'id-3' }));
    read.resolve();
    await joining;
    server.store(store({ id: 'id-1' }));
    server.store(store({ id: 'id-4' }));
    const ids = (await maria.receivedEvents('broadcast')).map(({ payload }) => payload.meta.id);
    expect(ids).toEqual(['id-1', 'id-2', 'id-3', 'id-4']);
  });

  test('gives at most 25, whatever is asked', async () => {
    await maria.join('realtime:a', { ...PRIVATE, broadcast: { replay: { since: 5, limit: 900 } } });
    expect(replay).toHaveBeenCalledWith('a', { since: 5, limit: 25 });
  });

  test('is refused to whoever may only see presences, and nothing is read', async () => {
    canRead.mockResolvedValue({ broadcast: false, presence: true });
    const reply = await maria.join('realtime:a', replaying);
    expect(reply.payload).toEqual({
      status: 'error',
      response: { reason: 'Unauthorized: You do not have permissions to read from this Channel topic: a' },
    });
    expect(replay).not.toHaveBeenCalled();
  });

  test.each([
    [
      'of a public channel',
      { broadcast: { replay: { since: 0 } } },
      'Replay is not allowed for public channels',
    ],
    ['that fails', replaying, 'Realtime was unable to replay messages'],
  ])('%s is refused', async (_name, config, reason) => {
    replay.mockRejectedValue(new Error('the database is away'));
    const reply = await maria.join('realtime:a', config);
    expect(reply.payload.response.reason).toBe(`UnableToReplayMessages: ${reason}`);
    server.store(store({}));
    expect(await maria.receivedEvents('broadcast')).toEqual([]);
  });
});
