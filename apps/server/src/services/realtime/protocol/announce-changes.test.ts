import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  type Mock,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type {
  ChangeRequest,
  ChangeSubscription,
  ChannelSubscriber,
} from '../changes/change-subscriptions.ts';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let socket: TestSocket;
let ready: PromiseWithResolvers<void>;
let requested: readonly ChangeRequest[];
let subscriber: ChannelSubscriber;
/** Each test its own: the socket of the one before may still be on its way out. */
let renew: Mock<() => void>;
let cancel: Mock<() => void>;
let retry: Mock<NonNullable<ChangeSubscription['retry']>>;

beforeAll(async () => {
  server = await startRealtime();
});
afterAll(() => server.app.close());
beforeEach(async () => {
  [renew, cancel, retry] = [vi.fn(), vi.fn(), vi.fn()];
  const own = { renew, cancel, retry };
  ready = Promise.withResolvers();
  ready.promise.catch(() => undefined);
  server.changes.subscribe = (channel, requests) => {
    requested = requests;
    subscriber = channel;
    const ids = requests.map((_request, index) => 70 + index);
    return { ok: true, subscription: { ids, ready: ready.promise, ...own } };
  };
  socket = await openSocket(server);
  return () => socket.close();
});

const LINKS = { event: 'INSERT', schema: 'public', table: 'links' };
const SUBSCRIBED = {
  extension: 'postgres_changes',
  status: 'ok',
  message: 'Subscribed to PostgreSQL',
  channel: 'a',
};

describe('a join that asks for changes', () => {
  test('repeats each entry with its id, in order, without keys that are null or absent', async () => {
    const entries = [
      LINKS,
      { event: '*', schema: 'public', table: null, filter: null },
      { event: 'DELETE', schema: '*', filter: 'id=eq.1', select: ['id'], extra: 1 },
    ];
    const reply = await socket.join('realtime:a', { postgres_changes: [null, ...entries] });
    expect(reply.payload.response.postgres_changes).toEqual([
      { id: 70, ...LINKS },
      { id: 71, event: '*', schema: 'public' },
      { id: 72, event: 'DELETE', schema: '*', filter: 'id=eq.1', select: ['id'], extra: 1 },
    ]);
    expect(requested).toEqual([
      LINKS,
      { event: '*', schema: 'public' },
      { event: 'DELETE', schema: '*', filter: 'id=eq.1', select: ['id'] },
    ]);
  });

  test('hears that it is subscribed when it is, not before', async () => {
    await socket.join('realtime:a', { postgres_changes: [LINKS] });
    expect(await socket.receivedEvents('system')).toEqual([]);
    ready.resolve();
    expect((await socket.event('system')).payload).toEqual(SUBSCRIBED);
  });

  test('gets what its subscription sends, and nothing once it has left', async () => {
    await socket.join('realtime:a', { postgres_changes: [LINKS] });
    subscriber.send('postgres_changes', '{"ids":[70],"data":{"type":"INSERT"}}');
    const change = await socket.event('postgres_changes');
    expect(change).toMatchObject({ topic: 'realtime:a', payload: { ids: [70], data: { type: 'INSERT' } } });
    await socket.reply(socket.send('realtime:a', 'phx_leave'));
    expect(cancel).toHaveBeenCalledOnce();
    subscriber.send('postgres_changes', '{"ids":[70]}');
    ready.resolve();
    expect(await socket.receivedEvents('postgres_changes')).toHaveLength(1);
    expect(await socket.receivedEvents('system')).toEqual([]);
  });

  test('is joined although it asks for something malformed, and hears what is wrong', async () => {
    server.changes.subscribe = () => ({ ok: false, reason: 'Unable to subscribe to changes: no such table' });
    const reply = await socket.join('realtime:a', { postgres_changes: [LINKS] });
    expect(reply.payload.response.postgres_changes).toEqual([{ id: expect.any(Number), ...LINKS }]);
    expect(reply.payload.response.postgres_changes[0].id).not.toBe(0);
    expect((await socket.event('system')).payload).toMatchObject({
      extension: 'postgres_changes',
      status: 'error',
      message: 'Unable to subscribe to changes: no such table',
    });
  });

  test('hears why it is not live yet, and that it is as soon as waiting has helped', async () => {
    retry.mockReturnValue(Promise.resolve());
    await socket.join('realtime:a', { postgres_changes: [LINKS] });
    ready.reject(new Error('the database is away'));
    expect((await socket.event('system')).payload).toMatchObject({
      status: 'error',
      message: 'the database is away',
    });
    // A new token asks at once instead of after some seconds.
    socket.send('realtime:a', 'access_token', { access_token: await server.signIn('maria') });
    expect((await socket.event('system')).payload).toEqual(SUBSCRIBED);
    expect(renew).toHaveBeenCalledOnce();
  });

  test('hears that it is live by itself once trying again has helped', async () => {
    const impatient = await startRealtime({ limits: { changesRetryMs: 10 } });
    onTestFinished(() => impatient.app.close());
    impatient.changes.subscribe = server.changes.subscribe;
    retry.mockReturnValue(Promise.resolve());
    const waiting = await openSocket(impatient);
    onTestFinished(() => waiting.close());
    await waiting.join('realtime:a', { postgres_changes: [LINKS] });
    ready.reject(new Error('the database is away'));
    expect((await waiting.event('system')).payload.status).toBe('error');
    expect((await waiting.event('system')).payload).toEqual(SUBSCRIBED);
    expect(retry).toHaveBeenCalledOnce();
    expect(renew).not.toHaveBeenCalled();
  });

  test('is told so again after a new token, with the subscription renewed', async () => {
    ready.resolve();
    await socket.join('realtime:a', { postgres_changes: [LINKS] });
    await socket.event('system');
    socket.send('realtime:a', 'access_token', { access_token: await server.signIn('maria') });
    expect((await socket.event('system')).payload).toEqual(SUBSCRIBED);
    expect(renew).toHaveBeenCalledOnce();
    expect(subscriber.caller().claims['sub']).toBe('maria');
  });

  test('whose subscription fails later is told why and sent away with an error, so that it joins again', async () => {
    const joined = await socket.join('realtime:a', { postgres_changes: [LINKS] });
    subscriber.fail('postgres_changes', 'Changes may have been missed');
    expect((await socket.event('system')).payload).toMatchObject({
      extension: 'postgres_changes',
      status: 'error',
      message: 'Changes may have been missed',
    });
    expect(await socket.event('phx_error')).toMatchObject({ ref: joined.ref });
    expect(cancel).toHaveBeenCalledOnce();
    expect((await socket.join('realtime:a', { postgres_changes: [LINKS] })).payload.status).toBe('ok');
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });
});

