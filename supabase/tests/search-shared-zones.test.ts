import { foldText } from '@linkoteca/domain/fold-text';
import { rankText, readSearchWords } from '@linkoteca/domain/search-words';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { inviteToFolder } from './support/share-folder.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A library large enough for zones, of which a guest may open two categories. */
type Shared = Library & {
  readonly guest: TestUser;
  readonly more: string;
  readonly secret: string;
};

const WORDS = ['bolo', 'torta', 'fubá', 'ação', 'sal', 'mesa'];
const add = (library: Library, title: string, count: number, categoryId = library.categoryId) =>
  queryAs(
    database,
    library.owner,
    `insert into links (title, url, category_id)
     select $1 || ' ' || ($4::text[])[1 + n % 6] || ' ' || n, 'https://a.br/' || n, $2 from generate_series(1, $3::int) n`,
    [title, categoryId, count, WORDS],
  );
const share = ({ owner }: Library, categoryId: string, emails: readonly string[]) =>
  queryAs(database, owner, `select save_sharing($1, false, $2)`, [categoryId, emails]);

/** Links that are shared, with some among them that are not. */
async function createShared(): Promise<Shared> {
  const library = await createLibrary(database, { plan: 'pro', name: 'Ana' });
  const guest = await createUser(database.admin, { plan: 'pro' });
  const more = await createCategory(database, library.owner, library.folderId, 'Mais');
  const secret = await createCategory(database, library.owner, library.folderId, 'Particular');
  await add(library, 'Palha', 900);
  await add(library, 'Segredo', 5, secret);
  await add(library, 'Feno', 700, more);
  await add(library, 'Agulha', 3);
  await add(library, 'Segredo', 40, secret);
  await add(library, 'Capim', 600);
  await share(library, library.categoryId, [guest.email]);
  await share(library, more, [guest.email]);
  return { ...library, guest, more, secret };
}

const TERMS = [
  'agulha',
  'segredo',
  'feno bolo',
  'palha 77',
  'capim -sal',
  '"acao 7"',
  'a',
  'xilofone',
  'fuba 1',
  'zz',
  'mais agulha',
  'mais particular bolo',
];

