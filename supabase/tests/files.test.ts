import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
let owner: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  await database.admin.query(`insert into storage.buckets (id, name) values ('outro', 'outro')`);
  // What an operator may add for a bucket of their own.
  await database.admin.query(
    `create policy outro_all on storage.objects for all to authenticated using (bucket_id = 'outro') with check (bucket_id = 'outro')`,
  );
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = await createUser(database.admin);
  stranger = await createUser(database.admin);
});

const MEGABYTE = 1_048_576;
const keep = (
  caller: TestCaller,
  name: string,
  bytes: number | null,
  { bucket = 'arquivos', by = owner } = {},
) =>
  queryAs(
    database,
    caller,
    `insert into storage.objects (bucket_id, name, owner_id, metadata) values ($1, $2, $3, $4) returning id`,
    [bucket, name, by.id, bytes === null ? null : { size: bytes }],
  );
const names = async (caller: TestCaller) => {
  const text = `select name from storage.objects where bucket_id = 'arquivos'`;
  return (await queryAs<{ name: string }>(database, caller, text)).rows.map(({ name }) => name);
};
const LIMIT_REACHED = { code: '42501', message: 'Limite de armazenamento de 100 MB atingido' };
const REFUSED = { code: '42501', message: expect.stringContaining('row-level security') };

describe('the bucket of files', () => {
  test('is private and there', async () => {
    const { rows } = await database.admin.query(`select public from storage.buckets where id = 'arquivos'`);
    expect(rows).toEqual([{ public: false }]);
  });

  test('gives each person the folder of their id; a stranger and a visitor see and change nothing', async () => {
    await keep(owner, `${owner.id}/a.txt`, 10);
    expect(await names(owner)).toEqual([`${owner.id}/a.txt`]);
    for (const caller of [stranger, 'anon'] as const) {
      expect(await names(caller)).toEqual([]);
      const { rowCount } = await queryAs(
        database,
        caller,
        `update storage.objects set name = 'b' where bucket_id = 'arquivos'`,
      );
      expect(rowCount).toBe(0);
      await expect(keep(caller, `${owner.id}/b.txt`, 1)).rejects.toMatchObject(REFUSED);
    }
    expect(await names('service_role')).toContain(`${owner.id}/a.txt`);
  });

  test('a person’s picture is theirs alone: a stranger and a visitor neither read, replace nor delete it', async () => {
    const picture = `${owner.id}/avatar/33333333-3333-4333-8333-333333333333.webp`;
    await keep(owner, picture, 12_000);
    const statements = [
      `select name from storage.objects where name = $1`,
      `update storage.objects set metadata = '{"size":1}' where name = $1 returning name`,
      `delete from storage.objects where name = $1 returning name`,
    ];
    for (const caller of [stranger, 'anon'] as const) {
      for (const statement of statements) {
        const refused = (error: { code?: string }) => ({ rows: [{ name: error.code }] });
        const { rows } = await queryAs(database, caller, statement, [picture]).catch(refused);
        // The platform lets nobody delete rows past its service.
        expect(rows.filter(({ name }) => name !== '42501')).toEqual([]);
      }
      await expect(keep(caller, `${owner.id}/avatar/x.webp`, 1, { by: stranger })).rejects.toMatchObject(
        REFUSED,
      );
    }
    const own = await queryAs<{ metadata: object }>(
      database,
      owner,
      `select metadata from storage.objects where name = $1`,
      [picture],
    );
    expect(own.rows).toEqual([{ metadata: { size: 12_000 } }]);
  });

  test.each([
    ['its root', () => 'solto.txt'],
    ['a folder that begins like one’s own', () => `${owner.id}x/a.txt`],
    ['a name that is one’s own id', () => owner.id],
    ['a folder whose second part is one’s own id', () => `x/${owner.id}/a.txt`],
  ])('takes nothing into %s', async (_what, name) => {
    await expect(keep(owner, name(), 1)).rejects.toMatchObject(REFUSED);
  });

  test('lets nobody move a file to somebody else', async () => {
    await keep(owner, `${owner.id}/a.txt`, 10);
    const move = (name: string) =>
      queryAs(database, owner, `update storage.objects set name = $1 where bucket_id = 'arquivos'`, [name]);
    await expect(move(`${stranger.id}/a.txt`)).rejects.toMatchObject(REFUSED);
    expect((await move(`${owner.id}/pasta/b.txt`)).rowCount).toBe(1);
    // Without a condition nothing is read, and only what is written is looked at: below one's own folder, and above it.
    for (const name of ['0', `${owner.id}0`])
      await expect(
        queryAs(database, owner, `update storage.objects set bucket_id = 'arquivos', name = $1`, [name]),
      ).rejects.toMatchObject(REFUSED);
  });

  test('a closed account reads nothing and keeps nothing, and coming back finds its files', async () => {
    await keep(owner, `${owner.id}/a.txt`, 10);
    await queryAs(database, 'service_role', 'select close_account($1)', [owner.id]);
    expect(await names(owner)).toEqual([]);
    await expect(keep(owner, `${owner.id}/b.txt`, 1)).rejects.toMatchObject(REFUSED);
    await expect(keep(owner, 'b.txt', 1, { bucket: 'outro' })).rejects.toMatchObject(REFUSED);
    expect(await names('service_role')).toContain(`${owner.id}/a.txt`);
  });

  test('lists what is one’s own along the index, however many files others have', async () => {
    await database.admin.query(
      `insert into storage.objects (bucket_id, name) select 'arquivos', gen_random_uuid() || '/' || n from generate_series(1, 3000) n`,
    );
    await database.admin.query('analyze storage.objects');
    const { rows } = await queryAs<{ 'QUERY PLAN': string }>(
      database,
      owner,
      `explain select name from storage.objects where bucket_id = 'arquivos' and name collate "C" >= '' order by name collate "C" limit 1`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/idx_objects_bucket_id_name[\s\S]*Index Cond:.*InitPlan|Index Cond:.*\$\d/);
    expect(plan).not.toContain('Seq Scan');
  });

  test('no row is deleted behind the storage service’s back', async () => {
    await keep(owner, `${owner.id}/a.txt`, 10);
    for (const table of ['objects', 'buckets'])
      await expect(database.admin.query(`delete from storage.${table}`)).rejects.toMatchObject({
        code: '42501',
      });
  });
});

