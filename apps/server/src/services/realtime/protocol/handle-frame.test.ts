import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let narrow: StartedRealtime;
beforeAll(async () => {
  server = await startRealtime();
  narrow = await startRealtime({
    limits: {
      channelsPerSocket: 3,
      joins: { atOnce: 6, perSecond: 0.01 },
      messages: { atOnce: 8, perSecond: 0.01 },
    },
  });
});
afterAll(() => Promise.all([server.app.close(), narrow.app.close()]));

/** Runs with a socket of its own and closes it, whatever comes. */
async function withSocket(run: (socket: TestSocket) => Promise<void>, vsn: '1.0.0' | '2.0.0' = '2.0.0') {
  const socket = await openSocket(server, { vsn });
  try {
    await run(socket);
  } finally {
    socket.close();
  }
}

describe.each(['1.0.0', '2.0.0'] as const)('a socket of serializer %s', (vsn) => {
  test('is answered its heartbeats', () =>
    withSocket(async (socket) => {
      const reply = await socket.reply(socket.send('phoenix', 'heartbeat'));
      expect(reply).toMatchObject({ topic: 'phoenix', payload: { status: 'ok', response: {} } });
    }, vsn));

  test('joins, and leaves with a reply and a close that carries the join’s reference', () =>
    withSocket(async (socket) => {
      const joined = await socket.join('realtime:sala');
      expect(joined.payload).toEqual({ status: 'ok', response: { postgres_changes: [] } });
      const left = await socket.reply(socket.send('realtime:sala', 'phx_leave'));
      expect(left.payload).toEqual({ status: 'ok', response: {} });
      expect(await socket.event('phx_close')).toMatchObject({ ref: joined.ref, topic: 'realtime:sala' });
      const events = socket.received.map(({ event }) => event);
      expect(events.indexOf('phx_close')).toBe(events.length - 1);
    }, vsn));

  test('that joins again gets the old join closed and the new one opened', () =>
    withSocket(async (socket) => {
      const first = await socket.join('realtime:sala');
      const second = await socket.join('realtime:sala');
      expect(second.payload.status).toBe('ok');
      expect(await socket.event('phx_close')).toMatchObject({ ref: first.ref });
      expect(await socket.receivedEvents('phx_close')).toHaveLength(1);
      expect(
        (await socket.reply(socket.send('realtime:sala', 'phx_leave', {}, String(second.ref)))).payload
          .status,
      ).toBe('ok');
    }, vsn));

  test('hears that a topic it has not joined is unmatched', () =>
    withSocket(async (socket) => {
      for (const [topic, event] of [
        ['realtime:nunca', 'broadcast'],
        ['realtime:nunca', 'qualquer'],
        ['outra:coisa', 'phx_join'],
        ['phoenix', 'qualquer'],
      ] as const) {
        const reply = await socket.reply(socket.send(topic, event, { type: 'broadcast', event: 'x' }));
        expect(reply).toMatchObject({
          topic,
          payload: { status: 'error', response: { reason: 'unmatched topic' } },
        });
      }
    }, vsn));
});