/** The guest finds what a pass over every link that is shared with them would. */
async function expectTrueSearch(
  { owner, guest }: Shared,
  opened: ReadonlyMap<string, string>,
): Promise<void> {
  const { rows } = await database.admin.query<{ title: string; url: string; category_id: string }>(
    `select title, url, category_id from links where user_id = $1 and category_id = any ($2)
     order by created_at desc, id desc`,
    [owner.id, [...opened.keys()]],
  );
  const links = rows.map(({ title, url, category_id }) => ({
    title,
    text: `${foldText(title)}\n${foldText(url)}\n`,
    place: foldText(opened.get(category_id) ?? ''),
  }));
  for (const term of TERMS) {
    const words = readSearchWords(term);
    const expected = links
      .map(({ title, text, place }) => ({ title, rank: rankText(text, words, place) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((one, other) => other.rank - one.rank)
      .map(({ title }) => title)
      .slice(0, 50);
    const found = await queryAs<{ title: string }>(
      database,
      guest,
      `select title from search_received_links($1, max_results => 50)`,
      [term],
    );
    expect(
      found.rows.map(({ title }) => title),
      term,
    ).toEqual(expected);
  }
}

/** The zones that a guest need not read for a word that nobody wrote: how many, and what is wrong with them. */
async function readSkipped(
  { owner }: Library,
  opened: readonly string[],
): Promise<{ skipped: number; unshared: number; outdated: number }> {
  const { rows } = await database.admin.query(
    `with others as (
       select coalesce(array_agg(id), '{}') as ids from categories where user_id = $1 and id <> all ($2)
     ), skipped as (
       select z.* from others o
       cross join lateral private.list_spans_to_read($1, o.ids, array['qqwwzzyyxx']) s
       join private.link_search_zones z on z.user_id = $1
       where not exists (
         select from unnest(s.beginnings, s.ends) as span(beginning, ending)
         where z.oldest <= span.ending and z.newest >= span.beginning
       )
     )
     select count(*)::int as skipped,
       count(*) filter (where exists (
         select from links l
         where l.user_id = $1 and l.category_id <> all ($2) and l.created_at between s.oldest and s.newest
       ))::int as unshared,
       count(*) filter (where s.grams <> (
         select private.search_grams(string_agg(t.piece, E'\n')) from private.link_search t
         where t.user_id = $1 and t.created_at between s.oldest and s.newest
       ))::int as outdated
     from skipped s`,
    [owner.id, opened],
  );
  return rows[0];
}

const countZones = async ({ owner }: Library) =>
  (
    await database.admin.query(
      `select count(*)::int as n, count(*) filter (where not is_exact)::int as inexact
       from private.link_search_zones where user_id = $1`,
      [owner.id],
    )
  ).rows[0];
const refresh = async () =>
  (await queryAs<{ n: number }>(database, 'service_role', 'select private.refresh_search_zones(1000) as n'))
    .rows[0]?.n;
/** Also what other tests have left behind. */
const refreshAll = async () => {
  while ((await refresh()) !== 0);
};

describe('zones are skipped by their letters', () => {
  let shared: Shared;
  const opened = () => [shared.categoryId, shared.more];
  const edit = (text: string, ...values: unknown[]) => queryAs(database, shared.owner, text, values);
  /** A link in the middle of a zone that is skipped. */
  const pick = async () =>
    (
      await database.admin.query<{ id: string }>(
        `select id from links where user_id = $1 and title like 'Palha % 450'`,
        [shared.owner.id],
      )
    ).rows[0]?.id;

  beforeAll(async () => {
    shared = await createShared();
  });

  test('where all of their links are shared, and no others', async () => {
    const { skipped, ...wrong } = await readSkipped(shared, opened());
    const { n } = await countZones(shared);
    expect(wrong).toEqual({ unshared: 0, outdated: 0 });
    // One or two zones for the five, three or four for the forty.
    expect(n - skipped).toBeGreaterThanOrEqual(4);
    expect(n - skipped).toBeLessThanOrEqual(6);
  });

  test('also of a link that came later with an old date', async () => {
    const before = await readSkipped(shared, opened());
    const addOld = (categoryId: string, title: string) =>
      database.admin.query(
        `insert into links (user_id, category_id, title, url, created_at)
         select user_id, $2, $3, url, created_at + interval '1 microsecond' from links where id = $1`,
        [shared.linkId, categoryId, title],
      );
    await addOld(shared.categoryId, 'Antigo');
    expect(await readSkipped(shared, opened())).toEqual(before);
    await addOld(shared.secret, 'Segredo antigo');
    expect(await readSkipped(shared, opened())).toEqual({ ...before, skipped: before.skipped - 1 });
  });

  test('not where one link has moved to what is not shared, and again when it is back', async () => {
    const before = await readSkipped(shared, opened());
    const id = await pick();
    await edit(`update links set category_id = $2 where id = $1`, id, shared.secret);
    expect(await readSkipped(shared, opened())).toEqual({ ...before, skipped: before.skipped - 1 });
    await edit(`update links set category_id = $2 where id = $1`, id, shared.categoryId);
    expect(await readSkipped(shared, opened())).toEqual(before);
  });

  test.each([
    ['deleted', `delete from links where id = $1`],
    ['edited', `update links set title = 'Outra coisa' where id = $1`],
  ])('not where a link was %s, until its zone has been summed up anew', async (_, text) => {
    await refreshAll();
    const before = await readSkipped(shared, opened());
    await database.admin.query(
      `insert into links (user_id, category_id, title, url, created_at)
       select user_id, category_id, 'Palavra', url, created_at + interval '1 microsecond' from links where id = $1`,
      [await pick()],
    );
    const { rows } = await database.admin.query<{ id: string }>(
      `select id from links where user_id = $1 and title = 'Palavra'`,
      [shared.owner.id],
    );
    expect(await readSkipped(shared, opened())).toEqual(before);
    await edit(text, rows[0]?.id);
    expect(await readSkipped(shared, opened())).toEqual({ ...before, skipped: before.skipped - 1 });
    expect(await refresh()).toBe(1);
    expect(await readSkipped(shared, opened())).toEqual(before);
    expect(await refresh()).toBe(0);
  });

  test('not where they came back from the bin, until they have been summed up anew', async () => {
    const before = await readSkipped(shared, opened());
    await edit(`delete from categories where id = $1`, shared.more);
    await undoDeletion(database, shared.owner, 'category', [shared.more]);
    const { skipped, ...wrong } = await readSkipped(shared, opened());
    expect(wrong).toEqual({ unshared: 0, outdated: 0 });
    expect(skipped).toBeLessThan(before.skipped - 30);
    expect(await refresh()).toBeGreaterThan(30);
    expect(await readSkipped(shared, opened())).toEqual(before);
  });

  test('not for whoever may open less', async () => {
    const all = await readSkipped(shared, opened());
    const some = await readSkipped(shared, [shared.categoryId]);
    expect(some).toEqual({ skipped: expect.any(Number), unshared: 0, outdated: 0 });
    expect(some.skipped).toBeLessThan(all.skipped - 40);
  });

  test('and what is read does not depend on what private links say', async () => {
    const spans = async () =>
      (
        await database.admin.query(`select * from private.list_spans_to_read($1, $2, array['xilofone'])`, [
          shared.owner.id,
          [shared.secret],
        ])
      ).rows;
    await refresh();
    const before = await spans();
    await edit(`update links set title = 'Xilofone ' || title where category_id = $1`, shared.secret);
    expect(await spans()).toEqual(before);
    await refresh();
    expect(await spans()).toEqual(before);
  });
});

test('summing up anew is the server’s alone, is bounded, and waits for nobody', async () => {
  const shared = await createShared();
  await refreshAll();
  await database.admin.query(`update private.link_search_zones set is_exact = false where user_id = $1`, [
    shared.owner.id,
  ]);
  const part = `select private.refresh_search_zones(10) as n`;
  for (const stranger of ['anon', shared.owner, shared.guest] as const)
    await expect(queryAs(database, stranger, part)).rejects.toMatchObject({ code: '42501' });
  const { n } = await countZones(shared);
  await database.admin.query('begin');
  try {
    await database.admin.query(`select from library_counts where user_id = $1 for no key update`, [
      shared.owner.id,
    ]);
    expect((await queryAs(database, 'service_role', part)).rows).toEqual([{ n: 0 }]);
  } finally {
    await database.admin.query('rollback');
  }
  expect((await queryAs(database, 'service_role', part)).rows).toEqual([{ n: 10 }]);
  expect(await countZones(shared)).toEqual({ n, inexact: n - 10 });
});

test('an edit and the summing up anew of its zone do not miss each other', async () => {
  const shared = await createShared();
  const edits = Array.from({ length: 8 }, (_, n) => n * 100 + 50);
  await Promise.all([
    ...edits.map((n) =>
      queryAs(database, shared.owner, `update links set title = 'Xilofone' where title like $1`, [
        `Palha % ${n}`,
      ]),
    ),
    refresh(),
  ]);
  expect(await readSkipped(shared, [shared.categoryId, shared.more])).toMatchObject({ outdated: 0 });
  const { rows } = await queryAs(
    database,
    shared.guest,
    `select title from search_received_links('xilofone', max_results => 50)`,
  );
  expect(rows).toHaveLength(edits.length);
});

/** What can happen to a library between two questions; `at` picks the rows. */
const KINDS = [
  'move out',
  'move in',
  'edit',
  'delete',
  'delete a category and undo',
  'come late',
  'come in numbers',
  'share less',
  'share more',
  'take a folder',
  'refresh',
] as const;
const history = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(400) }), {
  minLength: 8,
  maxLength: 12,
});

