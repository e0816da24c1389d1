import { randomUUID } from 'node:crypto';
import { foldText } from '@linkoteca/domain/fold-text';
import { MEANT, readMeaning } from '@linkoteca/domain/search-meaning';
import { hasWords, rankText, readSearchWords } from '@linkoteca/domain/search-words';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** The same numbers in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS = [
  ...[
    'Ação',
    'açaí',
    'bolo',
    'Bolo de fubá',
    'São',
    'sao',
    'C++',
    '100%',
    'a_b',
    'c\\d',
    'guarda-chuva',
    'tela 27"',
  ],
  ...[
    'Straße',
    'ﬁm',
    'ＬＡＲＧＯ',
    'ılha',
    'İlha',
    '👩‍👩‍👧',
    '日本',
    'x',
    'é',
    '—',
    '-nada',
    '"citado"',
    'garmin',
    'biblioteca',
  ],
];

describe('every word, in any order', () => {
  let library: Library;
  const add = (title: string, url = 'https://a.br/', description: string | null = null) =>
    queryAs(
      database,
      library.owner,
      `insert into links (title, url, description, category_id) values ($1, $2, $3, $4)`,
      [title, url, description, library.categoryId],
    );
  const search = async (term: string, max = 50, page = 1) => {
    const text = `select title from search_links($1, $2, $3)`;
    const { rows } = await queryAs<{ title: string }>(database, library.owner, text, [term, max, page]);
    return rows.map(({ title }) => title);
  };

  beforeAll(async () => {
    library = await createLibrary(database, { plan: 'pro' });
    await add('Minha Garmin biblioteca');
    await add('Biblioteca de trilhas', 'https://connect.garmin.com/', 'Relógios');
    await add('Só Garmin');
    await add('Bolo de cenoura');
    await add('Bolo de fubá', 'https://receitas.br/');
    await add('Longo', 'https://b.br', `começo${' meio'.repeat(230)} ponta`);
  });

  test('the whole term first, then the words, each once', async () => {
    expect(await search('garmin biblioteca')).toEqual(['Minha Garmin biblioteca', 'Biblioteca de trilhas']);
    expect(await search('BIBLIO garm')).toEqual(['Minha Garmin biblioteca', 'Biblioteca de trilhas']);
    expect(await search('relogios connect trilhas')).toEqual(['Biblioteca de trilhas']);
    expect(await search('relogios bolo')).toEqual([]);
  });

  test('together between quotation marks, and without what has a hyphen before it', async () => {
    expect(await search('"bolo de" receitas')).toEqual(['Bolo de fubá']);
    expect(await search('"fubá bolo"')).toEqual([]);
    expect(await search('bolo -cenoura')).toEqual(['Bolo de fubá']);
    expect(await search('bolo -"de fubá"')).toEqual(['Bolo de cenoura']);
    expect(await search('-cenoura')).toEqual([]);
  });

  test('also where they lie in different pieces of a long text', async () => {
    expect(await search('ponta comeco')).toEqual(['Longo']);
    expect(await search('ponta longo')).toEqual(['Longo']);
    expect(await search('ponta comeco -meio')).toEqual([]);
    expect(await search('longo -ponta')).toEqual([]);
    expect(await search('longo -outra')).toEqual(['Longo']);
    // The whole term lies in the last piece, its words in the first as well.
    await add('Fim', 'https://b.br', `ler meio ${'bla '.repeat(250)} meio ler`);
    expect(await search('meio ler')).toEqual(['Fim']);
    expect(await search('"meio" ler')).toEqual(['Fim']);
    expect(await search('ler meio')).toEqual(['Fim']);
  });

  test('last what holds some of them where category and folder name the others', async () => {
    const cook = await createLibrary(database, { plan: 'pro' });
    const ask = async (term: string, person = cook.owner) => {
      const text = `select title from search_links($1, 50)`;
      const { rows } = await queryAs<{ title: string }>(database, person, text, [term]);
      return rows.map(({ title }) => title);
    };
    await queryAs(database, cook.owner, `update folders set name = 'Cozinha' where id = $1`, [cook.folderId]);
    await queryAs(database, cook.owner, `update categories set name = 'Receitas da vovó' where id = $1`, [
      cook.categoryId,
    ]);
    const insert = `insert into links (title, url, description, category_id) values ($1, 'https://a.br/', $2, $3)`;
    await queryAs(database, cook.owner, insert, ['Bolo', null, cook.categoryId]);
    await queryAs(database, cook.owner, insert, ['Pão', `${'x '.repeat(400)} bolo`, cook.categoryId]);
    await queryAs(database, cook.owner, insert, ['Bolo com receitas', null, cook.categoryId]);
    expect(await ask('receita bolo')).toEqual(['Bolo com receitas', 'Pão', 'Bolo']);
    expect(await ask('COZINHA vovo bolo')).toEqual(['Bolo com receitas', 'Pão', 'Bolo']);
    expect(await ask('receita bolo -pao')).toEqual(['Bolo com receitas', 'Bolo']);
    expect(await ask('receita cozinha')).toEqual(['Bolo com receitas']);
    expect(await ask('da vovo')).toEqual([]);
    expect(await ask('receita feijão')).toEqual([]);
    // A word alone is looked for in links: its category would bring all of them.
    expect(await ask('vovo')).toEqual([]);
    // Names of somebody else's places name nothing here.
    await expect(
      queryAs(
        database,
        library.owner,
        `select private.find_links_by_place($1, array['bolo', 'vovo'], '{}', 9)`,
        [cook.owner.id],
      ),
    ).rejects.toMatchObject({ code: '42501' });
    expect(await ask('vovo bolo', library.owner)).toEqual([]);
  });

  test.each([
    ['all of the library', 1],
    ['every fourth link of it', 4],
  ])('of places that are %s the newest 3,000 links are looked at', { timeout: 60_000 }, async (_, every) => {
    const cook = await createLibrary(database, { plan: 'pro' });
    const { rows: places } = await queryAs<{ id: string }>(
      database,
      cook.owner,
      `insert into categories (name, folder_id)
       select name, $1 from unnest(array['Receitas', 'Receitas antigas', 'Outra']) as name returning id`,
      [cook.folderId],
    );
    await database.admin.query(
      `insert into links (user_id, title, url, category_id, created_at)
       select $1, case when k % 500 = 0 then 'Bolo ' else 'Torta ' end || k, 'https://a.br/',
         case when n % $3::int = 0 then ($2::uuid[])[1 + k % 2] else ($2::uuid[])[3] end,
         timestamptz '2026-01-01' - n * interval '1 minute'
       from generate_series(1, 4000 * $3::int) as n cross join lateral (select n / $3::int as k) as kept`,
      [cook.owner.id, places.map(({ id }) => id), every],
    );
    const ask = async (term: string) => {
      const text = `select title from search_links($1, 50)`;
      const { rows } = await queryAs<{ title: string }>(database, cook.owner, text, [term]);
      return rows.map(({ title }) => title);
    };
    const cakes = (...numbers: readonly number[]) => numbers.map((n) => `Bolo ${n}`);
    expect(await ask('bolo receitas')).toEqual(cakes(500, 1000, 1500, 2000, 2500, 3000));
    expect(await ask('bolo receitas -2500')).toEqual(cakes(500, 1000, 1500, 2000, 3000));
    // Of the one place all that is in it.
    expect(await ask('antigas 3999')).toEqual(['Torta 3999']);
    expect(await ask('receitas 3999')).toEqual([]);
    expect(await ask('receitas qqq')).toEqual([]);
  });

  test('page by page, across the border between the two', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    const insert = `insert into links (title, url, category_id) select $1 || n, 'https://a.br/' || n, $2 from generate_series(1, $3::int) n`;
    await queryAs(database, other.owner, insert, ['verde e azul ', other.categoryId, 7]);
    await queryAs(database, other.owner, insert, ['azul verde ', other.categoryId, 8]);
    const page = async (n: number) => {
      const text = `select title from search_links('azul verde', 4, $1)`;
      const { rows } = await queryAs<{ title: string }>(database, other.owner, text, [n]);
      return rows.map(({ title }) => title);
    };
    const pages = [await page(1), await page(2), await page(3), await page(4), await page(5)];
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 4, 3, 0]);
    const titles = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name} ${count - index}`);
    expect(pages.flat()).toEqual([...titles('azul verde', 8), ...titles('verde e azul', 7)]);
  });

  test('never a link of someone else', async () => {
    const stranger = await createLibrary(database, { plan: 'pro' });
    const { rows } = await queryAs(
      database,
      stranger.owner,
      `select from search_links('garmin biblioteca', 50)`,
    );
    expect(rows).toEqual([]);
    for (const text of [
      `select private.find_links($1, array['garmin'], '{}', '{}', 10, 0)`,
      `select private.link_holds($1, array['garmin'], '{}')`,
    ])
      await expect(queryAs(database, stranger.owner, text, [library.owner.id])).rejects.toMatchObject({
        code: '42501',
      });
  });
});

// More than two thousand links, so that zones are summed up; and so few that ten thousand questions may be asked altogether.
test.each([
  { many: 2400, asked: 600 },
  { many: 64, asked: 9400 },
])(
  '$asked random questions about $many links are answered as a plain reading of every link answers them',
  {
    timeout: 120_000,
  },
  async ({ many, asked: howMany }) => {
    const library = await createLibrary(database, { plan: 'pro' });
    const random = createRandom(20_261_123 + many);
    const pick = () => WORDS[random(WORDS.length)] ?? '';
    const some = (most: number) => Array.from({ length: 1 + random(most) }, pick).join(' ');
    // A tenth of them longer than a piece.
    const links = Array.from({ length: many }, (_, n) => ({
      title: some(4).slice(0, 100).trim() || 'x',
      url: `https://exemplo.com.br/${random(3) === 0 ? encodeURI(pick()) : n}`,
      description:
        random(10) === 0 ? `${some(3)} ${'ler '.repeat(170)} ${some(3)}` : random(2) === 0 ? some(5) : null,
    }));
    const categories = Array.from({ length: 8 }, () => ({ id: randomUUID(), name: pick() }));
    await queryAs(
      database,
      library.owner,
      `insert into categories (id, name, folder_id) select c.id, c.name, $2 from jsonb_to_recordset($1::jsonb) as c(id uuid, name text)`,
      [JSON.stringify(categories), library.folderId],
    );
    const each = many / categories.length;
    for (let from = 0; from < links.length; from += each)
      await queryAs(
        database,
        library.owner,
        `insert into links (title, url, description, category_id)
       select l.title, l.url, l.description, $2 from jsonb_to_recordset($1::jsonb) as l(title text, url text, description text)`,
        [JSON.stringify(links.slice(from, from + each)), categories[from / each]?.id],
      );
    const kept = await queryAs<{
      id: string;
      title: string;
      url: string;
      description: string | null;
      place: string;
    }>(
      database,
      library.owner,
      `select l.id, l.title, l.url, l.description, c.name || E'\n' || f.name as place
     from links l join categories c on c.id = l.category_id join folders f on f.id = c.folder_id
     order by l.created_at desc, l.id desc`,
    );
    const starred = new Set(kept.rows.filter(() => random(8) === 0).map(({ id }) => id));
    await queryAs(
      database,
      library.owner,
      `insert into favorites (link_id) select s.id from unnest($1::uuid[]) as s(id)`,
      [[...starred]],
    );
    const texts = kept.rows.map(({ id, title, url, description, place }) => ({
      id,
      text: [title, url, description ?? ''].map(foldText).join('\n'),
      named: { title: foldText(title), url: foldText(url) },
      isFavorite: starred.has(id),
      place: foldText(place),
    }));

    const term = () =>
      Array.from({ length: 1 + random(3) }, () => {
        const word = pick();
        const from = random(Math.max(1, word.length - 2));
        const part = random(2) === 0 ? word : word.slice(from, from + 1 + random(5));
        return ['', '', '', '-', '"'][random(5)] + part + (random(12) === 0 ? '"' : '');
      }).join(' '.repeat(1 + random(2)));
    // Cutting between the halves of a surrogate pair gives what no text can hold.
    const questions = Array.from({ length: howMany }, () => ({
      term: term().toWellFormed(),
      page: 1 + random(2),
    }));

    const wrong: unknown[] = [];
    for (let from = 0; from < questions.length; from += 100) {
      const asked = questions.slice(from, from + 100);
      const { rows } = await queryAs<{ ids: string[] }>(
        database,
        library.owner,
        `select array(select s.id from search_links(q.term, 20, q.page) with ordinality as s(id, a, b, c, d, e, place) order by place) as ids
       from unnest($1::text[], $2::int[]) with ordinality as q(term, page, place) order by q.place`,
        [asked.map(({ term: text }) => text), asked.map(({ page }) => page)],
      );
      for (const [at, question] of asked.entries()) {
        const words = readSearchWords(question.term);
        const ranked = texts.map(({ text, place, ...link }) => ({
          ...link,
          rank: words.whole === '' ? 0 : rankText(text, words, place),
        }));
        const newest = [
          ...ranked.filter(({ rank }) => rank === 3),
          ...(hasWords(words) ? ranked.filter(({ rank }) => rank === 2) : []),
          ...ranked.filter(({ rank }) => rank === 1),
        ];
        const meant = newest
          .slice(0, MEANT)
          .map((link) => ({ ...link, meaning: readMeaning(link.named, words, link.rank) }))
          .toSorted(
            (one, other) =>
              other.rank - one.rank ||
              other.meaning - one.meaning ||
              Number(other.isFavorite) - Number(one.isFavorite),
          );
        const expected = [...meant, ...newest.slice(MEANT)]
          .map(({ id }) => id)
          .slice((question.page - 1) * 20, question.page * 20);
        if (JSON.stringify(rows[at]?.ids) !== JSON.stringify(expected))
          wrong.push({ ...question, words, found: rows[at]?.ids.length, expected: expected.length });
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);
