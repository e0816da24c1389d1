import { foldText } from '@linkoteca/domain/fold-text';
import { createLinkFilter, type FilteredPlace, toParameters } from '@linkoteca/domain/search-filters';
import { readMeaning } from '@linkoteca/domain/search-meaning';
import { readQuestion } from '@linkoteca/domain/search-question';
import { rankText, readSearchWords } from '@linkoteca/domain/search-words';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let library: Library;

type Row = { id: string; title: string; url: string; created_at: Date; category_id: string };

/** Asks as the app does. */
async function ask(typed: string, caller: TestCaller = library.owner, max = 50, page = 1) {
  const { words, filters } = readQuestion(typed);
  const parameters = Object.entries({ term: words, ...toParameters(filters), max_results: max, page });
  const { rows } = await queryAs<{ id: string; title: string }>(
    database,
    caller,
    `select id, title from search_links_by(${parameters.map(([name], at) => `${name} => $${at + 1}`).join(', ')})`,
    parameters.map(([, value]) => value),
  );
  return rows;
}
const titles = async (typed: string, caller?: TestCaller) =>
  (await ask(typed, caller)).map(({ title }) => title);

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro' });
  await queryAs(database, library.owner, `delete from links where id = $1`, [library.linkId]);
  await queryAs(database, library.owner, `update folders set name = 'Cozinha' where id = $1`, [
    library.folderId,
  ]);
  await queryAs(database, library.owner, `update categories set name = 'Receitas' where id = $1`, [
    library.categoryId,
  ]);
  const { rows } = await queryAs<{ id: string }>(
    database,
    library.owner,
    `insert into categories (name, folder_id) values ('Receitas antigas', $1), ('Física', $1) returning id`,
    [library.folderId],
  );
  const [old, physics] = rows.map(({ id }) => id);
  const add = (title: string, url: string, category: string | undefined, day: string) =>
    database.admin.query(
      `insert into links (user_id, title, url, category_id, created_at) values ($1, $2, $3, $4, $5)`,
      [library.owner.id, title, url, category, new Date(`${day}T12:00:00`)],
    );
  await add('Bolo de fubá', 'https://www.Cozinha.com.br/bolo', library.categoryId, '2024-03-10');
  await add('Bolo de cenoura', 'https://youtu.be/abc', library.categoryId, '2024-03-11');
  await add('Torta', 'https://a.br/torta.PDF?x=1', old, '2023-12-31');
  await add('Luz', 'http://eu:senha@fotos.cozinha.com.br:8080/luz.jpeg', physics, '2025-01-01');
  await add('cozinha', 'https://b.br/?u=cozinha.com.br', physics, '2025-01-02');
  await queryAs(
    database,
    library.owner,
    `insert into favorites (link_id) select id from links where title in ('Luz', 'Torta')`,
  );
  const tag = (titles: readonly string[], names: readonly string[]) =>
    queryAs(
      database,
      library.owner,
      `select tag_links(array(select id from links where title = any ($1)), $2)`,
      [titles, names],
    );
  await tag(['Bolo de fubá', 'Torta'], ['Café da manhã', 'Milho']);
  await tag(['Luz', 'Torta'], ['Para ler', 'Milho verde']);
});
afterAll(() => database.drop());

