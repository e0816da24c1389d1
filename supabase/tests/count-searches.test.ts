import { toParameters } from '@linkoteca/domain/search-filters';
import { readQuestion } from '@linkoteca/domain/search-question';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;

const WORDS = ['bolo', 'fubá', 'torta', 'luz', 'curso', 'cozinha', 'física'];
/** Twice a page of what a question may find, so that a count is no length of a page. */
const LINKS = 110;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro' });
  const { owner, folderId, categoryId } = library;
  await queryAs(database, owner, 'delete from links');
  await queryAs(database, owner, `update folders set name = 'Cozinha'`);
  const { rows } = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into categories (name, folder_id) values ('Física', $1) returning id`,
    [folderId],
  );
  const hosts = ['https://youtu.be/', 'https://www.cozinha.com.br/', 'https://a.br/torta.pdf?n='];
  for (let n = 0; n < LINKS; n += 1)
    await database.admin.query(
      `insert into links (user_id, title, url, category_id, created_at, description) values ($1, $2, $3, $4, $5, $6)`,
      [
        owner.id,
        `${WORDS[n % 7]} ${WORDS[(n * 3) % 5]} ${n}`,
        `${hosts[n % 3]}${n}`,
        n % 4 === 0 ? categoryId : rows[0]?.id,
        new Date(Date.UTC(2023, n % 30, 2)),
        n % 11 === 0 ? 'bolo '.repeat(200) : null,
      ],
    );
  await queryAs(
    database,
    owner,
    `insert into favorites (link_id) select id from links where title like 'luz%'`,
  );
  await database.admin.query(
    `insert into private.failing_links (link_id, user_id, failed_since, due_at)
     select id, user_id, now() - interval '3 days', now() from links where title like 'bolo%'`,
  );
  await queryAs(
    database,
    owner,
    `select tag_links(array(select id from links where title like '%torta%'), array['Ler depois', 'forno'])`,
  );
});
afterAll(() => database.drop());

const parametersOf = (typed: string) => {
  const { words, filters } = readQuestion(typed);
  return { term: words, ...toParameters(filters) };
};

async function call<Row extends object>(
  name: string,
  parameters: object,
  caller: TestCaller = library.owner,
): Promise<readonly Row[]> {
  const entries = Object.entries(parameters);
  const list = entries.map(([key], at) => `${key} => $${at + 1}`).join(', ');
  const { rows } = await queryAs<Row & Record<string, unknown>>(
    database,
    caller,
    `select * from ${name}(${list})`,
    entries.map(([, value]) => value),
  );
  return rows;
}

async function count(typed: string, caller?: TestCaller, most?: number): Promise<number | undefined> {
  const parameters = { ...parametersOf(typed), ...(most === undefined ? {} : { max_count: most }) };
  const [row] = await call<{ count_links_by: number }>('count_links_by', parameters, caller);
  return row?.count_links_by;
}

/** How many links the search gives, page after page. */
async function turnPages(typed: string): Promise<number> {
  const { isFiltered } = readQuestion(typed);
  let total = 0;
  for (let page = 1; ; page += 1) {
    const wanted = { ...parametersOf(typed), max_results: 50, page };
    const rows = await call(isFiltered ? 'search_links_by' : 'search_links', wanted);
    total += rows.length;
    if (rows.length < 50) return total;
  }
}

describe('counts what the search finds', () => {
  test.each([
    'bolo',
    'luz curso',
    'bolo -torta',
    'em:fisica',
    'é:favorito',
    'é:quebrado',
    'é:quebrado tag:forno',
    'site:youtu.be bolo',
    'nada',
    'tag:forno',
    'sem:tag',
    'forno luz',
  ])('%s', async (typed) => {
    const total = await turnPages(typed);
    expect(await count(typed)).toBe(total);
    if (typed === 'em:fisica') expect(total).toBeGreaterThan(50);
    if (/forno|sem|quebrado/.test(typed)) expect(total).toBeGreaterThan(0);
  });

  test('for random questions', async () => {
    const parts = [...WORDS, '-bolo', 'site:cozinha', 'pasta:cozinha', 'em:fisica', 'em:nada', 'tipo:pdf']
      .concat([
        'tipo:vídeo',
        'antes:2024',
        'depois:03/2023',
        'é:favorito',
        'é:quebrado',
        '"bolo bolo"',
        'b'.repeat(101),
      ])
      .concat(['tag:ler', 'sem:tag', 'forno', '-forno']);
    let state = 11;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 120; round += 1) {
      const typed = Array.from({ length: 1 + random(3) }, () => parts[random(parts.length)]).join(' ');
      expect(await count(typed), typed).toBe(await turnPages(typed));
    }
  });
});

test('counts every link where nothing is asked, and no further than it is told', async () => {
  expect(await count('')).toBe(LINKS);
  for (const typed of ['', 'bolo', 'bolo torta', 'em:fisica', 'em:fisica bolo'])
    expect(await count(typed, library.owner, 3), typed).toBe(3);
  expect(await count('bolo', library.owner, 0)).toBe(0);
});

test('many questions are answered at once, each at its place', async () => {
  const searches = ['bolo', 'em:fisica', 'nada', 'depois:2024 luz', 'tag:forno', 'sem:tag luz'];
  const rows = await call<{ place: number; total: number }>('count_searches', {
    searches: JSON.stringify(searches.map(parametersOf)),
  });
  const expected = await Promise.all(searches.map((typed) => count(typed)));
  expect(rows).toEqual(expected.map((total, at) => ({ place: at + 1, total })));
  expect(await call('count_searches', { searches: '[]' })).toEqual([]);
});

test('but no more than can be saved, and nothing that is no list', async () => {
  const ask = (searches: unknown) =>
    readOutcome(database, library.owner, 'select * from count_searches($1)', [JSON.stringify(searches)]);
  // Fewer rows where the machine is slow: it answers what two seconds are enough for.
  expect(await ask(Array.from({ length: 100 }, () => ({ term: 'nada' })))).toHaveProperty('rows');
  expect(await ask(Array.from({ length: 101 }, () => ({ term: 'nada' })))).toMatchObject({ code: 'PT400' });
  expect(await ask({ term: 'bolo' })).toMatchObject({ code: 'PT400' });
  expect(await ask(null)).toMatchObject({ code: 'PT400' });
});

test('a stranger counts their own links alone, a visitor none', async () => {
  const stranger = await createUser(database.admin);
  for (const typed of ['', 'bolo', 'em:fisica', 'site:youtu.be'])
    expect(await count(typed, stranger), typed).toBe(0);
  for (const text of [`select count_links_by('bolo')`, `select * from count_searches('[]')`])
    expect(await readOutcome(database, 'anon', text)).toMatchObject({ code: '42501' });
});
