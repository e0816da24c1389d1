import { SESSIONS_PER_PERSON, type TECHNICAL_BOUNDS } from '@linkoteca/domain/limits';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const beyond = (what: keyof typeof TECHNICAL_BOUNDS) => ({ code: 'P0001', hint: `bound_${what}` });
/** As if the person had so many already: the counter is what every insert is compared with. */
const pretend = ({ id }: TestUser, column: 'folder_count' | 'category_count' | 'link_count', count: number) =>
  database.admin.query(`update library_counts set ${column} = $2 where user_id = $1`, [id, count]);
const accepted = (outcomes: readonly object[]) => outcomes.filter((outcome) => 'rows' in outcome).length;

describe('what a request can write', () => {
  test('lies in tables whose rows are bounded below, and in no other', async () => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select distinct c.oid::regclass::text as name from pg_class c, pg_roles r, pg_policy p
       where r.rolname in ('anon', 'authenticated') and c.relkind in ('r', 'p')
         and c.relnamespace in (select oid from pg_namespace where nspname !~ '^pg_|^information_schema$')
         and has_schema_privilege(r.oid, c.relnamespace, 'usage') and has_any_column_privilege(r.oid, c.oid, 'insert')
         and (not c.relrowsecurity or p.polrelid = c.oid and p.polpermissive and p.polcmd in ('a', '*')
           and (r.oid = any (p.polroles) or p.polroles = '{0}'))
       order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'categories',
      'favorites',
      // One a folder at most.
      'folder_looks',
      // A hundred a folder at most, and counted with the invitations (shared-folders.test.ts).
      'folder_members',
      'folders',
      'links',
      // No request reaches its schema: the realtime service asks whether somebody could, and keeps nothing (meet-in-categories.test.ts).
      'realtime.messages',
      'saved_searches',
      'shared_with',
      'storage.objects',
    ]);
  });

  test('is short: no column takes a text of a hundred thousand characters', async () => {
    // All rows of a table are changed: none of another test may be among them.
    const own = await createThrowawayDatabase();
    onTestFinished(() => own.drop());
    const { owner, categoryId, folderId } = await createLibrary(own, { plan: 'plus' });
    await queryAs(own, owner, `insert into shared_with values ($1, 'p@exemplo.com')`, [categoryId]);
    await queryAs(own, owner, 'insert into folder_looks (folder_id) values ($1)', [folderId]);
    await queryAs(
      own,
      owner,
      `insert into folder_members (folder_id, email, role) values ($1, 'p@exemplo.com', 'viewer')`,
      [folderId],
    );
    await queryAs(own, owner, `insert into saved_searches (name, question) values ('a', 'a')`);
    await own.admin.query(`insert into tags (user_id, name) values ($1, 'a')`, [owner.id]);
    const { rows } = await own.admin.query<{ place: string; type: string }>(
      `select distinct c.table_name || '.' || c.column_name as place, c.data_type as type
       from information_schema.column_privileges p
       join information_schema.columns c using (table_schema, table_name, column_name)
       where p.table_schema = 'public' and p.grantee in ('anon', 'authenticated') and p.privilege_type in ('INSERT', 'UPDATE')
         and c.data_type not in ('uuid', 'boolean', 'integer', 'bigint', 'timestamp with time zone')
       order by 1`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const { place, type } of rows) {
      const [table, column] = place.split('.');
      const long = column === 'url' ? `https://${'x'.repeat(1e5)}` : `x${'a'.repeat(1e5)}@exemplo.com`;
      const change = own.admin.query(`update ${table} set ${column} = $1`, [
        type === 'ARRAY' ? [long] : long,
      ]);
      await expect(change, place).rejects.toMatchObject({ code: '23514' });
    }
  });
});