describe('a channel', () => {
  test('leaves twice without an error', () =>
    withSocket(async (socket) => {
      await socket.join('realtime:sala');
      for (const attempt of [1, 2]) {
        const reply = await socket.reply(socket.send('realtime:sala', 'phx_leave'));
        expect([attempt, reply.payload.status]).toEqual([attempt, 'ok']);
      }
      expect(await socket.receivedEvents('phx_close')).toHaveLength(1);
    }));

  test('ignores what was meant for a join that has been replaced, and events it does not know', () =>
    withSocket(async (socket) => {
      const old = await socket.join('realtime:sala', { broadcast: { self: true, ack: true } });
      const fresh = await socket.join('realtime:sala', { broadcast: { self: true, ack: true } });
      const message = { type: 'broadcast', event: 'oi', payload: {} };
      const ignored = socket.send('realtime:sala', 'broadcast', message, String(old.ref));
      socket.send('realtime:sala', 'phx_leave', {}, String(old.ref));
      socket.send('realtime:sala', 'inventado', { a: 1 });
      const answered = socket.send('realtime:sala', 'broadcast', message, String(fresh.ref));
      expect((await socket.reply(answered)).payload.status).toBe('ok');
      expect(await socket.receivedEvents('broadcast')).toHaveLength(1);
      expect(socket.received.some(({ ref, event }) => ref === ignored && event === 'phx_reply')).toBe(false);
    }));

  test('keeps the order of what is sent while a join still waits for its policies', () =>
    withSocket(async (socket) => {
      const gate = Promise.withResolvers<void>();
      const { canRead } = server.access;
      server.access.canRead = async () => {
        await gate.promise;
        return { broadcast: true, presence: true };
      };
      const joining = socket.join('realtime:lenta', { private: true, broadcast: { ack: true } });
      const sent = socket.send('realtime:lenta', 'broadcast', { type: 'broadcast', event: 'x', payload: {} });
      // Another topic, and heartbeats, do not wait.
      expect((await socket.join('realtime:outra')).payload.status).toBe('ok');
      expect((await socket.reply(socket.send('phoenix', 'heartbeat'))).payload.status).toBe('ok');
      gate.resolve();
      server.access.canRead = canRead;
      expect((await joining).payload.status).toBe('ok');
      expect((await socket.reply(sent)).payload.status).toBe('ok');
    }));

  test('is gone for good when its socket goes while it still joins', async () => {
    const gate = Promise.withResolvers<void>();
    const { canRead, replay } = server.access;
    const { subscribe } = server.changes;
    const cancelled: string[] = [];
    Object.assign(server.access, {
      canRead: async () => {
        await gate.promise;
        return { broadcast: true, presence: true };
      },
    });
    server.changes.subscribe = ({ topic }, requests) => {
      const cancel = () => void cancelled.push(topic);
      const subscription = {
        ids: requests.map(() => 5),
        ready: gate.promise,
        renew: () => undefined,
        cancel,
      };
      return { ok: true, subscription };
    };
    const changes = { postgres_changes: [{ event: '*' }] };
    const socket = await openSocket(server);
    socket.send('realtime:a', 'phx_join', {
      config: { private: true, broadcast: { replay: {} }, ...changes },
    });
    socket.send('realtime:b', 'phx_join', {
      config: { postgres_changes_options: { wait: true }, ...changes },
    });
    await socket.reply(socket.send('phoenix', 'heartbeat'));
    socket.close();
    await socket.closed();
    gate.resolve();
    await eventually(async () =>
      expect(await server.metrics.metrics()).toMatch(/sockets 0\n[\s\S]*channels 0\n/),
    );
    // What had been opened was closed, and nothing was opened afterwards.
    expect(cancelled).toEqual(['b']);
    Object.assign(server.access, { canRead, replay });
    server.changes.subscribe = subscribe;
  });

  test('gives back everything when its socket goes', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openSocket(server)));
    for (const socket of sockets) {
      for (const topic of ['realtime:a', 'realtime:b', 'realtime:a']) await socket.join(topic);
      await socket.reply(socket.send('realtime:a', 'presence', { event: 'track', payload: {} }));
    }
    expect(await server.metrics.metrics()).toMatch(/channels 80\n[\s\S]*presences 40\n/);
    for (const socket of sockets) socket.ws.terminate();
    await eventually(async () =>
      expect(await server.metrics.metrics()).toMatch(/sockets 0\n[\s\S]*channels 0\n[\s\S]*presences 0\n/),
    );
  });
});