describe('a join that waits for its changes', () => {
  const waiting = (timeout: number) => ({
    postgres_changes: [LINKS],
    postgres_changes_options: { wait: true, timeout },
  });

  test('is answered when they are live', async () => {
    const joining = socket.join('realtime:a', waiting(20_000));
    expect(await socket.receivedEvents('phx_reply')).toHaveLength(1);
    ready.resolve();
    expect((await joining).payload.status).toBe('ok');
    expect((await socket.event('system')).payload).toEqual(SUBSCRIBED);
  });

  test('hears what comes before its answer behind it', async () => {
    const joining = socket.join('realtime:a', waiting(20_000));
    await socket.receivedEvents('x');
    subscriber.send('postgres_changes', '{"ids":[70]}');
    expect(await socket.receivedEvents('postgres_changes')).toEqual([]);
    ready.resolve();
    await joining;
    await socket.event('postgres_changes');
    const events = socket.received
      .map(({ event, topic }) => (topic === 'phoenix' ? '' : event))
      .filter(Boolean);
    expect(events).toEqual(['phx_reply', 'presence_state', 'postgres_changes', 'system']);
  });

  test('is refused when they are not in time, and nothing of it stays', async () => {
    const reply = await socket.join('realtime:a', waiting(50));
    expect(reply.payload.response.reason).toBe(
      'PostgresChangesSubscribeTimeout: Timed out after 50ms waiting for the postgres_changes subscription',
    );
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('is refused with the reason when they cannot be', async () => {
    ready.reject(new Error('not in the publication'));
    const reply = await socket.join('realtime:a', waiting(20_000));
    expect(reply.payload.response.reason).toBe('RealtimeDisabledForConfiguration: not in the publication');
  });

  test('is answered at once when it asks for none', async () => {
    const config = { ...waiting(20_000), postgres_changes: [] };
    expect((await socket.join('realtime:a', config)).payload.status).toBe('ok');
  });
});

describe('a join that asks whether stored messages are heard', () => {
  test('is told when they are', async () => {
    await socket.join('realtime:a', { broadcast: { replication_ready: true } });
    expect((await socket.event('system')).payload).toEqual({
      extension: 'system',
      status: 'ok',
      message: 'Replication connection established',
      channel: 'a',
    });
  });

  test('is closed when they are not in time', async () => {
    const { whenLive } = server;
    onTestFinished(() => {
      server.whenLive = whenLive;
    });
    server.whenLive = () => Promise.reject(new Error('away'));
    await socket.join('realtime:a', { broadcast: { replication_ready: true } });
    expect((await socket.event('system')).payload.message).toBe(
      'Replication connection was not established in time',
    );
    await socket.event('phx_close');
  });
});