describe('folders', () => {
  const ADD = `insert into folders (name) select $1 || n from generate_series(1, $2::int) as n`;

  test('of a free account fill up to the bound, in one statement or in many, and no further', async () => {
    const owner = await createUser(database.admin);
    expect(await readOutcome(database, owner, ADD, ['a', 10_001])).toEqual(beyond('folders'));
    expect(await readOutcome(database, owner, ADD, ['a', 9_999])).toEqual({ rows: 9_999 });
    // Of many that race for the last place one wins.
    const race = await Promise.all(
      Array.from({ length: 8 }, (_, n) => readOutcome(database, owner, ADD, [`b${n}-`, 1])),
    );
    expect(accepted(race)).toBe(1);
    await expect(queryAs(database, owner, ADD, ['c', 1])).rejects.toMatchObject({
      message: 'Limite de 10.000 pastas atingido',
      detail: '{"max" : 10000}',
    });
    // Another person's folders are their own matter, and what goes makes room.
    expect(await readOutcome(database, await createUser(database.admin), ADD, ['a', 1])).toEqual({ rows: 1 });
    await queryAs(database, owner, `delete from folders where name = 'a1'`);
    expect(await readOutcome(database, owner, ADD, ['d', 1])).toEqual({ rows: 1 });
  });

  test('have a hundred addresses each', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    const SHARE = `update folders set shared_with = array(
      select 'p' || n || '@exemplo.com' from generate_series(1, $2::int) as n) where id = $1`;
    expect(await readOutcome(database, owner, SHARE, [folderId, 100])).toEqual({ rows: 1 });
    expect(await readOutcome(database, owner, SHARE, [folderId, 101])).toMatchObject({
      code: '23514',
      constraint: 'folders_shared_with_length',
    });
  });
});

describe('categories and links of a plan without a limit', () => {
  const ADD_LINKS = `insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, $2::int)`;
  const ADD_CATEGORIES = `insert into categories (name, folder_id) select 'C', $1 from generate_series(1, $2::int)`;
  let library: Library;
  beforeAll(async () => {
    library = await createLibrary(database, { plan: 'pro' });
  });

  test('end at the bound, in words that offer no other plan', async () => {
    const { owner, categoryId, folderId } = library;
    await pretend(owner, 'link_count', 999_998);
    expect(await readOutcome(database, owner, ADD_LINKS, [categoryId, 3])).toEqual(beyond('links'));
    expect(await readOutcome(database, owner, ADD_LINKS, [categoryId, 2])).toEqual({ rows: 2 });
    await expect(queryAs(database, owner, ADD_LINKS, [categoryId, 1])).rejects.toMatchObject({
      message: 'Limite de 1.000.000 links atingido',
    });
    await pretend(owner, 'category_count', 9_999);
    expect(await readOutcome(database, owner, ADD_CATEGORIES, [folderId, 2])).toEqual(beyond('categories'));
    expect(await readOutcome(database, owner, ADD_CATEGORIES, [folderId, 1])).toEqual({ rows: 1 });
    expect(await readOutcome(database, owner, ADD_CATEGORIES, [folderId, 1])).toEqual(beyond('categories'));
  });

  test('refuse an import that would not fit before anything of it is written', async () => {
    const { owner } = await createLibrary(database, { plan: 'pro' });
    const content = (total: object) => ({ places: [], links: [], total });
    const IMPORT = 'select import_library(gen_random_uuid(), 0, $1)';
    for (const [total, refusal] of [
      [{ links: 1_000_000 }, beyond('links')],
      [{ categories: 10_000 }, beyond('categories')],
    ] as const)
      expect(await readOutcome(database, owner, IMPORT, [content(total)])).toEqual(refusal);
    expect(await readOutcome(database, owner, IMPORT, [content({ links: 999_999 })])).toEqual({ rows: 1 });
  });

  test('keep to the plan where it has a limit, whatever the bound', async () => {
    const { owner, categoryId } = await createLibrary(database);
    expect(await readOutcome(database, owner, ADD_LINKS, [categoryId, 20])).toEqual({
      code: 'P0001',
      hint: 'plan_limit_links',
    });
  });
});

