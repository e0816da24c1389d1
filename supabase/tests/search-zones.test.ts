import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

async function search(term: string, max: number, caller: TestUser): Promise<string[]> {
  const { rows } = await queryAs<{ title: string }>(
    database,
    caller,
    `select title from search_links($1, $2)`,
    [term, max],
  );
  return rows.map(({ title }) => title);
}

describe('a large library, whose text is summed up zone by zone', () => {
  let large: Library;
  let small: Library;
  const insert = `insert into links (title, url, description, category_id) select $1 || n, 'https://a.br/' || n, $2, $3 from generate_series(1, $4::int) n`;
  const addMany = (title: string, count: number, description: string | null = null, to = large) =>
    queryAs(database, to.owner, insert, [title, description, to.categoryId, count]);
  const find = (term: string, max = 10) => search(term, max, large.owner);

  beforeAll(async () => {
    large = await createLibrary(database, { plan: 'pro' });
    small = await createLibrary(database, { plan: 'plus' });
    await addMany('Agulha antiga ', 1);
    await addMany('Palha seca ', 1200, 'Ração de 日本vue語 e C++');
    await addMany('Alfinete raro ', 3, '𝄞 coração');
    await addMany('Bigorna ', 1);
    await addMany('Feno verde ', 1200);
  });

  async function countZones({ owner }: Library): Promise<number> {
    const { rows } = await database.admin.query(
      `select count(*)::int as n from private.link_search_zones where user_id = $1`,
      [owner.id],
    );
    return rows[0].n;
  }

  test('has zones, and a small one has none, however much it adds beside', async () => {
    await addMany('Palha curta ', 100, null, small);
    expect(await countZones(large)).toBeGreaterThan(100);
    expect(await countZones(small)).toBe(0);
  });

  test.each<{ term: string; count: number }>([
    { term: 'agulha antiga', count: 1 },
    { term: 'gulh', count: 1 },
    { term: 'lh', count: 50 },
    { term: 'alfinete', count: 3 },
    { term: '𝄞', count: 3 },
    { term: '𝄞 cor', count: 3 },
    { term: 'vue', count: 50 },
    { term: 'u', count: 50 },
    { term: '本v', count: 50 },
    { term: '日本VUE語 e c++', count: 50 },
    { term: '++', count: 50 },
    { term: 'feno verde 1200', count: 1 },
    { term: 'verde 77 ', count: 21 },
    { term: '"verde 77"', count: 11 },
    { term: 'zz', count: 0 },
    { term: 'agulha verde', count: 0 },
    { term: '§', count: 0 },
    { term: 'ж', count: 0 },
  ])("'$term' finds $count", async ({ term, count }) => {
    expect(await find(term, 50)).toHaveLength(count);
  });

  test('finds every window of a text, wherever it begins and ends', async () => {
    const text = 'racao de 日本vue語 e c++';
    for (let start = 0; start < text.length; start += 1)
      for (let end = start + 1; end <= text.length; end += 1) {
        const term = text.slice(start, end).trim();
        if (term !== '') expect(await find(term, 1), `'${term}'`).toHaveLength(1);
      }
  });

  test('answers as a pass over every link would', async () => {
    for (const term of [
      'a',
      'e',
      '1',
      '11',
      '111',
      'seca 5',
      'de 9',
      'br/12',
      'ra',
      'al',
      'ver',
      '0',
      'c+',
      'antiga 1',
    ]) {
      const { rows } = await database.admin.query<{ title: string }>(
        `select title from links where user_id = $1
           and strpos(private.link_search_text(title, url, description), private.normalize_search_text($2)) > 0
         order by created_at desc, id desc limit 50`,
        [large.owner.id, term],
      );
      expect(await find(term, 50), term).toEqual(rows.map(({ title }) => title));
    }
  });

  test('an edit deep inside is found by its new text and not by its old', async () => {
    expect(await find('bigorna')).toEqual(['Bigorna 1']);
    await queryAs(database, large.owner, `update links set title = 'Xilofone' where title = 'Bigorna 1'`);
    expect(await find('xilofone')).toEqual(['Xilofone']);
    expect(await find('bigorna')).toEqual([]);
  });

  test('a link written with an older date is found', async () => {
    for (const age of ['2 minutes', '1 year'])
      await database.admin.query(
        `insert into links (title, url, category_id, user_id, created_at)
         values ('Wyvern', 'https://a.br', $1, $2, (select min(created_at) from links where user_id = $2) + interval '1 microsecond' - $3::interval)`,
        [large.categoryId, large.owner.id, age],
      );
    expect(await find('wyvern')).toEqual(['Wyvern', 'Wyvern']);
  });

  test('an edit and the summing up of its moment do not miss each other', async () => {
    const racing = await createLibrary(database, { plan: 'pro' });
    const fill = (count: number) =>
      queryAs(database, racing.owner, insert, ['Palha ', null, racing.categoryId, count]);
    await fill(1990);
    await Promise.all([
      fill(200),
      ...Array.from({ length: 6 }, (_, n) =>
        queryAs(
          database,
          racing.owner,
          `update links set title = 'Quixote ' || title where title = 'Palha ' || $1::text`,
          [n * 300 + 300],
        ),
      ),
    ]);
    expect(await search('quixote', 50, racing.owner)).toHaveLength(6);
  });

  test('what is deleted leaves no zone behind', async () => {
    const cleared = await createLibrary(database, { plan: 'pro' });
    await addMany('Palha seca ', 1200, null, cleared);
    await addMany('Alfinete raro ', 3, null, cleared);
    await addMany('Feno verde ', 1200, null, cleared);
    const before = await countZones(cleared);
    await queryAs(database, cleared.owner, `delete from links where title like 'Feno%'`);
    expect(await countZones(cleared)).toBeLessThan(before / 1.5);
    expect(await search('feno', 10, cleared.owner)).toEqual([]);
    expect(await search('alfinete', 10, cleared.owner)).toHaveLength(3);
    await addMany('Outono ', 200, null, cleared);
    expect(await search('"outono 7"', 50, cleared.owner)).toHaveLength(11);
  });
});
