import { Socket } from 'node:net';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase, type Database } from './database.ts';
import {
  type KeepableSession,
  type KeepSessionOptions,
  keepSession,
  openSession,
  type Session,
  type SessionLoss,
  type SessionOptions,
} from './keep-session.ts';

type FakeSession = KeepableSession & { becomeReady(): void; end(error?: Error): void };

const FIRST_MS = 100;
const MAX_MS = 1_000;

/** A kept session whose connections do what the test says. */
function keepFake(options: Partial<KeepSessionOptions<FakeSession>> = {}) {
  const opened: FakeSession[] = [];
  const losses: SessionLoss[] = [];
  const onReady = vi.fn();
  const kept = keepSession<FakeSession>({
    open(becomeReady) {
      const { promise: ended, resolve: end } = Promise.withResolvers<Error | undefined>();
      const session = { ended, becomeReady, end, close: vi.fn(async (reason?: Error) => end(reason)) };
      opened.push(session);
      return session;
    },
    onReady,
    onLost: (loss) => losses.push(loss),
    firstDelayMs: FIRST_MS,
    maxDelayMs: MAX_MS,
    ...options,
  });
  const newest = () => opened.at(-1) as FakeSession;
  /** Ends the newest session and waits until the next one is tried. */
  async function lose(error?: Error): Promise<number> {
    newest().end(error);
    await vi.advanceTimersByTimeAsync(0);
    const { delayMs = 0 } = losses.at(-1) ?? {};
    await vi.advanceTimersByTimeAsync(Math.ceil(delayMs));
    return delayMs;
  }
  return { kept, opened, newest, losses, lose, onReady };
}

describe('a kept session', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is handed out while it is ready, and not before or after', async () => {
    const { kept, newest, onReady } = keepFake();
    const first = newest();
    expect(kept.current()).toBe(undefined);
    first.becomeReady();
    expect(kept.current()).toBe(first);
    expect(onReady).toHaveBeenCalledTimes(1);
    first.end(new Error('cut'));
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.current()).toBe(undefined);
    await kept.stop();
  });

  it('is opened again after a loss, each time later, up to a bound, and never all at the same moment', async () => {
    const { kept, opened, losses, lose } = keepFake();
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) delays.push(await lose(new Error('no')));
    expect(opened).toHaveLength(7);
    for (const [round, most] of [100, 200, 400, 800, 1_000, 1_000].entries()) {
      expect(delays[round]).toBeGreaterThanOrEqual(most / 2);
      expect(delays[round]).toBeLessThanOrEqual(most);
    }
    expect(losses.map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(losses.every(({ wasReady }) => !wasReady)).toBe(true);
    await kept.stop();
  });

  it('is not opened again before its delay is over', async () => {
    const { kept, opened, newest, losses } = keepFake();
    newest().end(new Error('cut'));
    await vi.advanceTimersByTimeAsync(FIRST_MS / 2 - 1);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(Math.ceil(losses[0]?.delayMs ?? 0));
    expect(opened).toHaveLength(2);
    await kept.stop();
  });

  it('begins with the first delay again once it was ready, and says what may have been missed', async () => {
    const { kept, newest, losses, lose } = keepFake();
    for (let round = 0; round < 4; round += 1) await lose(new Error('no'));
    newest().becomeReady();
    expect(await lose(new Error('cut'))).toBeLessThanOrEqual(FIRST_MS);
    expect(losses.at(-1)).toMatchObject({ error: new Error('cut'), wasReady: true, failures: 1 });
    await kept.stop();
  });

  it('that must be steady keeps its delay while it is lost soon, and begins anew when it has held', async () => {
    const { kept, newest, lose } = keepFake({ steadyMs: 10_000 });
    for (let round = 0; round < 4; round += 1) await lose(new Error('no'));
    newest().becomeReady();
    expect(await lose(new Error('cut'))).toBeGreaterThanOrEqual(MAX_MS / 2);
    newest().becomeReady();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await lose(new Error('cut'))).toBeLessThanOrEqual(FIRST_MS);
    await kept.stop();
  });

  it('waits as long as it is told for a failure that passes at its own pace', async () => {
    const fixedDelayMs = (error: Error) => (error.message === 'set me up' ? 30_000 : undefined);
    const { kept, lose } = keepFake({ fixedDelayMs });
    expect(await lose(new Error('set me up'))).toBe(30_000);
    expect(await lose(new Error('no'))).toBeLessThanOrEqual(FIRST_MS);
    await kept.stop();
  });

  it('that ends without a reason is opened again, too', async () => {
    const { kept, opened, losses, lose } = keepFake();
    await lose();
    expect(opened).toHaveLength(2);
    expect(losses[0]?.error.message).toBe('the session was closed');
    await kept.stop();
  });

  it.each(['opening', 'ready', 'waiting'] as const)(
    'that is stopped while it is %s ends, and says no more',
    async (state) => {
      const { kept, opened, newest, losses, onReady } = keepFake();
      const first = newest();
      if (state !== 'opening') first.becomeReady();
      if (state === 'waiting') {
        first.end(new Error('cut'));
        await vi.advanceTimersByTimeAsync(0);
      }
      const before = { losses: losses.length, ready: onReady.mock.calls.length };
      await kept.stop();
      first.becomeReady();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(first.close).toHaveBeenCalledTimes(state === 'waiting' ? 0 : 1);
      expect([opened.length, kept.current()]).toEqual([1, undefined]);
      expect({ losses: losses.length, ready: onReady.mock.calls.length }).toEqual(before);
      await kept.stop();
    },
  );
});