describe('favourites', () => {
  test('end at the bound, also where two race for the last place, and come back from an undo beyond it', async () => {
    const { owner, categoryId, linkId } = await createLibrary(database, { plan: 'pro' });
    const ADD = `with added as (
        insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, 1002) returning id
      ) select array_agg(id) as ids from added`;
    const { rows } = await queryAs<{ ids: string[] }>(database, owner, ADD, [categoryId]);
    const ids = rows[0]?.ids ?? [];
    const STAR = 'insert into favorites (link_id) select unnest($1::uuid[])';
    expect(await readOutcome(database, owner, STAR, [ids.slice(0, 1_001)])).toEqual(beyond('favorites'));
    expect(await readOutcome(database, owner, STAR, [ids.slice(0, 999)])).toEqual({ rows: 999 });
    const race = await Promise.all(
      ids.slice(999, 1_002).map((id) => readOutcome(database, owner, STAR, [[id]])),
    );
    expect(accepted(race)).toBe(1);
    await expect(queryAs(database, owner, STAR, [[linkId]])).rejects.toMatchObject({
      message: 'Limite de 1.000 favoritos atingido',
    });
    // A stranger's stars are not among them.
    const other = await createLibrary(database);
    expect(await readOutcome(database, other.owner, STAR, [[other.linkId]])).toEqual({ rows: 1 });
    await queryAs(database, owner, 'select delete_links($1)', [[ids[0]]]);
    expect(await readOutcome(database, owner, STAR, [[linkId]])).toEqual({ rows: 1 });
    await queryAs(database, owner, `select undo_deletion('link', $1)`, [[ids[0]]]);
    const all = await queryAs(database, owner, 'select from favorites');
    expect(all.rowCount).toBe(1_001);
  });
});

describe('invited addresses', () => {
  const INVITE = `insert into shared_with (category_id, email)
    select c, 'p' || n || '@exemplo.com' from unnest($1::uuid[]) as c cross join generate_series($2::int, $3::int) as n`;

  test('of all categories of a person together end at the bound', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
    const { rows } = await queryAs<{ id: string }>(
      database,
      owner,
      `insert into categories (name, folder_id) select 'C' || n, $1 from generate_series(1, 102) as n returning id`,
      [folderId],
    );
    const ids = rows.map(({ id }) => id);
    // As the database's owner, in whose name no statement times out; the bound is the same trigger's.
    await database.admin.query(INVITE, [ids.slice(0, 99), 1, 100]);
    expect(await readOutcome(database, owner, INVITE, [ids.slice(99, 101), 1, 51])).toEqual(
      beyond('invitations'),
    );
    expect(await readOutcome(database, owner, INVITE, [ids.slice(99, 100), 1, 99])).toEqual({ rows: 99 });
    // The last place, from different categories at once.
    const race = await Promise.all(
      ids.slice(99, 102).map((id, n) => readOutcome(database, owner, INVITE, [[id], 200 + n, 200 + n])),
    );
    expect(accepted(race)).toBe(1);
    const save = (emails: readonly string[]) =>
      queryAs(database, owner, 'select save_sharing($1, false, $2)', [ids[101], emails]);
    await expect(save(['x1@exemplo.com', 'x2@exemplo.com'])).rejects.toMatchObject({
      message: 'Limite de 10.000 endereços convidados atingido',
    });
    // A stranger's list is not among them.
    const other = await createLibrary(database, { plan: 'plus' });
    expect(await readOutcome(database, other.owner, INVITE, [[other.categoryId], 1, 100])).toEqual({
      rows: 100,
    });
  });
});

describe('the bin', () => {
  const ADD = `with added as (
      insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, $2::int) returning id
    ) select array_agg(id) as ids from added`;

  test('is bounded, however often somebody adds and deletes; the last deletion is whole', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
    const bystander = await createLibrary(database, { plan: 'pro' });
    await queryAs(database, bystander.owner, 'delete from links');
    const churn = async (count: number) => {
      const { rows } = await queryAs<{ ids: string[] }>(database, owner, ADD, [categoryId, count]);
      const ids = rows[0]?.ids ?? [];
      await queryAs(database, owner, 'select delete_links($1)', [ids]);
      return ids;
    };
    const kept = async ({ id }: TestUser) => {
      const { rows } = await database.admin.query<{ n: number }>(
        `select count(*)::int as n from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
         where d.user_id = $1 group by d.id order by d.id`,
        [id],
      );
      return rows.map(({ n }) => n);
    };
    await churn(10);
    await churn(5);
    // As if the second deletion had been of 99,994 rows more.
    await database.admin.query(
      'update private.deletions set rows_until = rows_until + 99994 where user_id = $1 and rows_until = 15',
      [owner.id],
    );
    expect(await kept(owner)).toEqual([10, 5]);
    const last = await churn(1);
    expect(await kept(owner)).toEqual([5, 1]);
    expect(await kept(bystander.owner)).toEqual([1]);
    const { rows } = await queryAs<{ back: { links: number } }>(
      database,
      owner,
      `select undo_deletion('link', $1) as back`,
      [last],
    );
    expect(rows[0]?.back.links).toBe(1);
  });

  test('counts a row with much in it as several', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
    const ADD_LONG = `insert into links (url, title, description, category_id)
      select 'https://a.br', 'A', repeat('😀', 1200), $1 from generate_series(1, $2::int)`;
    await queryAs(database, owner, ADD_LONG, [categoryId, 10]);
    await queryAs(database, owner, 'delete from links where description is not null');
    const { rows } = await database.admin.query(
      'select rows_until from private.deletions where user_id = $1',
      [owner.id],
    );
    // 4,800 bytes of description, and a few more.
    expect(rows).toEqual([{ rows_until: '50' }]);
  });
});

