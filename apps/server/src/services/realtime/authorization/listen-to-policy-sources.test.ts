import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { ChangeFeed, FeedListener } from '../feed/change-feed.ts';
import { createChangeFeed } from '../feed/create-change-feed.ts';
import { type ChangedValues, listenToPolicySources } from './listen-to-policy-sources.ts';

const logger = createLogger('silent');
const publications = ['supabase_realtime', 'linkoteca_policy_sources'];

let database: ThrowawayDatabase;
let db: Database;
let feed: ChangeFeed;
let owner: TestUser;
let bia: TestUser;
let folderId: string;
let clock = new Date();
const now = () => clock;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 2 });
  feed = createChangeFeed({ connection: database.connection, publications, db, logger, now });
  owner = await createUser(database.admin, { plan: 'pro' });
  bia = await createUser(database.admin);
  const made = await run(`insert into folders (name) values ('Pasta') returning id`);
  folderId = String(made.rows[0]?.['id']);
});
afterAll(async () => {
  await feed.stop();
  await db.pool.end();
  await database.drop();
});

let heard: ChangedValues[];
let stop: () => void;
beforeEach(async () => {
  heard = [];
  stop = listenToPolicySources({ feed, db, publications, logger, now }, (values) => heard.push(values));
  await feed.whenLive(20_000);
});
afterEach(() => stop());

const run = (text: string, ...values: unknown[]) => queryAs(database, owner, text, values);
const invite = () =>
  run(`insert into folder_members (folder_id, email, role) values ($1, $2, 'editor')`, folderId, bia.email);
const remove = () => run('delete from folder_members where email = $1', bia.email);
const rename = (name: string) => run('update folders set name = $2 where id = $1', folderId, name);
const tells = (value: string) => heard.some((values) => values?.has(value));

test('whom a row names is told when it comes, changes and goes, once it can be seen', async () => {
  await invite();
  await expect.poll(() => tells(bia.id)).toBe(true);
  heard = [];
  await run(`update folder_members set role = 'viewer' where email = $1`, bia.email);
  await expect.poll(() => tells(bia.id) && tells('viewer')).toBe(true);
  heard = [];
  await remove();
  await expect.poll(() => tells(bia.id)).toBe(true);
  expect(tells(bia.email)).toBe(true);
});

/** Until they are known each table may be one: better asked once too often. */
const untilKnown = () =>
  expect
    .poll(async () => {
      heard = [];
      await rename(`Pasta ${Math.random()}`);
      await invite();
      await expect.poll(() => tells(bia.id)).toBe(true);
      await remove();
      return heard.some((values) => [...(values ?? [])].some((value) => value.startsWith('Pasta ')));
    })
    .toBe(false);

test(
  'of tables that no policy of private channels reads nothing is told, as soon as they are known',
  untilKnown,
);

test.each([
  ['a minute later', 61_000],
  ['when the clock is set back', -3_600_000],
])('a policy that comes later is known %s', async (_when, ms) => {
  await untilKnown();
  await database.admin.query(`
    create function private.reads_folders() returns boolean language sql stable return exists (select from public.folders);
    comment on function private.reads_folders() is 'realtime: reads public.folders';
    create policy later on realtime.messages for select using (private.reads_folders())`);
  try {
    clock = new Date(clock.getTime() + ms);
    await expect
      .poll(async () => {
        await rename('Depois');
        await rename('Antes');
        return tells('Depois');
      })
      .toBe(true);
  } finally {
    await database.admin.query(
      'drop policy later on realtime.messages; drop function private.reads_folders()',
    );
  }
});

test('a gap is told as a change of everything', async () => {
  await feed.whenLive(20_000);
  await database.admin.query('truncate folder_members');
  await expect.poll(() => heard.includes(null), { timeout: 20_000 }).toBe(true);
});

test('while the database is away every change is told, and it is asked once at a time', async () => {
  const away = createDatabase({ ...database.authenticator, host: '127.0.0.1', port: 1, max: 1 });
  const warned: string[] = [];
  let listener: FeedListener | undefined;
  const fed: Pick<ChangeFeed, 'listen'> = {
    listen(given) {
      listener = given;
      return () => undefined;
    },
  };
  const warn = (_: unknown, text?: string) => warned.push(text ?? '');
  const told: ChangedValues[] = [];
  listenToPolicySources({ feed: fed, db: away, publications, logger: { warn } as never, now }, (values) =>
    told.push(values),
  );
  const change = (value: string) => {
    listener?.change?.({ table: { oid: 1 }, row: [value, null, ''], oldRow: null } as never);
  };
  try {
    for (const value of ['a', 'b', 'c']) change(value);
    listener?.commit?.({} as never);
    expect(told).toEqual([new Set(['a', 'b', 'c'])]);
    await expect
      .poll(() => warned)
      .toEqual(['what the policies of private channels read could not be asked for']);
    // The next change asks anew.
    change('d');
    await expect.poll(() => warned).toHaveLength(2);
    expect(warned).toHaveLength(2);
  } finally {
    await away.pool.end();
  }
});