describe('a session of Postgres', () => {
  let database: ThrowawayDatabase;
  let db: Database;
  const sockets: Socket[] = [];
  const openSocket = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  beforeAll(async () => {
    database = await createThrowawayDatabase();
    db = createDatabase({ ...database.authenticator, max: 1, stream: openSocket });
  });
  afterAll(async () => {
    await db.pool.end();
    await database.drop();
  });

  const NAME = 'linkoteca test session';
  const countSessions = async () => {
    const text = 'select from pg_stat_activity where application_name = $1 and datname = current_database()';
    return (await database.admin.query(text, [NAME])).rowCount;
  };
  const cut = () =>
    database.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [NAME],
    );

  function keep(setUp = 'listen test_channel', options: Pick<SessionOptions, 'lifeMs' | 'answerMs'> = {}) {
    const payloads: (string | undefined)[] = [];
    const losses: SessionLoss[] = [];
    const kept = keepSession<Session>({
      open: (onReady) =>
        openSession(db, {
          ...options,
          name: NAME,
          setUp,
          onReady,
          onNotification: (payload) => payloads.push(payload),
        }),
      onLost: (loss) => losses.push(loss),
      firstDelayMs: 20,
      maxDelayMs: 100,
    });
    onTestFinished(() => kept.stop());
    return { kept, payloads, losses };
  }

  it('hears what is notified, and again after it was cut', async () => {
    const { kept, payloads, losses } = keep();
    await expect.poll(kept.current).toBeDefined();
    await database.admin.query(`notify test_channel, 'one'`);
    await expect.poll(() => payloads).toEqual(['one']);
    await cut();
    await expect.poll(() => losses).toHaveLength(1);
    expect(losses[0]).toMatchObject({ wasReady: true, failures: 1 });
    await expect.poll(kept.current).toBeDefined();
    await database.admin.query(`notify test_channel, 'two'`);
    await expect.poll(() => payloads).toEqual(['one', 'two']);
    await expect.poll(countSessions).toBe(1);
  });

  it('whose other side is gone without a word is given up, and the next one hears what comes', async () => {
    const { kept, payloads, losses } = keep('listen test_channel', { lifeMs: 50, answerMs: 500 });
    await expect.poll(kept.current).toBeDefined();
    // Nothing comes from it any more, and nothing ends it.
    for (const socket of sockets) socket.pause();
    await expect.poll(() => losses.some(({ wasReady }) => wasReady)).toBe(true);
    const hear = async () => {
      await database.admin.query(`notify test_channel, 'two'`);
      return payloads;
    };
    await expect.poll(hear).toContain('two');
  });

  it('keeps to itself what is notified before it is ready', async () => {
    const { kept, payloads } = keep(`listen test_channel; notify test_channel, 'early'`);
    await expect.poll(kept.current).toBeDefined();
    await database.admin.query(`notify test_channel, 'one'`);
    await expect.poll(() => payloads).toEqual(['one']);
  });

  it('answers queries as the login role, and leaves nothing behind when it is stopped', async () => {
    const { kept } = keep();
    await expect.poll(kept.current).toBeDefined();
    const answer = await kept
      .current()
      ?.query({ text: 'select current_user as role, $1::int as n', values: [7] });
    expect(answer).toEqual({ rows: [{ role: 'authenticator', n: 7 }], rowCount: 1 });
    await kept.stop();
    await expect.poll(countSessions).toBe(0);
  });

  it('whose set-up fails is never ready, is closed, and is tried again', async () => {
    const { kept, losses } = keep('select 1 from there_is_no_such_table');
    await expect.poll(() => losses.length).toBeGreaterThan(2);
    expect(losses[0]?.error.message).toContain('there_is_no_such_table');
    expect(losses.some(({ wasReady }) => wasReady)).toBe(false);
    expect(kept.current()).toBe(undefined);
    await kept.stop();
    await expect.poll(countSessions).toBe(0);
  });

  it('that is stopped while it connects leaves nothing behind and is never ready', async () => {
    const { kept, losses } = keep();
    await kept.stop();
    expect([kept.current(), losses]).toEqual([undefined, []]);
    await expect.poll(countSessions).toBe(0);
  });
});