describe('a join that is malformed is refused with a reason', () => {
  const CASES: readonly (readonly [string, unknown])[] = [
    ['payload', 'text'],
    ['payload', [1]],
    ['config', { config: 'x' }],
    ['config', { config: [] }],
    ['access_token', { access_token: 7 }],
    ['config.private', { config: { private: 'maybe' } }],
    ['config.broadcast', { config: { broadcast: true } }],
    ['config.broadcast.ack', { config: { broadcast: { ack: 1 } } }],
    ['config.broadcast.self', { config: { broadcast: { self: {} } } }],
    ['config.broadcast.replication_ready', { config: { broadcast: { replication_ready: 'x' } } }],
    ['config.broadcast.replay', { config: { private: true, broadcast: { replay: 'all' } } }],
    ['config.broadcast.replay.since', { config: { private: true, broadcast: { replay: { since: 'x' } } } }],
    ['config.broadcast.replay.since', { config: { private: true, broadcast: { replay: { since: -1 } } } }],
    [
      'config.broadcast.replay.limit',
      { config: { private: true, broadcast: { replay: { since: 0, limit: 0 } } } },
    ],
    ['config.presence', { config: { presence: 'on' } }],
    ['config.presence.key', { config: { presence: { key: {} } } }],
    ['config.presence.key', { config: { presence: { key: 'k'.repeat(600) } } }],
    ['config.presence.enabled', { config: { presence: { enabled: 'perhaps' } } }],
    ['config.postgres_changes', { config: { postgres_changes: {} } }],
    ['config.postgres_changes', { config: { postgres_changes: Array(101).fill({ event: '*' }) } }],
    ['config.postgres_changes.0', { config: { postgres_changes: ['x'] } }],
    ['config.postgres_changes.0.event', { config: { postgres_changes: [{ event: 1 }] } }],
    ['config.postgres_changes.1.table', { config: { postgres_changes: [{ event: '*' }, { table: [] }] } }],
    ['config.postgres_changes.0.select', { config: { postgres_changes: [{ event: '*', select: 'id' }] } }],
    ['config.postgres_changes_options.timeout', { config: { postgres_changes_options: { timeout: -5 } } }],
  ];
  test.each(CASES)('%s (case %#)', (path, payload) =>
    withSocket(async (socket) => {
      const reply = await socket.reply(socket.send('realtime:sala', 'phx_join', payload, '1'));
      expect(reply.payload.status).toBe('error');
      expect(reply.payload.response.reason).toMatch(
        new RegExp(`^InvalidJoinPayload: ${path}: unable to parse`),
      );
      // It has not joined all the same.
      const sent = await socket.reply(socket.send('realtime:sala', 'broadcast', { event: 'x' }));
      expect(sent.payload.response.reason).toBe('unmatched topic');
    }),
  );

  test('but words for yes and no, and parts that are null, are understood', () =>
    withSocket(async (socket) => {
      const config = {
        private: 'False',
        broadcast: { ack: 'true', self: null },
        presence: { key: 5, enabled: 'true' },
        postgres_changes: null,
        postgres_changes_options: null,
      };
      expect((await socket.join('realtime:sala', config)).payload.status).toBe('ok');
      expect(
        (await socket.reply(socket.send('realtime:b', 'phx_join', { config: null }))).payload.status,
      ).toBe('ok');
      expect((await socket.reply(socket.send('realtime:c', 'phx_join', null))).payload.status).toBe('ok');
    }));

  test('and so is a topic without a name', () =>
    withSocket(async (socket) => {
      const reply = await socket.join('realtime:');
      expect(reply.payload.response.reason).toBe('TopicNameRequired: You must provide a topic name');
    }));
});

describe('limits', () => {
  const reasonOf = async (reply: Promise<{ payload: { response: { reason?: string } } }>) =>
    (await reply).payload.response.reason;

  test('more channels than allowed are refused, and a left one makes room', async () => {
    const socket = await openSocket(narrow);
    for (const name of ['a', 'b', 'c'])
      expect(await reasonOf(socket.join(`realtime:${name}`))).toBeUndefined();
    expect(await reasonOf(socket.join('realtime:d'))).toBe('ChannelRateLimitReached: Too many channels');
    await socket.reply(socket.send('realtime:a', 'phx_leave'));
    expect(await reasonOf(socket.join('realtime:d'))).toBeUndefined();
    // Joining a joined one again takes no more room.
    expect(await reasonOf(socket.join('realtime:d'))).toBeUndefined();
    socket.close();
  });

  test('more joins than allowed are refused', async () => {
    const socket = await openSocket(narrow);
    for (let join = 0; join < 6; join += 1) expect(await reasonOf(socket.join('realtime:a'))).toBeUndefined();
    expect(await reasonOf(socket.join('realtime:a'))).toBe(
      'ClientJoinRateLimitReached: Too many joins per second',
    );
    socket.close();
  });

  test('more messages than allowed end the channel with a word why; heartbeats are not counted', async () => {
    const socket = await openSocket(narrow);
    await socket.join('realtime:a');
    for (let beat = 0; beat < 20; beat += 1) await socket.reply(socket.send('phoenix', 'heartbeat'));
    for (let count = 0; count < 8; count += 1) socket.send('realtime:a', 'broadcast', { event: 'x' });
    expect((await socket.event('system')).payload).toEqual({
      extension: 'system',
      status: 'error',
      message: 'Too many messages per second',
      channel: 'a',
    });
    await socket.event('phx_close');
    socket.close();
  });

  test('a socket is listened to as before when the clock is set back', async () => {
    let at = Date.now();
    const turned = await startRealtime({ now: () => new Date(at) });
    onTestFinished(() => turned.app.close());
    const socket = await openSocket(turned);
    onTestFinished(() => socket.close());
    await socket.join('realtime:a', { broadcast: { ack: true } });
    at -= 3_600_000;
    const reply = await socket.reply(socket.send('realtime:a', 'broadcast', { event: 'x' }));
    expect(reply.payload.status).toBe('ok');
    expect((await socket.join('realtime:b')).payload.status).toBe('ok');
  });
});