/** A name takes room as well: an id, a slash and a letter. */
const NAME = 38;

describe('what a plan may store', () => {
  test('is taken to the last byte, and not one more', async () => {
    await keep(owner, `${owner.id}/a`, 100 * MEGABYTE - 2 * NAME - 1);
    await expect(keep(owner, `${owner.id}/b`, 2)).rejects.toMatchObject(LIMIT_REACHED);
    await keep(owner, `${owner.id}/b`, 1);
    await expect(keep(owner, `${owner.id}/c`, 1)).rejects.toMatchObject(LIMIT_REACHED);
    await keep(stranger, `${stranger.id}/a`, 1, { by: stranger });
  });

  test('is refused also where nobody has said yet how much comes', async () => {
    await keep(owner, `${owner.id}/a`, 100 * MEGABYTE - NAME);
    await expect(keep(owner, `${owner.id}/b`, null)).rejects.toMatchObject(LIMIT_REACHED);
  });

  test('counts what one has put into other buckets', async () => {
    await keep(owner, 'a', 60 * MEGABYTE, { bucket: 'outro' });
    await expect(keep(owner, `${owner.id}/b`, 41 * MEGABYTE)).rejects.toMatchObject(LIMIT_REACHED);
    await keep(owner, `${owner.id}/b`, 40 * MEGABYTE - NAME - 1);
    await expect(keep(owner, 'c', 1, { bucket: 'outro' })).rejects.toMatchObject(LIMIT_REACHED);
  });

  test('grows with the plan, and what is over a smaller one stays readable, renamable and replaceable by less', async () => {
    await setPlan(database.admin, owner.id, 'plus');
    await keep(owner, `${owner.id}/a`, 400 * MEGABYTE);
    await setPlan(database.admin, owner.id, 'free');
    const change = (text: string) =>
      queryAs(database, owner, `update storage.objects set ${text} where name ^@ $1`, [owner.id]);
    expect((await change(`name = '${owner.id}/b'`)).rowCount).toBe(1);
    expect((await change(`metadata = '{"size": ${300 * MEGABYTE}}'`)).rowCount).toBe(1);
    await expect(change(`metadata = '{"size": ${300 * MEGABYTE + 1}}'`)).rejects.toMatchObject(LIMIT_REACHED);
    await expect(keep(owner, `${owner.id}/c`, 1)).rejects.toMatchObject(LIMIT_REACHED);
    expect(await names(owner)).toEqual([`${owner.id}/b`]);
  });

  test('counts a file that is written over once', async () => {
    const upsert = (bytes: number) =>
      queryAs(
        database,
        owner,
        `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('arquivos', $1, $2, $3)
         on conflict (bucket_id, name) do update set metadata = excluded.metadata`,
        [`${owner.id}/a`, owner.id, { size: bytes }],
      );
    await upsert(80 * MEGABYTE);
    await upsert(100 * MEGABYTE - NAME);
    await expect(upsert(100 * MEGABYTE - NAME + 1)).rejects.toMatchObject(LIMIT_REACHED);
  });

  test('ten who add at once never get past it together', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => keep(owner, `${owner.id}/${at}`, 30 * MEGABYTE)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await names(owner)).toHaveLength(3);
  });
});

