import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { RowChange } from './change-feed.ts';
import { createChangeFeed, type MeasuredChangeFeed } from './create-change-feed.ts';

let database: ThrowawayDatabase;
let db: Database;
let feed: MeasuredChangeFeed;
const heard: RowChange[] = [];

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  await database.admin.query('create table public.things (id int primary key, body text)');
  await database.admin.query('alter publication supabase_realtime add table public.things');
  feed = createChangeFeed({
    connection: database.connection,
    publications: ['supabase_realtime', 'nobody_made_this'],
    db,
    logger: createLogger('silent'),
    now: () => new Date(),
  });
  feed.listen({ change: (change) => heard.push(change) });
  await feed.whenLive(5_000);
});
afterAll(async () => {
  await feed.stop();
  const { rows } = await database.admin.query(
    'select * from pg_replication_slots where database = current_database()',
  );
  expect(rows).toEqual([]);
  await db.pool.end();
  await database.drop();
});

describe('the change feed', () => {
  it('hears', async () => {
    await database.admin.query(`insert into public.things values (1, 'a')`);
    await expect.poll(() => heard.length).toBe(1);
    expect(heard[0]).toMatchObject({ type: 'INSERT', row: ['1', 'a'], oldRow: null });
  });
});
