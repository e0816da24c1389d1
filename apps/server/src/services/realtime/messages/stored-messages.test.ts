import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { createChangeFeed } from '../feed/create-change-feed.ts';
import type { StoredMessage } from './stored-message.ts';
import { listenToStoredMessages, scheduleMessagePartitions } from './stored-messages.ts';

const logger = createLogger('silent');
const now = () => new Date();

let database: ThrowawayDatabase;
let db: Database;
let feed: ChangeFeed;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  feed = createChangeFeed({
    connection: database.connection,
    publications: ['supabase_realtime', 'supabase_realtime_messages_publication'],
    db,
    logger,
    now,
  });
});
afterAll(async () => {
  await feed.stop();
  await db.pool.end();
  await database.drop();
});

let received: StoredMessage[];
let stop: () => void;
/** A topic of its own for each test: what the one before has sent may come late. */
let room: string;
let rooms = 0;
const receive = (message: StoredMessage) => {
  if ([room, 'silent'].includes(message.topic)) received.push(message);
};
beforeEach(() => {
  received = [];
  rooms += 1;
  room = `room ${rooms}`;
  stop = listenToStoredMessages({ feed, db, logger, now }, receive);
});
afterEach(() => stop());

const send = (event: string) =>
  database.admin.query(`select realtime.send('{"n": 1}', $1, $2, false)`, [event, room]);
const events = () => received.map(({ event }) => event);

describe('what SQL sends', () => {
  it('is heard with its id, whether it may be public, and its payload as it was written', async () => {
    await database.admin.query(`select realtime.send('{"id": "x", "text": "ção"}', 'e', $1)`, [room]);
    await database.admin.query(`select realtime.send_binary('\\x00ff', 'e', $1, false)`, [room]);
    await expect.poll(() => received.length).toBe(2);
    expect(received).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        topic: room,
        event: 'e',
        isPrivate: true,
        payloadJson: '{"id": "x", "text": "ção"}',
        bytes: null,
      },
      {
        id: expect.any(String),
        topic: room,
        event: 'e',
        isPrivate: false,
        payloadJson: null,
        bytes: Buffer.from([0, 255]),
      },
    ]);
  });

  it('is heard from the first moment on, though the feed is still opening', async () => {
    await feed.stop();
    feed = createChangeFeed({
      connection: database.connection,
      publications: ['supabase_realtime_messages_publication'],
      db,
      logger,
      now,
    });
    stop();
    stop = listenToStoredMessages({ feed, db, logger, now }, receive);
    expect(feed.isLive()).toBe(false);
    await send('early');
    await feed.whenLive(20_000);
    await send('late');
    await expect.poll(events).toEqual(['early', 'late']);
  });

  it('keeps its order when it comes while what was missed is still being read', async () => {
    await feed.whenLive(20_000);
    stop();
    const since = new Date();
    await send('missed');
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const spy = vi.fn();
    const opening: ChangeFeed = {
      ...feed,
      isLive: () => false,
      whenLive: () => gate,
      listen: (listener) =>
        feed.listen({
          ...listener,
          change: (change) => {
            listener.change?.(change);
            spy();
          },
        }),
    };
    stop = listenToStoredMessages({ feed: opening, db, logger, now: () => since }, receive);
    await send('after');
    await expect.poll(() => spy.mock.calls.length).toBeGreaterThan(0);
    expect(events()).toEqual([]);
    open();
    await expect.poll(events).toEqual(['missed', 'after']);
  });

  it('is not heard when its transaction is rolled back, nor are presence, updates and other tables', async () => {
    await feed.whenLive(20_000);
    const client = await database.admin.connect();
    await client.query('begin');
    await client.query(`select realtime.send('{}', 'never', $1)`, [room]);
    await client.query('rollback');
    client.release();
    // From before there was a listener, or a gap of the feed, which a busy machine has, would have it read as missed once it has a name.
    await database.admin.query(
      `insert into realtime.messages (topic, extension, event, inserted_at)
       values ('silent', 'presence', 'e', now()), ('silent', 'broadcast', null, now() - interval '1 hour')`,
    );
    // Only these: what another test sent a moment ago may still be read as missed.
    await database.admin.query(`update realtime.messages set event = 'changed' where topic = 'silent'`);
    await send('end');
    await expect.poll(events).toEqual(['end']);
  });

  it('is heard on a day that has no partition of its own, too', async () => {
    await feed.whenLive(20_000);
    await database.admin.query(
      `insert into realtime.messages (topic, extension, event, inserted_at)
       values ($1, 'broadcast', 'odd day', now() at time zone 'utc' - interval '2 days')`,
      [room],
    );
    await expect.poll(events).toEqual(['odd day']);
  });

  it('while the feed was away is heard when it is back, once', async () => {
    await feed.whenLive(20_000);
    await send('before');
    await expect.poll(events).toEqual(['before']);
    await database.admin.query(
      `alter publication supabase_realtime_messages_publication drop table realtime.messages`,
    );
    await send('during');
    await send('during, too');
    await database.admin.query(
      `alter publication supabase_realtime_messages_publication add table realtime.messages`,
    );
    await database.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and backend_type = 'walsender'`,
    );
    await expect.poll(events).toEqual(['before', 'during', 'during, too']);
    await send('after');
    await expect.poll(events).toEqual(['before', 'during', 'during, too', 'after']);
  });

  it('is heard no more after the end', async () => {
    await feed.whenLive(20_000);
    stop();
    const others: string[] = [];
    const stopOther = listenToStoredMessages({ feed, db, logger, now }, ({ topic, event }) => {
      if (topic === room) others.push(event);
    });
    await send('e');
    await expect.poll(() => others).toEqual(['e']);
    stopOther();
    expect(events()).toEqual([]);
  });
});

describe('the partitions', () => {
  it('are maintained at once and again and again', async () => {
    await database.admin.query('delete from realtime.messages');
    // One that is among the days ahead also when midnight has passed since the database was made.
    const { rows } = await database.admin.query<{ name: string }>(
      `select to_char(now() at time zone 'utc' + interval '2 days', '"realtime.messages_"YYYY_MM_DD') as name`,
    );
    const name = rows[0]?.name ?? '';
    const isThere = async () =>
      (await database.admin.query('select to_regclass($1) is not null as there', [name])).rows[0].there;
    expect(await isThere()).toBe(true);
    await database.admin.query(`drop table ${name}`);
    const stopJob = scheduleMessagePartitions(db, logger, 50);
    await expect.poll(isThere).toBe(true);
    await database.admin.query(`drop table ${name}`);
    await expect.poll(isThere).toBe(true);
    stopJob();
  });

  it('that cannot be maintained are a warning, and no end', async () => {
    const away = createDatabase({ ...database.authenticator, host: '/nowhere' });
    const warn = vi.fn();
    const stopJob = scheduleMessagePartitions(away, { warn }, 20);
    await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
    stopJob();
    await away.pool.end();
  });
});
