import { MEANT, readMeaning } from '@linkoteca/domain/search-meaning';
import { hasWords, rankText, readSearchWords } from '@linkoteca/domain/search-words';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { NOTHING, undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
});

function run(text: string, values: readonly unknown[] = []) {
  return queryAs(database, mine.owner, text, values);
}

async function add(title: string, count: number, categoryId = mine.categoryId): Promise<string[]> {
  const { rows } = await run(
    `insert into links (title, url, category_id) select $1 || n, 'https://a.br/' || n, $2 from generate_series(1, $3::int) n returning id`,
    [title, categoryId, count],
  );
  return rows.map(({ id }) => String(id));
}

async function find(term: string): Promise<string[]> {
  const { rows } = await run(`select title from search_links($1, 50)`, [term]);
  return rows.map(({ title }) => String(title));
}

/** Search must answer as a pass over every link would, and no two zones may overlap: their links would be found twice. */
async function expectTrueSearch(terms: readonly string[]): Promise<void> {
  const { rows } = await database.admin.query<{ title: string; text: string }>(
    `select title, private.link_search_text(title, url, description) as text from links
     where user_id = $1 order by created_at desc, id desc`,
    [mine.owner.id],
  );
  for (const term of terms) {
    const words = readSearchWords(term);
    const hits = (rank: number) =>
      rows
        .filter(({ text }) => rankText(text, words, '') === rank)
        .map(({ title, text }) => {
          const [named = '', url = ''] = text.split('\n');
          return { title, rank, meaning: readMeaning({ title: named, url }, words, rank) };
        });
    const meant = [...hits(3), ...(hasWords(words) ? hits(2) : [])]
      .slice(0, MEANT)
      .toSorted((one, other) => other.rank - one.rank || other.meaning - one.meaning);
    expect(await find(term), term).toEqual(meant.map(({ title }) => title).slice(0, 50));
  }
  const overlaps = await database.admin.query(
    `select from private.link_search_zones a join private.link_search_zones b
       on a.user_id = b.user_id and a.newest < b.newest and b.oldest <= a.newest where a.user_id = $1`,
    [mine.owner.id],
  );
  expect(overlaps.rowCount).toBe(0);
}

const readZones = async () =>
  (
    await database.admin.query(
      `select oldest, newest, md5(grams::text) as grams from private.link_search_zones where user_id = $1 order by newest`,
      [mine.owner.id],
    )
  ).rows;

test('a restored link is found again, by text and in its place', async () => {
  await add('Depois ', 3);
  await run(`delete from links where id = $1`, [mine.linkId]);
  expect(await find('exemplo')).toEqual([]);
  await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
  expect(await find('exemplo')).toEqual(['Exemplo']);
  expect((await find('https')).at(-1)).toBe('Exemplo');
});