describe('files that are to be purged', () => {
  const list = (caller: TestCaller) =>
    queryAs(database, caller, 'select * from list_files_to_purge($1)', [owner.id]);

  test('are named for the service alone, and only once the account’s time is over', async () => {
    await keep(owner, `${owner.id}/a`, 1);
    await keep(owner, `de-${owner.id}`, 1, { bucket: 'outro' });
    await keep(stranger, `${stranger.id}/a`, 1, { by: stranger });
    await queryAs(database, 'service_role', 'select close_account($1)', [owner.id]);
    expect((await list('service_role')).rows).toEqual([]);
    await queryAs(
      database,
      'service_role',
      `select * from begin_account_purges(20, now() + interval '31 days')`,
    );
    expect((await list('service_role')).rows).toEqual([
      { bucket_id: 'arquivos', name: `${owner.id}/a` },
      { bucket_id: 'outro', name: `de-${owner.id}` },
    ]);
    for (const caller of [owner, stranger, 'anon'] as const)
      await expect(list(caller)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a bucket that nobody has opened', () => {
  beforeAll(() =>
    database.admin.query(`insert into storage.buckets (id, name) values ('fechado', 'fechado')`),
  );

  test('takes no file, also under one’s own id, and none is moved there', async () => {
    await expect(keep(owner, `${owner.id}/a.txt`, 1, { bucket: 'fechado' })).rejects.toMatchObject(REFUSED);
    await keep(owner, `${owner.id}/b.txt`, 1);
    await expect(
      queryAs(
        database,
        owner,
        `update storage.objects set bucket_id = 'fechado' where bucket_id = 'arquivos'`,
      ),
    ).rejects.toMatchObject(REFUSED);
    expect(await names(owner)).toEqual([`${owner.id}/b.txt`]);
  });

  test('shows nothing of what is in it, and nothing of it is changed or deleted', async () => {
    await keep('service_role', `${owner.id}/c.txt`, 1, { bucket: 'fechado' });
    for (const text of [
      `select name from storage.objects where bucket_id = 'fechado'`,
      `update storage.objects set metadata = '{}' where bucket_id = 'fechado'`,
      `update storage.objects set bucket_id = 'arquivos' where bucket_id = 'fechado'`,
    ])
      expect((await queryAs(database, owner, text)).rowCount, text).toBe(0);
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
           set_config('storage.allow_delete_query', 'true', true)`,
        [JSON.stringify({ sub: owner.id, role: 'authenticated' })],
      );
      expect((await client.query(`delete from storage.objects where bucket_id = 'fechado'`)).rowCount).toBe(
        0,
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('what is noted beside a file', () => {
  /** Ten bytes as Postgres writes it. */
  const NOTES = { n: 'x' };
  const annotate = (bytes: number, notes: object = NOTES, name = 'a') =>
    queryAs(
      database,
      owner,
      `insert into storage.objects (bucket_id, name, owner_id, metadata, user_metadata) values ('arquivos', $1, $2, $3, $4)
       on conflict (bucket_id, name) do update set metadata = excluded.metadata, user_metadata = excluded.user_metadata`,
      [`${owner.id}/${name}`, owner.id, { size: bytes }, notes],
    );

  test('counts with it, to the last byte', async () => {
    await expect(annotate(100 * MEGABYTE - NAME - 9)).rejects.toMatchObject(LIMIT_REACHED);
    await annotate(100 * MEGABYTE - NAME - 10);
    await expect(annotate(100 * MEGABYTE - NAME - 10, { n: 'xy' })).rejects.toMatchObject(LIMIT_REACHED);
    await annotate(100 * MEGABYTE - NAME - 11, { n: 'xy' });
  });

  test('counts with what a file over the plan may be replaced by: as much together, and no more', async () => {
    await setPlan(database.admin, owner.id, 'plus');
    await annotate(300 * MEGABYTE);
    await setPlan(database.admin, owner.id, 'free');
    await annotate(300 * MEGABYTE);
    await expect(annotate(300 * MEGABYTE, { n: 'xy' })).rejects.toMatchObject(LIMIT_REACHED);
    await annotate(300 * MEGABYTE - 1, { n: 'xy' });
    await expect(annotate(300 * MEGABYTE + 1)).rejects.toMatchObject(LIMIT_REACHED);
    // Another file, however small, replaces nothing.
    await expect(annotate(1, {}, 'b')).rejects.toMatchObject(LIMIT_REACHED);
  });
});
