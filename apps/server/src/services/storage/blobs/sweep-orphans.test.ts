import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { FILES_STAY_LOCK } from '@linkoteca/backup/hold-files';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { BlobStore } from './blob-store.ts';
import { sweepOrphans } from './sweep-orphans.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
const A_DAY_AGO = new Date('2026-03-01T12:00:00Z');
const EARLIER = new Date(A_DAY_AGO.getTime() - 1);

let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

/** What lies in the store, by its key. */
let lying: Map<string, Date>;
let removed: number[];
let unfinished: Date[];
beforeEach(() => {
  lying = new Map();
  removed = [];
  unfinished = [];
});

function keep(count: number, modifiedAt = EARLIER): readonly string[] {
  const versions = Array.from({ length: count }, () => randomUUID());
  for (const version of versions) lying.set(`arquivos/${version}`, modifiedAt);
  return versions;
}

const record = (versions: readonly string[]) =>
  database.admin.query(
    `insert into storage.objects (bucket_id, name, version) select 'arquivos', 'x/' || v, v from unnest($1::text[]) v`,
    [versions],
  );

async function sweep(
  swept: Database = db,
  {
    whileListing = async () => undefined as unknown,
  }: { readonly whileListing?: () => Promise<unknown> } = {},
) {
  const blobs = {
    async *list() {
      await whileListing();
      for (const [key, modifiedAt] of lying) yield { key, modifiedAt };
    },
    async remove(keys: readonly string[]) {
      removed.push(keys.length);
      for (const key of keys) lying.delete(key);
    },
    async removeUnfinished(before: Date) {
      unfinished.push(before);
    },
  } as unknown as BlobStore;
  const warned: unknown[] = [];
  const logger = { info: () => undefined, warn: (fields: object) => void warned.push(fields) };
  return { report: await sweepOrphans({ db: swept, blobs, now: () => NOW, logger }), warned };
}

it('what is a day old to the moment may still get its record', async () => {
  keep(1, EARLIER);
  const [fresh] = keep(1, A_DAY_AGO);
  expect(await sweep()).toEqual({ report: { seen: 2, removed: 1 }, warned: [] });
  expect([...lying.keys()]).toEqual([`arquivos/${fresh}`]);
  expect(unfinished).toEqual([A_DAY_AGO]);
});

it('a hundred may all be orphans, and more of them no more than half of what lies there', async () => {
  keep(100);
  expect((await sweep()).report).toEqual({ seen: 100, removed: 100 });
  keep(101);
  await record(keep(101));
  expect(await sweep()).toEqual({ report: { seen: 202, removed: 101 }, warned: [] });
  keep(102);
  const { report, warned } = await sweep();
  expect([report, warned]).toEqual([{ seen: 203, removed: 0 }, [{ seen: 203, orphans: 102 }]]);
  expect(removed).toEqual([100, 101]);
});

it('more than one batch is asked about and removed, each once', async () => {
  const known = keep(1_100);
  await record(known);
  keep(1_001);
  expect((await sweep()).report).toEqual({ seen: 2_101, removed: 1_001 });
  expect(removed).toEqual([500, 500, 1]);
  expect(new Set(lying.keys())).toEqual(new Set(known.map((version) => `arquivos/${version}`)));
});

it('nothing is touched while a backup copies files, whose records may be gone by now', async () => {
  keep(1);
  const backup = await database.admin.connect();
  await backup.query(`select pg_advisory_lock(${FILES_STAY_LOCK})`);
  expect((await sweep()).report).toBeUndefined();
  expect([lying.size, unfinished]).toEqual([1, []]);
  await backup.query(`select pg_advisory_unlock(${FILES_STAY_LOCK})`);
  backup.release();
  expect((await sweep()).report).toEqual({ seen: 1, removed: 1 });
});

it('a store that takes longer than a session may be idle is swept in one turn, and no backup begins meanwhile', async () => {
  keep(1);
  const impatient = createDatabase({
    ...database.authenticator,
    max: 4,
    options: '-c idle_in_transaction_session_timeout=300',
  });
  onTestFinished(() => impatient.pool.end());
  let isFree: unknown;
  const whileListing = async () => {
    await wait(1_000);
    const { rows } = await database.admin.query(
      `select pg_try_advisory_xact_lock(${FILES_STAY_LOCK}) as free`,
    );
    isFree = rows[0].free;
  };
  expect((await sweep(impatient, { whileListing })).report).toEqual({ seen: 1, removed: 1 });
  expect(isFree).toBe(false);
});

it('a sweep whose session is ended removes nothing more', async () => {
  keep(1);
  const whileListing = () =>
    database.admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = 'sweep bytes without a record'`,
    );
  await expect(sweep(db, { whileListing })).rejects.toThrow();
  expect([lying.size, removed]).toEqual([1, []]);
});

it('an empty store is swept as well', async () => {
  expect((await sweep()).report).toEqual({ seen: 0, removed: 0 });
  expect(removed).toEqual([]);
});

it('the parts of an upload that is not finished are somebody’s', async () => {
  const [part, orphan] = keep(2);
  await database.admin.query(
    `insert into storage.resumable_uploads (id, bucket_id, name, role, upsert, metadata, upload_length, parts)
     values (gen_random_uuid(), 'arquivos', 'x', 'service_role', false, '{}', 10, array[$1::uuid])`,
    [part],
  );
  expect((await sweep()).report).toEqual({ seen: 2, removed: 1 });
  expect([...lying.keys()]).toEqual([`arquivos/${part}`]);
  expect(lying.has(`arquivos/${orphan}`)).toBe(false);
});
