import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase } from '../../../kernel/database.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { createChangeFeed } from '../feed/create-change-feed.ts';
import { type ClusterBus, HERE, type PeerMessage, prefixOf } from './cluster-bus.ts';
import { createClusterBus } from './create-cluster-bus.ts';

type Copy = {
  readonly bus: ClusterBus;
  readonly received: { from: string; message: PeerMessage }[];
  readonly joined: string[];
  readonly left: string[];
  stop(): Promise<void>;
  /** As the others see kill -9: its session ends without a good-bye and does not come back. */
  die(): Promise<void>;
};

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const running = new Set<Copy>();
afterEach(async () => {
  held = undefined;
  await Promise.all([...running].map((copy) => copy.stop()));
});

const logger = createLogger('silent');
/** The copies' own clock, where a test holds it. */
let held: number | undefined;
const now = () => new Date(held ?? Date.now());

function openFeed() {
  const db = createDatabase({ ...database.authenticator, max: 2 });
  const feed = createChangeFeed({
    connection: database.connection,
    publications: ['supabase_realtime'],
    db,
    logger,
    now,
  });
  const stop = async () => {
    await feed.stop();
    await db.pool.end();
  };
  return { db, feed, stop };
}

function startCopy(
  change: (feed: ChangeFeed) => ChangeFeed = (feed) => feed,
  log: Pick<Logger, 'warn' | 'info' | 'error'> = logger,
): Copy {
  const { db, feed, stop } = openFeed();
  const bus = createClusterBus({ db, feed: change(feed), logger: log, now });
  const copy: Copy = {
    bus,
    received: [],
    joined: [],
    left: [],
    stop: async () => {
      if (!running.delete(copy)) return;
      await bus.stop();
      await stop();
    },
    die: async () => {
      db.pool.options.host = '/nowhere';
      await cutSession(copy);
    },
  };
  bus.listen({
    message: (from, message) => copy.received.push({ from, message }),
    joined: (copyId) => copy.joined.push(copyId),
    left: (copyId) => copy.left.push(copyId),
  });
  running.add(copy);
  return copy;
}

const meet = async (...copies: Copy[]) => {
  for (const copy of copies)
    for (const other of copies)
      if (other !== copy) await expect.poll(() => copy.joined).toContain(other.bus.copyId);
};

const textsReceived = (copy: Copy, from: Copy) =>
  copy.received.filter((one) => one.from === from.bus.copyId).map(({ message }) => message['text']);

const sessionsOf = (copy: Copy) =>
  database.admin.query(`select pid from pg_stat_activity where application_name = $1`, [
    `linkoteca copy ${copy.bus.copyId}`,
  ]);