test('whatever happens to a library, its guest finds what a pass over every shared link would', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      const shared = await createShared();
      const { owner, categoryId, more, secret } = shared;
      const opened = new Map([
        [categoryId, 'Leituras'],
        [more, 'Mais'],
      ]);
      const run = (text: string, ...values: unknown[]) => queryAs(database, owner, text, values);
      const some = `select id from links where category_id = any ($1) order by created_at offset $2 limit 20`;
      const deeds: Record<(typeof KINDS)[number], (at: number) => Promise<unknown>> = {
        'move out': (at) =>
          run(`update links set category_id = $3 where id in (${some})`, [categoryId, more], at, secret),
        'move in': (at) =>
          run(`update links set category_id = $3 where id in (${some})`, [secret], at % 45, more),
        edit: (at) =>
          run(`update links set title = 'Xilofone ' || $2 where id in (${some})`, [categoryId, secret], at),
        delete: async (at) => {
          const { rows } = await run(`delete from links where id in (${some}) returning id`, [more], at);
          if (at % 2 === 0)
            await undoDeletion(
              database,
              owner,
              'link',
              rows.map(({ id }) => String(id)),
            );
        },
        'delete a category and undo': async (at) => {
          const id = at % 2 === 0 ? secret : more;
          await run(`delete from categories where id = $1`, id);
          await undoDeletion(database, owner, 'category', [id]);
        },
        'come late': (at) =>
          database.admin.query(
            `insert into links (user_id, category_id, title, url, created_at)
             select user_id, $3, 'Agulha tardia ' || $2, url, created_at + interval '1 microsecond' from links
             where id in (select id from links where user_id = $1 order by created_at offset $2::int limit 20)`,
            [owner.id, at, at % 2 === 0 ? secret : categoryId],
          ),
        'come in numbers': (at) =>
          add(shared, at % 3 === 0 ? 'Segredo' : 'Broto', 70, at % 3 === 0 ? secret : categoryId),
        'share less': async () => {
          await share(shared, more, ['outra@exemplo.com.br']);
          opened.delete(more);
        },
        'share more': async () => {
          await share(shared, more, [shared.guest.email]);
          opened.set(more, 'Mais');
        },
        'take a folder': async () => {
          const other = await createLibrary(database, { plan: 'pro' });
          await add(other, 'Segredo herdado', 60);
          await inviteToFolder(database, other.owner, other.folderId, owner.email, 'manager');
          await queryAs(database, other.owner, `select offer_folder($1, $2)`, [other.folderId, owner.email]);
          // Of links that came since, some are older than the newest of those.
          await add(shared, 'Broto', 70);
          await run(`select take_folder($1)`, other.folderId);
        },
        refresh,
      };
      for (const { kind, at } of acts) {
        await deeds[kind](at);
        expect(await readSkipped(shared, [...opened.keys()]), kind).toMatchObject({
          unshared: 0,
          outdated: 0,
        });
        await expectTrueSearch(shared, opened);
      }
    }),
    { numRuns: 4 },
  );
}, 120_000);