test('parts of imports end at the bound; another person’s do not count', async () => {
  const { owner } = await createLibrary(database, { plan: 'pro' });
  const other = await createLibrary(database, { plan: 'pro' });
  const IMPORT = `select import_library($1, $2, '{"places": [], "links": []}')`;
  const id = 'c0ffee00-0000-4000-8000-000000000001';
  await queryAs(database, owner, IMPORT, [id, 0]);
  await database.admin.query('alter table private.import_parts disable trigger import_parts_limit');
  await database.admin.query(
    `insert into private.import_parts select user_id, import_id, n, answer, '{}', '{}', '{}'
     from private.import_parts cross join generate_series(1, 9998) as n where user_id = $1`,
    [owner.id],
  );
  await database.admin.query('alter table private.import_parts enable trigger import_parts_limit');
  expect(await readOutcome(database, owner, IMPORT, [id, 9_999])).toEqual({ rows: 1 });
  const another = 'c0ffee00-0000-4000-8000-000000000002';
  expect(await readOutcome(database, owner, IMPORT, [another, 0])).toEqual(beyond('import_parts'));
  // A part that was taken already is answered all the same.
  expect(await readOutcome(database, owner, IMPORT, [id, 9_999])).toEqual({ rows: 1 });
  expect(await readOutcome(database, other.owner, IMPORT, [another, 0])).toEqual({ rows: 1 });
});