const cutSession = (copy: Copy) =>
  database.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`, [
    `linkoteca copy ${copy.bus.copyId}`,
  ]);

/** Which copies have written to the log, as the feed of an outsider shows. */
async function recordWriters(): Promise<{ readonly writers: string[]; stop(): Promise<void> }> {
  const { feed, stop } = openFeed();
  const writers: string[] = [];
  feed.listen({ message: (prefix) => writers.push(prefix) });
  await feed.whenLive(20_000);
  return { writers, stop };
}

describe('copies of the server', () => {
  it('that start at once find each other, and hear each other in order, never themselves', async () => {
    const [first, second, third] = [startCopy(), startCopy(), startCopy()];
    await meet(first, second, third);
    for (let index = 0; index < 200; index += 1) {
      first.bus.publish({ kind: 'test', text: index });
      second.bus.publish({ kind: 'test', text: `olá "ção" ${index}` });
    }
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    await expect.poll(() => textsReceived(third, first).length).toBe(200);
    await expect.poll(() => textsReceived(first, second).length).toBe(200);
    expect(textsReceived(third, first)).toEqual(numbers);
    expect(textsReceived(first, second)).toEqual(numbers.map((index) => `olá "ção" ${index}`));
    await expect.poll(() => textsReceived(second, first).length).toBe(200);
    expect(first.received.every(({ from }) => from !== first.bus.copyId)).toBe(true);
  });

  it('that are alone write nothing to the log and do not read it', async () => {
    const alone = startCopy();
    await expect.poll(async () => (await sessionsOf(alone)).rowCount).toBe(1);
    const outsider = await recordWriters();
    for (let index = 0; index < 50; index += 1) alone.bus.publish({ kind: 'test', text: index });
    await database.admin.query(`select pg_logical_emit_message(true, 'end', '')`);
    await expect.poll(() => outsider.writers).toEqual(['end']);
    const readers = `select from pg_replication_slots where database = current_database()`;
    expect((await database.admin.query(readers)).rowCount).toBe(1);
    await outsider.stop();
    const second = startCopy();
    await meet(alone, second);
    alone.bus.publish({ kind: 'test', text: 'agora' });
    await expect.poll(() => textsReceived(second, alone)).toEqual(['agora']);
  });

  it('take a message of a megabyte, and a thousand small ones at once', async () => {
    const [first, second] = [startCopy(), startCopy()];
    await meet(first, second);
    const large = 'é'.repeat(1_000_000);
    first.bus.publish({ kind: 'test', text: large });
    for (let index = 0; index < 1_000; index += 1) first.bus.publish({ kind: 'test', text: index });
    await expect.poll(() => second.received.length).toBe(1_001);
    expect(second.received[0]?.message['text']).toBe(large);
    expect(second.received.at(-1)?.message['text']).toBe(999);
  });

  it('say good-bye when they stop: the others know at once, and only once', async () => {
    const [first, second, third] = [startCopy(), startCopy(), startCopy()];
    await meet(first, second, third);
    // While the clock stands still nobody is missed: only a good-bye can tell.
    held = Date.now();
    await second.stop();
    await expect.poll(() => first.left).toEqual([second.bus.copyId]);
    // Whoever is missed now was looked for as long as the one who has left.
    await third.die();
    const missed = () => {
      held = (held ?? 0) + 500;
      return first.left;
    };
    await expect.poll(missed).toEqual([second.bus.copyId, third.bus.copyId]);
  });

  // How soon is a matter of the registry, and of how often it is asked.
  it('are missed when they die without a word', async () => {
    const [first, second] = [startCopy(), startCopy()];
    await meet(first, second);
    await second.die();
    await expect.poll(() => first.left).toEqual([second.bus.copyId]);
  });

  it('are not missed when only a connection breaks, and nothing they say is lost or said twice', async () => {
    const [first, second] = [startCopy(), startCopy()];
    await meet(first, second);
    held = Date.now();
    for (let index = 0; index < 60; index += 1) {
      second.bus.publish({ kind: 'test', text: index });
      if (index % 20 === 10) await cutSession(second);
      await new Promise((resolve) => setTimeout(resolve, 10));
      // By this clock a break is short, however long a busy machine takes.
      held += 20;
    }
    await expect.poll(() => textsReceived(first, second).length).toBe(60);
    expect(textsReceived(first, second)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    expect(first.left).toEqual([]);
  });

  it('ask for everything again after a gap in the feed', async () => {
    let tear: (() => void) | undefined;
    const first = startCopy();
    const second = startCopy((feed) => ({
      ...feed,
      listen: (listener) => {
        tear = () => listener.gap?.('test');
        return feed.listen(listener);
      },
    }));
    await meet(first, second);
    const before = first.joined.length;
    tear?.();
    await expect.poll(() => first.joined.slice(before)).toEqual([second.bus.copyId]);
    expect([first.left, second.left]).toEqual([[], []]);
  });

  it('find each other again when Postgres has cut every connection', async () => {
    const [first, second] = [startCopy(), startCopy()];
    await meet(first, second);
    await database.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const joinedAgain = () => [first, second].map(({ joined }) => joined.length > 1);
    await expect.poll(joinedAgain).toEqual([true, true]);
    first.bus.publish({ kind: 'test', text: 'de volta' });
    await expect.poll(() => textsReceived(second, first)).toEqual(['de volta']);
    expect([first.left, second.left]).toEqual([[], []]);
  });

  it('greet again whom they have missed, also when the clock is set back', async () => {
    const missed: string[] = [];
    let isDeaf = true;
    const first = startCopy();
    const second = startCopy((feed) => ({
      ...feed,
      listen: (listener) =>
        feed.listen({
          ...listener,
          message: (prefix, content) =>
            isDeaf ? void missed.push(content.toString()) : listener.message?.(prefix, content),
        }),
    }));
    await expect.poll(() => missed.join()).toContain(HERE.kind);
    // Nothing is on its way any more that could be the answer.
    held = Date.now();
    first.bus.publish({ kind: 'test', text: 'o último' });
    await expect.poll(() => missed.join()).toContain('o último');
    expect(second.joined).toEqual([]);
    isDeaf = false;
    held -= 6 * 3_600_000;
    await meet(first, second);
  });

  it('that cannot hear the log serve their own people, and say so once', async () => {
    const warn = vi.fn();
    const deaf = startCopy(
      (feed) => ({
        ...feed,
        isLive: () => false,
        listen: () => () => undefined,
        whenLive: () => Promise.reject(new Error('no log')),
      }),
      { ...logger, warn },
    );
    const other = startCopy();
    await expect
      .poll(() => warn.mock.calls.map(([, text]) => text))
      .toEqual(['the other copies of the server cannot be heard']);
    const isHeard = () => {
      deaf.bus.publish({ kind: 'test', text: 'alguém?' });
      return textsReceived(other, deaf).length > 0;
    };
    await expect.poll(isHeard).toBe(true);
    expect(other.joined).toEqual([deaf.bus.copyId]);
    expect(deaf.joined).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(warn.mock.calls.length).toBe(1);
  });

  it('pay no heed to what is not theirs or cannot be understood', async () => {
    const [first, second] = [startCopy(), startCopy()];
    await meet(first, second);
    const emit = (prefix: string, content: string) =>
      database.admin.query('select pg_logical_emit_message(true, $1, $2)', [prefix, content]);
    await emit('somebody else', '{"number":1,"messages":[{"kind":"test"}]}');
    for (const content of ['', 'nada', '[]', '{"number":99}', '{"number":99,"messages":[1]}'])
      await emit(prefixOf(second.bus.copyId), content);
    second.bus.publish({ kind: 'test', text: 'depois' });
    await expect
      .poll(() => first.received.map(({ message }) => message))
      .toEqual([{ kind: 'test', text: 'depois' }]);
  });
});