describe('in a large library, whose text is summed up zone by zone', () => {
  let hay: string;

  beforeEach(async () => {
    hay = await createCategory(database, mine.owner, mine.folderId, 'Palheiro');
    await add('Agulha antiga ', 40);
    await add('Palha seca ', 1200, hay);
    await add('Alfinete raro ', 40);
    await add('Feno verde ', 1000, hay);
  });

  const TERMS = [
    'agulha',
    'alfinete',
    'palha',
    'feno',
    'seca 77',
    'verde 9',
    'raro 3',
    'antiga 1',
    'lh',
    'e',
    'zz',
  ];

  test('zones that a deletion empties come back as they were', async () => {
    const before = await readZones();
    expect(before.length).toBeGreaterThan(100);
    await run(`delete from categories where id = $1`, [hay]);
    expect((await readZones()).length).toBeLessThan(before.length / 4);
    await expectTrueSearch(TERMS);
    await undoDeletion(database, mine.owner, 'category', [hay]);
    expect(await readZones()).toEqual(before);
    await expectTrueSearch(TERMS);
  });

  test('a whole library, gone and back', async () => {
    const before = await readZones();
    await run(`delete from folders where id = $1`, [mine.folderId]);
    expect(await readZones()).toEqual([]);
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(await readZones()).toEqual(before);
    await expectTrueSearch(TERMS);
  });

  test('two deletions that share zones, undone in either order', async () => {
    const ids = (await run(`select id from links order by created_at, id`)).rows.map(({ id }) => String(id));
    const odd = ids.filter((_, n) => n % 2 === 1);
    const even = ids.filter((_, n) => n % 2 === 0);
    for (const order of [
      [odd, even],
      [even, odd],
    ]) {
      await run(`select delete_links($1)`, [odd]);
      await run(`select delete_links($1)`, [even]);
      for (const part of order) {
        await undoDeletion(database, mine.owner, 'link', part);
        await expectTrueSearch(TERMS);
      }
    }
  });

  test('links that no zone held yet, while their moment was summed up without them', async () => {
    const late = await add('Xilofone ', 15);
    await run(`select delete_links($1)`, [late.slice(0, 7)]);
    const before = (await readZones()).length;
    await add('Outono ', 200);
    expect((await readZones()).length).toBeGreaterThan(before);
    await undoDeletion(database, mine.owner, 'link', late);
    await expectTrueSearch([...TERMS, 'xilofone', 'xilofone 3', 'outono 7']);
  });

  test('links whose zone the platform emptied meanwhile', async () => {
    const ids = (await run(`select id from links where title like 'Alfinete%'`)).rows.map(({ id }) =>
      String(id),
    );
    await run(`select delete_links($1)`, [ids]);
    await queryAs(
      database,
      'service_role',
      `delete from links where user_id = $1 and title not like 'Feno%'`,
      [mine.owner.id],
    );
    await undoDeletion(database, mine.owner, 'link', ids);
    await expectTrueSearch(TERMS);
    expect(await find('alfinete')).toHaveLength(40);
  });

  describe('weeks later, when zones have been made without them', () => {
    const idsOf = async (title: string) =>
      (await run(`select id from links where title like $1 order by created_at, id`, [`${title}%`])).rows.map(
        ({ id }) => String(id),
      );
    /** Links with dates of their own, evenly between the first and the last that the word has, as an import brings them. */
    const importAmong = (word: string, title: string, count: number) =>
      database.admin.query(
        `insert into links (url, title, category_id, user_id, created_at)
         select 'https://b.br/', $3 || n, $4, $1::uuid, span.first + (span.last - span.first) * n / ($5::int + 1)
         from generate_series(1, $5::int) as n, (
           select min((content ->> 'created_at')::timestamptz) as first, max((content ->> 'created_at')::timestamptz) as last
           from private.deleted_rows where content ->> 'user_id' = $1::uuid::text and content ->> 'title' like $2 || '%'
         ) as span`,
        [mine.owner.id, word, title, mine.categoryId, count],
      );

    test('the zone of a text is gone for good and its moments are in another', async () => {
      const ids = [...(await add('Xilofone ', 200)), ...(await idsOf('Feno'))];
      const odd = ids.filter((_, n) => n % 2 === 1);
      await run(`select delete_links($1)`, [odd]);
      await run(`select delete_links($1)`, [ids.filter((_, n) => n % 2 === 0)]);
      await run(`select delete_from_bin(max(id)) from list_bin()`);
      // With them the library is large again, and what they hold is summed up.
      await importAmong('Feno', 'Outono ', 1200);
      await undoDeletion(database, mine.owner, 'link', odd);
      await expectTrueSearch([...TERMS, 'xilofone', 'xilofone 3', 'outono 7']);
    });

    /** Links with given dates, as an import brings them. */
    const importAt = (title: string, moments: string) =>
      database.admin.query(
        `insert into links (url, title, category_id, user_id, created_at)
         select 'https://b.br/', $2 || row_number() over (order by moment), $3, $1::uuid, moment
         from (${moments}) as dated`,
        [mine.owner.id, title, mine.categoryId],
      );
    const OWN = `private.deletions d on d.id = deletion_id and d.user_id = $1::uuid`;
    const BETWEEN_ZONES = `select z.newest + (z.next - z.newest) / 2 as moment from (
        select newest, lead(oldest) over (order by newest) as next from private.deleted_zones join ${OWN}
      ) as z where z.next > z.newest order by z.newest limit 4`;
    const SAME_MOMENTS = `select (content ->> 'created_at')::timestamptz as moment
      from private.deleted_rows join ${OWN} where content ->> 'title' like 'Xilofone%'
      order by moment offset 90 limit 3`;

    test.each([
      ['between zones', BETWEEN_ZONES],
      ['in the very moments of what was deleted', SAME_MOMENTS],
    ])('texts came, or came and went, %s that were away', async (_where, moments) => {
      const ids = await add('Xilofone ', 200);
      await run(`select delete_links($1)`, [ids]);
      await importAt('Zimbro ', moments);
      await importAt('Quiabo ', moments);
      const gone = await idsOf('Quiabo');
      expect(gone.length).toBeGreaterThan(2);
      await run(`select delete_links($1)`, [gone]);
      await undoDeletion(database, mine.owner, 'link', [...ids.slice(1), ...gone.slice(1)]);
      await expectTrueSearch([...TERMS, 'xilofone', 'zimbro', 'quiabo']);
      await undoDeletion(database, mine.owner, 'link', [...ids, ...gone]);
      await expectTrueSearch([...TERMS, 'xilofone', 'zimbro', 'quiabo']);
    });
  });
});

test('ten thousand links of a category go and come back in proportion to what adding them took', async () => {
  const started = performance.now();
  for (let n = 0; n < 10; n += 1) await add(`Receita de bolo ${n} `, 1000);
  const added = performance.now();
  await run(`delete from categories where id = $1`, [mine.categoryId]);
  const deleted = performance.now();
  const restored = await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
  const done = performance.now();
  expect(restored).toEqual({ ...NOTHING, categories: 1, links: 10_001 });
  // Compared within one run: seconds would measure the machine. A plan that joins each with each takes twenty times as long.
  expect(deleted - added).toBeLessThan(6 * (added - started));
  expect(done - deleted).toBeLessThan(6 * (added - started));
  await expectTrueSearch(['receita', 'bolo 9 77', '3 1000', 'zz']);
}, 60_000);