test.each<[string, readonly string[]]>([
  ['bolo', ['Bolo de cenoura', 'Bolo de fubá']],
  ['site:cozinha', ['Luz', 'Bolo de fubá']],
  ['site:cozinha.com.br', ['Luz', 'Bolo de fubá']],
  ['site:https://www.cozinha.com.br/outra', ['Luz', 'Bolo de fubá']],
  ['site:cozi', []],
  ['site:%', []],
  ['em:receitas', ['Bolo de cenoura', 'Bolo de fubá']],
  ['em:receita', ['Bolo de cenoura', 'Bolo de fubá', 'Torta']],
  ['em:"receitas antigas"', ['Torta']],
  ['em:fisica pasta:COZINHA', ['cozinha', 'Luz']],
  ['em:nada', []],
  ['em:_', []],
  ['tipo:vídeo', ['Bolo de cenoura']],
  ['tipo:pdf', ['Torta']],
  ['tipo:imagem', ['Luz']],
  ['antes:2024', ['Torta']],
  ['antes:11/03/2024', ['Bolo de fubá', 'Torta']],
  ['depois:10/03/2024', ['cozinha', 'Luz', 'Bolo de cenoura']],
  ['depois:12/2023 antes:04/2024', ['Bolo de cenoura', 'Bolo de fubá']],
  ['depois:2025', []],
  ['é:favorito', ['Luz', 'Torta']],
  ['bolo em:receitas -cenoura', ['Bolo de fubá']],
  ['receitas bolo site:youtu.be', ['Bolo de cenoura']],
  ['torta é:favorito tipo:pdf antes:2024 pasta:coz', ['Torta']],
  ['tag:milho', ['Bolo de fubá', 'Torta']],
  ['tag:#MILHO', ['Bolo de fubá', 'Torta']],
  ['tag:mil', ['Luz', 'Bolo de fubá', 'Torta']],
  ['tag:"cafe da manha" tag:milho tag:ler', ['Torta']],
  ['tag:milho tag:nada', []],
  ['tag:nada', []],
  ['tag:milho bolo', ['Bolo de fubá']],
  ['tag:milho cafe', ['Torta', 'Bolo de fubá']],
  ['sem:tag', ['cozinha', 'Bolo de cenoura']],
  ['sem:tags em:receitas', ['Bolo de cenoura']],
  ['sem:tag tag:milho', []],
  ['milho', ['Luz', 'Torta', 'Bolo de fubá']],
  ['milho bolo', ['Bolo de fubá']],
  ['cafe milho', ['Torta', 'Bolo de fubá']],
  ['"milho verde"', ['Luz', 'Torta']],
  ['receitas milho', ['Torta', 'Bolo de fubá']],
  ['milho -ler', ['Bolo de fubá']],
  ['milho -luz', ['Torta', 'Bolo de fubá']],
  ['fisica ler', ['Luz']],
])('%s leaves %j', async (typed, expected) => {
  expect(await titles(typed)).toEqual(expected);
});

test('an unknown operator is a word, as it is without operators', async () => {
  expect(await titles('foo:bolo')).toEqual([]);
  expect(await titles('https://youtu.be/abc tipo:video')).toEqual(['Bolo de cenoura']);
});

test('a stranger finds nothing, whatever they ask for, and a visitor may not ask', async () => {
  const stranger = await createLibrary(database, { plan: 'pro' });
  for (const typed of [
    'site:cozinha',
    'em:receitas',
    'é:favorito',
    'bolo tipo:video',
    'antes:2030',
    'tag:milho',
    'milho',
    'sem:tag',
  ])
    expect((await ask(typed, stranger.owner)).filter(({ id }) => id !== stranger.linkId)).toEqual([]);
  await expect(ask('site:cozinha', 'anon')).rejects.toMatchObject({ code: '42501' });
});

test.each([
  ['term', "'); drop table links; --"],
  ['site', '.*(a+)+$'],
  ['folder', '%'],
  ['category', '\\'],
  ['kind', 'video|pdf'],
  ['kind', ''],
  ['site', ''],
  ['folder', ''],
  ['category', 'x'.repeat(10_000)],
  ['term', `${'a'.repeat(120)} b`],
])('a hostile %s harms nothing: %j', async (name, value) => {
  const { rows } = await queryAs(
    database,
    library.owner,
    `select from search_links_by(${name} => $1, favorite => null, max_results => null, page => -1)`,
    [value],
  );
  expect(rows.length).toBeLessThanOrEqual(10);
});

