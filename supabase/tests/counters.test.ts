import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A small seeded generator (mulberry32): a failing run can be repeated by its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A random row of the caller's, by the statement's own order: $1 picks, so that a seed decides. */
const PICK = {
  folder: `(select id from folders order by created_at, id offset $1 % greatest((select count(*) from folders), 1) limit 1)`,
  category: `(select id from categories order by created_at, id offset $1 % greatest((select count(*) from categories), 1) limit 1)`,
  link: `(select id from links order by created_at, id offset $1 % greatest((select count(*) from links), 1) limit 1)`,
};

const OPERATIONS: readonly string[] = [
  `insert into folders (name) select gen_random_uuid()::text from generate_series(0, $1 % 2)`,
  `insert into categories (name, folder_id) select 'C', f.id from (select ${PICK.folder} as id) f, generate_series(0, $1 % 3) where f.id is not null`,
  `insert into links (title, url, category_id) select 'T', 'https://a.br', c.id from (select ${PICK.category} as id) c, generate_series(0, $1 % 7) where c.id is not null`,
  `insert into links (title, url, category_id) select 'T', 'https://a.br', c.id from categories c, generate_series(0, $1 % 2)`,
  `update links set category_id = ${PICK.category} where id = ${PICK.link}`,
  `update links set category_id = ${PICK.category} where created_at > now() - interval '1 day'`,
  `update links set title = 'Outro' where id = ${PICK.link}`,
  `update links set description = repeat('ção ', 1 + $1 % 300) where id = ${PICK.link}`,
  `update folders set name = 'Pasta ' || $1 || gen_random_uuid()::text where id = ${PICK.folder}`,
  `update categories set description = nullif(repeat('é', $1 % 60), ''), name_users = 'Zé' where id = ${PICK.category}`,
  `update categories set folder_id = ${PICK.folder} where id = ${PICK.category}`,
  `insert into links (id, title, url, category_id) select ${PICK.link}, 'U', 'https://a.br', c.id from (select ${PICK.category} as id) c
     where c.id is not null and ${PICK.link} is not null
     on conflict (id) do update set category_id = excluded.category_id`,
  `delete from links where id = ${PICK.link}`,
  `delete from links where id in (select id from links order by id limit $1 % 5)`,
  `delete from categories where id = ${PICK.category}`,
  `delete from folders where id = ${PICK.folder}`,
];

/** Statements name rows that are there; what is gone is asked for here, in the order of its deletion. */
const UNDO = `
  select r.kind, r.id from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
  where d.user_id = $1 and r.kind <> 'share' order by d.id, r.kind, r.id`;

async function undoSomething(user: TestUser, pick: number): Promise<boolean> {
  const { rows } = await database.admin.query<{ kind: string; id: string }>(UNDO, [user.id]);
  const gone = rows[pick % Math.max(rows.length, 1)];
  if (gone === undefined) return false;
  const outcome = await readOutcome(database, user, `select undo_deletion($1, array[$2::uuid])`, [
    gone.kind,
    gone.id,
  ]);
  // What it was in may be gone for good.
  expect([{ rows: 1 }, { code: 'PT409', hint: 'place_gone' }]).toContainEqual(outcome);
  return 'rows' in outcome;
}

const REAL_COUNTS = `
  select u.id, n.link_count as held, n.folder_count - (select count(*) from folders f where f.user_id = u.id) as folders,
    n.category_count - (select count(*) from categories c where c.user_id = u.id) as categories,
    n.link_count - (select count(*) from links l where l.user_id = u.id) as links,
    n.row_bytes - (
      select coalesce(sum(w.bytes), 0) from (
        select user_id, 49 + octet_length(name) + octet_length(array_to_string(shared_with, '')) as bytes from folders
        union all select user_id, 65 + octet_length(name) + coalesce(octet_length(description), 0)
          + coalesce(octet_length(name_users), 0) from categories
        union all select user_id, 64 + octet_length(url) + octet_length(title) + coalesce(octet_length(description), 0) from links
      ) as w where w.user_id = u.id) as bytes,
    (select count(*) from categories c left join category_counts k on k.category_id = c.id and k.user_id = c.user_id
      where c.user_id = u.id and k.link_count is distinct from
        (select count(*) from links l where l.category_id = c.id)::int) as wrong_categories,
    (select count(*) from category_counts k where k.user_id = u.id and not exists (select from categories c where c.id = k.category_id))
      as orphan_counts
  from auth.users u join library_counts n on n.user_id = u.id`;

/** @returns how many links there are. */
async function expectTrueCounts(context: string): Promise<number> {
  const { rows } = await database.admin.query(REAL_COUNTS);
  expect(rows.length, context).toBeGreaterThan(0);
  for (const { id, held: _, ...wrong } of rows)
    expect(wrong, `${context}, user ${id}`).toEqual({
      folders: '0',
      categories: '0',
      links: '0',
      bytes: '0',
      wrong_categories: '0',
      orphan_counts: '0',
    });
  return rows.reduce((sum, { held }) => sum + Number(held), 0);
}

test.each([1, 2, 3])('counters equal what is there after random operations (seed %i)', async (seed) => {
  const random = createRandom(seed);
  const users = await Promise.all([1, 2].map(() => createUser(database.admin, { plan: 'pro' })));
  const refused: unknown[] = [];
  let undone = 0;
  let most = 0;
  for (let step = 0; step < 150; step += 1) {
    const user = users[random(users.length)] as TestUser;
    const text = OPERATIONS[random(OPERATIONS.length)] as string;
    const pick = random(1000);
    // Postgres must know the type of a parameter a statement does not use.
    const bound = `with pick as (select $1::int) ${text.replaceAll('$1', '$1::int')}`;
    const outcome = await readOutcome(database, user, bound, [pick]);
    if (!('rows' in outcome)) refused.push({ text, outcome });
    if (random(4) === 0 && (await undoSomething(user, pick))) undone += 1;
    if (step % 20 === 19) most = Math.max(most, await expectTrueCounts(`seed ${seed}, step ${step}`));
  }
  expect(refused).toEqual([]);
  expect(undone).toBeGreaterThan(3);
  // The last operation may leave nothing: ids decide what goes along, and no seed decides them.
  expect(most).toBeGreaterThan(0);
});

test('and after many callers wrote at once', async () => {
  const user = await createUser(database.admin, { plan: 'pro' });
  await queryAs(database, user, `insert into folders (name) values ('P')`);
  await queryAs(
    database,
    user,
    `insert into categories (name, folder_id) select 'C' || n, f.id from folders f, generate_series(1, 4) n`,
  );
  const writes = Array.from({ length: 80 }, (_, n) =>
    n % 4 === 3
      ? `delete from links where id = (select id from links order by id limit 1)`
      : `insert into links (title, url, category_id) select 'T', 'https://a.br', id from categories order by name offset ${n % 4} limit 1`,
  );
  await Promise.all(writes.map((text) => queryAs(database, user, text)));
  await expectTrueCounts('concurrent writes');
});

test('a deleted account takes its counters along, whatever else it owned', async () => {
  await queryAs(database, await createUser(database.admin), `insert into folders (name) values ('P')`);
  const { rows } = await database.admin.query(
    `delete from auth.users where id in (select user_id from library_counts) returning id`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const table of ['library_counts', 'category_counts', 'links', 'categories', 'folders']) {
    const left = await database.admin.query(`select count(*)::int as n from public.${table}`);
    expect(left.rows[0].n, table).toBe(0);
  }
});