describe('files', () => {
  const KEEP = `insert into storage.objects (bucket_id, name, owner_id, metadata, user_metadata)
    select 'arquivos', $1::uuid || '/' || $2 || n, $1, '{"size": 0}', $4 from generate_series(1, $3::int) as n`;

  test('are counted, also those without a byte', async () => {
    const owner = await createUser(database.admin);
    const keep = (prefix: string, count: number) => [owner.id, prefix, count, null];
    // Together, as nobody but the owner of the database could: the policy asks for each row.
    await database.admin.query(KEEP, keep('a', 9_998));
    expect(await readOutcome(database, owner, KEEP, keep('b', 1))).toEqual({ rows: 1 });
    const race = await Promise.all(
      Array.from({ length: 6 }, (_, n) => readOutcome(database, owner, KEEP, keep(`c${n}-`, 1))),
    );
    expect(accepted(race)).toBe(1);
    await expect(queryAs(database, owner, KEEP, keep('d', 1))).rejects.toMatchObject({
      code: '42501',
      message: 'Limite de 10.000 arquivos atingido',
    });
    // What is there can be renamed and written over.
    const RENAME = `update storage.objects set name = $1 || '/novo' where name = $1 || '/a1'`;
    expect(await readOutcome(database, owner, RENAME, [owner.id])).toEqual({ rows: 1 });
    const stranger = await createUser(database.admin);
    expect(await readOutcome(database, stranger, KEEP, [stranger.id, 'a', 1, null])).toEqual({ rows: 1 });
  });

  test('have short notes and names, and both count towards the storage', async () => {
    const owner = await createUser(database.admin);
    const notes = (bytes: number) => ({ n: 'x'.repeat(bytes - 9) });
    const outcome = (prefix: string, note: object | null) =>
      queryAs(database, owner, KEEP, [owner.id, prefix, 1, note]).then(
        () => 'kept',
        ({ message }: Error) => message,
      );
    expect(await outcome('a', notes(10_000))).toBe('kept');
    expect(await outcome('b', notes(10_001))).toBe('As anotações de um arquivo têm no máximo 10.000 bytes');
    expect(await outcome('n'.repeat(1_000), null)).toBe('O nome de um arquivo tem no máximo 1.024 bytes');
    const grow = (bytes: number) =>
      queryAs(database, owner, 'update storage.objects set user_metadata = $1 where name like $2', [
        notes(bytes),
        `${owner.id}/a%`,
      ]);
    await expect(grow(20_000)).rejects.toMatchObject({ code: '42501' });
    // Full but for five thousand bytes: notes of more do not fit, though the file has no byte of its own.
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       values ('arquivos', $1::uuid || '/grande', $1, jsonb_build_object('size', 104857600 - 5000))`,
      [owner.id],
    );
    expect(await outcome('c', notes(9_000))).toBe('Limite de armazenamento de 100 MB atingido');
    expect(await outcome('d', notes(1_000))).toBe('kept');
  });
});

test('the session used longest ago ends when a person has too many; nobody else’s does', async () => {
  const [owner, other] = [await createUser(database.admin), await createUser(database.admin)];
  const signIn = ({ id }: TestUser, count: number, day: string) =>
    database.admin.query(
      `insert into auth.sessions (id, user_id, created_at, updated_at, aal)
       select gen_random_uuid(), $1, $3::timestamptz + n * interval '1 minute', now(), 'aal1' from generate_series(1, $2::int) as n`,
      [id, count, day],
    );
  const sessions = async ({ id }: TestUser) =>
    (
      await database.admin.query<{ day: string; n: number }>(
        `select to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day, count(*)::int as n from auth.sessions
         where user_id = $1 group by 1 order by 1`,
        [id],
      )
    ).rows;
  await signIn(other, 1, '2026-01-01');
  await signIn(owner, 3, '2026-01-01');
  // One of the oldest is still in use.
  await database.admin.query(
    `update auth.sessions set refreshed_at = '2026-03-01' where id = (select id from auth.sessions where user_id = $1 limit 1)`,
    [owner.id],
  );
  await signIn(owner, SESSIONS_PER_PERSON - 2, '2026-02-01');
  expect(await sessions(owner)).toEqual([
    { day: '2026-01-01', n: 2 },
    { day: '2026-02-01', n: SESSIONS_PER_PERSON - 2 },
  ]);
  // The one that is being opened stays, whatever the clock says.
  await signIn(owner, 1, '2025-01-01');
  expect(await sessions(owner)).toEqual([
    { day: '2025-01-01', n: 1 },
    { day: '2026-01-01', n: 1 },
    { day: '2026-02-01', n: SESSIONS_PER_PERSON - 2 },
  ]);
  expect(await sessions(other)).toEqual([{ day: '2026-01-01', n: 1 }]);
});

test('a session keeps its last hundred exchanged refresh tokens and the one that works', async () => {
  const [owner, other] = [await createUser(database.admin), await createUser(database.admin)];
  const exchange = async ({ id }: TestUser, count: number) => {
    const { rows } = await database.admin.query<{ id: string }>(
      `insert into auth.sessions (id, user_id, created_at, updated_at, aal)
       values (gen_random_uuid(), $1, now(), now(), 'aal1') returning id`,
      [id],
    );
    await database.admin.query(
      `insert into auth.refresh_tokens (token, user_id, session_id, revoked, created_at, updated_at)
       select $1 || n, $1, $2, n < $3, now(), now() from generate_series(1, $3::int) as n order by n`,
      [id, rows[0]?.id, count],
    );
  };
  await exchange(other, 3);
  await exchange(owner, 250);
  const { rows } = await database.admin.query<{ token: string; revoked: boolean }>(
    'select token, revoked from auth.refresh_tokens where user_id = $1 order by id',
    [owner.id],
  );
  expect(rows.map(({ token }) => token.slice(36))).toEqual(
    Array.from({ length: 101 }, (_, n) => String(150 + n)),
  );
  expect(rows.at(-1)?.revoked).toBe(false);
  const others = await database.admin.query('select from auth.refresh_tokens where user_id = $1', [other.id]);
  expect(others.rowCount).toBe(3);
});
