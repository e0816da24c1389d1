import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { asStorageAdmin, createDatabase, type Database } from '../kernel/database.ts';
import type { Settings } from '../kernel/settings.ts';
import { createFolderStore } from '../services/storage/blobs/create-folder-store.ts';
import { sweepOrphans } from '../services/storage/blobs/sweep-orphans.ts';
import { runOnce } from './create-job.ts';
import {
  declareDeletionPurge,
  declareFileSweep,
  declareHistoryPurge,
  declareIdempotencyKeyPurge,
  declareSearchZoneRefresh,
  declareShortIdPurge,
  declareUploadSweep,
} from './sweeps.ts';

let database: ThrowawayDatabase;
let db: Database;
let folder: string;
const warned: unknown[] = [];
const logger = { info: () => undefined, warn: (...words: unknown[]) => warned.push(words) };
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
});
beforeEach(async () => {
  await database.admin.query('delete from private.deletions; delete from private.short_ids');
  folder = await mkdtemp(join(tmpdir(), 'linkoteca-sweep-'));
  return () => rm(folder, { recursive: true });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const depsOf = (dataFolder = folder, s3?: Settings['s3']) => ({
  db,
  blobs: createFolderStore(folder),
  now: () => new Date(),
  logger,
  settings: { dataFolder, s3 },
});
const readRounds = async () =>
  (await database.admin.query('select round from private.finished_rounds')).rows.map(({ round }) => round);
const listVersions = () => readdir(join(folder, 'arquivos'));

/** Bytes under a new version; those of yesterday are old enough to be an orphan's. */
async function keep(when: 'today' | 'before yesterday'): Promise<string> {
  const version = randomUUID();
  await depsOf().blobs.write(`arquivos/${version}`, Readable.from(['x']), { maxBytes: 9 });
  const date = new Date(Date.now() - (when === 'today' ? 80_000_000 : 90_000_000));
  await utimes(join(folder, 'arquivos', version), date, date);
  return version;
}

it('sweeps out the bytes of no file, never those of a file nor those that have just come', async () => {
  const [recorded, orphan, fresh] = [
    await keep('before yesterday'),
    await keep('before yesterday'),
    await keep('today'),
  ];
  await database.admin.query(
    `insert into storage.objects (bucket_id, name, version) values ('arquivos', 'x/a.txt', $1)`,
    [recorded],
  );
  // Another copy at it: nothing is done twice.
  await asStorageAdmin(db, 'another copy', async (tx) => {
    await tx.query({ text: `select pg_try_advisory_xact_lock(hashtextextended('storage sweep', 0))` });
    expect(await sweepOrphans(depsOf())).toBeUndefined();
  });
  expect(await listVersions()).toContain(orphan);

  await runOnce(declareFileSweep(depsOf()));
  expect(await listVersions()).not.toContain(orphan);
  expect(await readRounds()).toContain('file_sweep');
  expect((await listVersions()).sort()).toEqual([recorded, fresh].sort());
});

it('leaves all bytes while a database is kept aside that may name them', async () => {
  const data = await mkdtemp(join(tmpdir(), 'linkoteca-aside-'));
  onTestFinished(() => rm(data, { recursive: true }));
  await database.admin.query('delete from private.finished_rounds');
  const orphan = await keep('before yesterday');
  const sweep = (s3?: Settings['s3']) => runOnce(declareFileSweep(depsOf(data, s3)));
  const recovered = join(data, 'postgres/cluster.before-20270101T000000000Z');
  await mkdir(recovered, { recursive: true });
  await sweep();
  expect(await listVersions()).toEqual([orphan]);
  expect(JSON.stringify(warned.at(-1))).toContain(recovered);
  // It is left to the operator: nobody is called for it.
  expect(await readRounds()).toContain('file_sweep');
  await rm(recovered, { recursive: true });
  await mkdir(join(data, 'before-restore-20270101T000000Z/postgres'), { recursive: true });
  await sweep({ bucket: 'meus' } as Settings['s3']);
  expect(await listVersions()).toEqual([orphan]);
  // Its folder of files was put aside with it.
  await sweep();
  expect(await listVersions()).toEqual([]);
});

it('touches nothing where most of what lies there is not of this database', async () => {
  const strangers = [];
  for (let at = 0; at < 101; at += 1) strangers.push(await keep('before yesterday'));
  expect(await sweepOrphans(depsOf())).toEqual({ seen: 101, removed: 0 });
  expect(await listVersions()).toEqual(expect.arrayContaining(strangers));
  expect(JSON.stringify(warned)).toContain('most files here have no record in this database');
});

async function deleteSomething(age: string): Promise<void> {
  const { id } = await createUser(database.admin);
  await database.admin.query(
    `with gone as (
       insert into private.deletions (user_id, transaction_id, deleted_at, purge_after, link_count, category_count, zones_until)
       values ($1, pg_current_xact_id(), now() - $2::interval, now() - $2::interval + interval '30 days', 1, 0, '-infinity')
       returning id
     )
     insert into private.deleted_rows (deletion_id, kind, id, content) select id, 'link', gen_random_uuid(), '{}' from gone`,
    [id, age],
  );
}

it('deletes for good what was in the bin for thirty days, and leaves what may still be restored', async () => {
  await deleteSomething('30 days');
  await deleteSomething('29 days');
  await runOnce(declareDeletionPurge(db, logger));
  const { rows } = await database.admin.query('select count(*)::int as n from private.deleted_rows');
  expect(rows[0].n).toBe(1);
});

it('throws away what nobody went on with for a day, and keeps younger uploads', async () => {
  const [old, young] = [await keep('today'), await keep('today')];
  for (const [version, hours] of [
    [old, 25],
    [young, 23],
  ])
    await database.admin.query(
      `insert into storage.resumable_uploads (id, bucket_id, name, role, upsert, metadata, upload_length, parts, created_at)
       values (gen_random_uuid(), 'arquivos', 'x', 'service_role', false, '{}', 10, array[$1::uuid], now() - make_interval(hours => $2))`,
      [version, hours],
    );
  await runOnce(declareUploadSweep(depsOf()));
  expect(await listVersions()).toEqual([young]);
});

it('forgets idempotency keys after their day, and keeps younger ones', async () => {
  const { id } = await createUser(database.admin);
  await database.admin.query(
    `insert into private.idempotency_keys (user_id, program, key, request, created_at)
     select $1, 'p', hours::text, 'x', now() - make_interval(hours => hours) from unnest(array[23, 25, 400]) as hours`,
    [id],
  );
  await runOnce(declareIdempotencyKeyPurge(db, logger));
  const { rows } = await database.admin.query('select key from private.idempotency_keys');
  expect(rows).toEqual([{ key: '23' }]);
});

it('forgets the numbers of what is neither there nor in a bin', async () => {
  const { id } = await createUser(database.admin);
  const [present, binned, gone] = [randomUUID(), randomUUID(), randomUUID()];
  await database.admin.query(`insert into tags (id, user_id, name) values ($1, $2, 'a')`, [present, id]);
  await deleteSomething('1 day');
  await database.admin.query(
    'update private.deleted_rows set id = $1 where deletion_id = (select max(deletion_id) from private.deleted_rows)',
    [binned],
  );
  await database.admin.query('insert into private.short_ids (user_id, id) select $1, unnest($2::uuid[])', [
    id,
    [present, binned, gone],
  ]);
  await runOnce(declareShortIdPurge(db, logger));
  const { rows } = await database.admin.query('select id from private.short_ids order by number');
  expect(rows.map((row) => row.id)).toEqual([present, binned]);
});

it.each([
  {
    what: 'numbers',
    table: 'private.short_ids',
    owner: 'user_id',
    insert:
      'insert into private.short_ids (user_id, id) select $1, gen_random_uuid() from generate_series(1, 10001)',
    declare: declareShortIdPurge,
  },
  {
    what: 'idempotency keys',
    table: 'private.idempotency_keys',
    owner: 'user_id',
    insert: `insert into private.idempotency_keys (user_id, program, key, request, created_at)
      select $1, 'p', n::text, 'x', now() - interval '25 hours' from generate_series(1, 10001) n`,
    declare: declareIdempotencyKeyPurge,
  },
  {
    what: 'acts of programs',
    table: 'private.program_acts',
    owner: 'owner_id',
    insert: `insert into private.program_acts (owner_id, person_id, key, started_at, row_count, rows_until)
      select $1, $1, n::text, now() - interval '31 days', 20000, 0 from generate_series(1, 3) n`,
    declare: declareHistoryPurge,
  },
])(
  'all $what are forgotten that are to be, however many there are',
  async ({ table, owner, insert, declare }) => {
    const { id } = await createUser(database.admin);
    await database.admin.query(insert, [id]);
    await runOnce(declare(db, logger));
    const { rows } = await database.admin.query(
      `select count(*)::int as n from ${table} where ${owner} = $1`,
      [id],
    );
    expect(rows).toEqual([{ n: 0 }]);
  },
);

it('what changed in a category is forgotten after thirty days, and not before', async () => {
  const { id: userId } = await createUser(database.admin);
  await database.admin.query(
    `with folder as (insert into public.folders (name, user_id) values ('P', $1) returning id),
       category as (insert into public.categories (name, folder_id, user_id) select 'C', id, $1 from folder returning id)
     insert into private.category_changes (category_id, act, count, subject, changed_at)
     select id, 'saved', 1, days || ' dias', now() - make_interval(days => days) from category, unnest(array[29, 31]) as days`,
    [userId],
  );
  await runOnce(declareHistoryPurge(db, logger));
  const { rows } = await database.admin.query(
    'select subject from private.category_changes where category_id in (select id from public.categories where user_id = $1)',
    [userId],
  );
  expect(rows).toEqual([{ subject: '29 dias' }]);
});

it('sums up anew the parts of large libraries that tell of texts which are no longer there', async () => {
  const { id } = await createUser(database.admin);
  await database.admin.query(
    `with folder as (insert into public.folders (name, user_id) values ('P', $1) returning id),
       category as (insert into public.categories (name, folder_id, user_id) select 'C', id, $1 from folder returning id)
     insert into public.links (title, url, category_id, user_id) select 'Novo', 'https://a.br', id, $1 from category`,
    [id],
  );
  await database.admin.query(
    `insert into private.link_search_zones (user_id, oldest, newest, grams)
     select user_id, created_at, created_at, private.search_grams('antigo') from private.link_search where user_id = $1`,
    [id],
  );
  await runOnce(declareSearchZoneRefresh(db, logger));
  const { rows } = await database.admin.query(
    `select is_exact, grams = private.search_grams(E'novo\\nhttps://a.br\\n') as is_new from private.link_search_zones where user_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ is_exact: true, is_new: true }]);
});