test('random questions are answered as the browser answers them from its copy', async () => {
  const parts = [
    ...['bolo', 'torta', '-cenoura', '"de fubá"', 'receitas', 'luz', 'cozinha', 'a', 'x:y'],
    ...['site:br', 'site:cozinha', 'site:youtu', 'em:re', 'em:fisica', 'pasta:cozinha', 'pasta:"o z"'],
    ...['tipo:pdf', 'tipo:video', 'tipo:imagem', 'antes:2025', 'antes:11/3/2024', 'depois:02/2024'],
    ...[
      'depois:01/01/2025',
      'é:favorito',
      'tag:milho',
      'tag:mil',
      'tag:ler',
      'sem:tag',
      'milho',
      'café',
      '-ler',
    ],
  ];
  const { rows: links } = await queryAs<Row>(
    database,
    library.owner,
    `select * from links order by created_at desc, id desc`,
  );
  const { rows: places } = await queryAs<{ categoryId: string; category: string; folder: string }>(
    database,
    library.owner,
    `select c.id as "categoryId", c.name as category, f.name as folder from categories c join folders f on f.id = c.folder_id`,
  );
  const folded: FilteredPlace[] = places.map((place) => ({
    ...place,
    category: foldText(place.category),
    folder: foldText(place.folder),
  }));
  const { rows: stars } = await queryAs<{ link_id: string }>(
    database,
    library.owner,
    `select link_id from favorites`,
  );
  const starred = new Set(stars.map(({ link_id }) => link_id));
  const { rows: tagged } = await queryAs<{ link_id: string; folded: string }>(
    database,
    library.owner,
    `select k.link_id, t.folded from link_tags k join tags t on t.id = k.tag_id`,
  );
  const tagsOf = (id: string) => tagged.filter((one) => one.link_id === id).map((one) => one.folded);
  const tags = {
    names: tagged.map((one) => one.folded),
    of: ({ id }: { readonly id: string }) => tagsOf(id),
  };
  const placeOf = (id: string) => {
    const place = folded.find(({ categoryId }) => categoryId === id);
    return `${place?.category}\n${place?.folder}`;
  };
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 250; round += 1) {
    const typed = Array.from({ length: 1 + random(4) }, () => parts[random(parts.length)]).join(' ');
    const { words, filters } = readQuestion(typed);
    const asked = readSearchWords(words);
    const leaves = createLinkFilter(filters, folded, (id) => starred.has(id), tags);
    const ranked = links
      .filter((link) => leaves({ ...link, created_at: link.created_at.toISOString() }))
      .map((link) => ({
        id: link.id,
        rank: rankText(
          [foldText(link.title), foldText(link.url), '', ...tagsOf(link.id)].join('\n'),
          asked,
          placeOf(link.category_id),
        ),
        link,
      }))
      .filter(({ rank }) => rank > 0)
      .map(({ id, rank, link }) => ({
        id,
        rank,
        meaning:
          asked.whole === ''
            ? 0
            : readMeaning({ title: foldText(link.title), url: foldText(link.url) }, asked, rank),
        star: asked.whole !== '' && starred.has(id) ? 1 : 0,
      }))
      .toSorted(
        (one, other) => other.rank - one.rank || other.meaning - one.meaning || other.star - one.star,
      );
    expect(
      (await ask(typed)).map(({ id }) => id),
      typed,
    ).toEqual(ranked.map(({ id }) => id));
    if (Object.keys(toParameters(filters)).length > 0 || asked.whole === '') continue;
    const { rows: plain } = await queryAs<{ id: string }>(
      database,
      library.owner,
      'select id from search_links($1, 50)',
      [words],
    );
    expect(
      plain.map(({ id }) => id),
      typed,
    ).toEqual(ranked.map(({ id }) => id));
  }
});

test.each([
  ['https://youtu.be/a', true],
  ['https://m.youtube.com?v=a', true],
  ['https://www.youtube.com:443/a', true],
  ['https://eu:senha@vimeo.com/1', true],
  ['https://youtube.com:x@a.br/', false],
  ['https://naoyoutube.com/', false],
  ['https://youtube.com.br/', false],
  ['https://a.br/youtube.com', false],
  ['https://a.br/?u=@youtube.com', false],
  ['https://a.br/filme.mp4?x=1', true],
  ['https://a.br/?filme.mp4', false],
  ['https://a.br/filme.mp4/', true],
  ['https://filme.mp4', false],
])('that %s is a video (%s) is what both say', async (url, expected) => {
  const { rows } = await database.admin.query(`select private.is_link_kind($1, 'video') as found`, [url]);
  const leaves = createLinkFilter(readQuestion('tipo:vídeo').filters, [], () => false, {
    names: [],
    of: () => [],
  });
  const link = { id: '', url, created_at: '2025-01-01T00:00:00Z', category_id: '' };
  expect([rows[0].found, leaves(link)]).toEqual([expected, expected]);
});

test('page by page', async () => {
  const all = await titles('antes:2030');
  const pages = [1, 2, 3, 4].map((page) => ask('antes:2030', library.owner, 2, page));
  expect((await Promise.all(pages)).map((rows) => rows.map(({ title }) => title))).toEqual([
    all.slice(0, 2),
    all.slice(2, 4),
    all.slice(4),
    [],
  ]);
});
