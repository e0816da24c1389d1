import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let other: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
  await run('delete from links');
});

type Row = Record<string, unknown>;
const run = async <Kind extends Row = Row>(text: string, values: readonly unknown[] = []) =>
  (await queryAs<Kind>(database, mine.owner, text, values)).rows;

async function add(title: string, url: string, wish: { description?: string; category?: string } = {}) {
  const [row] = await run<{ id: string }>(
    'insert into links (title, url, description, category_id) values ($1, $2, $3, $4) returning id',
    [title, url, wish.description ?? null, wish.category ?? mine.categoryId],
  );
  return row?.id ?? '';
}

const list = (text = 'select * from list_repeated_links()', values: readonly unknown[] = []) =>
  run(text, values);
const listTitles = async () => (await list()).map(({ title }) => title);
const links = () =>
  run('select title, url, description, category_id, created_at, id from links order by created_at');

/** As a screen sees them now. */
async function see(kept: string, ids: readonly string[]): Promise<object> {
  const rows = await run<{ id: string; seen: string }>(
    'select id, updated_at::text as seen from links where id = any ($1)',
    [ids],
  );
  return { kept, links: rows.map(({ id, seen }) => ({ id, updated_at: seen })) };
}
const JOIN = 'select kept, remaining, gone, version::text as version, was from join_repeated_links($1)';
const join = (seen: readonly object[], caller: TestCaller = mine.owner) =>
  queryAs(database, caller, JOIN, [JSON.stringify(seen)]).then(({ rows }) => rows);
const undo = async (joined: readonly object[]) =>
  (await run<{ n: number }>('select undo_join($1) as n', [JSON.stringify(joined)]))[0]?.n;

describe('repeated links', () => {
  test('are listed by address, the address with the newest first, in it the oldest first, each with its place', async () => {
    await add('A1', 'https://a.br/x');
    await add('B1', 'http://www.b.br/');
    await add('Um', 'https://c.br/');
    await add('A2', 'https://a.br/x/?utm_source=y', { category: other, description: 'nota' });
    await add('B2', 'https://b.br');
    const rows = await list();
    expect(rows.map(({ title, category_name: category }) => [title, category])).toEqual([
      ['B1', 'Leituras'],
      ['B2', 'Leituras'],
      ['A1', 'Leituras'],
      ['A2', 'Outra'],
    ]);
    expect(rows[3]).toMatchObject({
      address_count: 2,
      copy_count: 2,
      folder_name: 'Trabalho',
      description: 'nota',
      favorite: false,
    });
    await run(`update links set url = 'https://d.br' where title = 'B1'`);
    expect(await listTitles()).toEqual(['A1', 'A2']);
    await run(`delete from links where title = 'A1'`);
    expect(await listTitles()).toEqual([]);
  });

  test('come page by page', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      for (const n of [1, 2]) await add(`${name}${n}`, `https://${name}.br/`);
    const seen: unknown[] = [];
    let before: readonly unknown[] = [null, null];
    for (let page = 1; page <= 4; page += 1) {
      const rows = await list('select *, newest::text as moment from list_repeated_links($1, $2, 2)', before);
      seen.push(rows.map(({ title }) => title).join(' '));
      const last = rows.at(-1);
      if (last) before = [last['moment'], last['address']];
    }
    expect(seen).toEqual(['e1 e2 d1 d2', 'c1 c2 b1 b2', 'a1 a2', '']);
  });

  test('of one moment, as an import makes them, come page by page as well, none twice', async () => {
    await database.admin.query(
      `insert into links (url, title, category_id, user_id, created_at)
       select 'https://junto.br/' || n % 5, 'L', $1, $2, now() from generate_series(1, 10) n`,
      [mine.categoryId, mine.owner.id],
    );
    const whole = (await list()).map(({ address }) => address);
    expect(new Set(whole).size).toBe(5);
    const seen: unknown[] = [];
    let before: readonly unknown[] = [null, null];
    for (;;) {
      const rows = await list('select *, newest::text as moment from list_repeated_links($1, $2, 2)', before);
      const last = rows.at(-1);
      if (last === undefined) break;
      seen.push(...rows.map(({ address }) => address));
      before = [last['moment'], last['address']];
    }
    expect(seen).toEqual(whole);
    expect(await list('select from list_repeated_links(null, null, 0)')).toEqual([]);
    expect(await list('select from list_repeated_links(null, null, -1)')).toEqual([]);
  });

  test('of a large library are counted whole, and a page of them is given', async () => {
    await run(
      `insert into links (url, title, category_id) select 'https://grande.br/' || n % 4990, 'L', $1 from generate_series(1, 5000) n`,
      [mine.categoryId],
    );
    const rows = await list();
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatchObject({ address_count: 10, copy_count: 2 });
  });
});

describe('joining', () => {
  test('keeps the chosen title and place, the oldest date, all notes and a star; the others lie in the bin', async () => {
    const first = await add('Velho', 'http://a.br/x', { description: 'um' });
    const chosen = await add('Bom', 'https://a.br/x', { category: other, description: 'dois' });
    const third = await add('Outro', 'https://www.a.br/x/', { description: 'um' });
    await run('insert into favorites (link_id) values ($1)', [third]);
    const [before] = await links();
    const joined = await join([await see(chosen, [first, chosen, third])]);
    expect(joined).toMatchObject([{ kept: chosen, remaining: first, gone: [chosen, third] }]);
    expect(await links()).toEqual([
      {
        id: first,
        title: 'Bom',
        url: 'https://a.br/x',
        description: 'dois\n\num',
        category_id: other,
        created_at: before?.['created_at'],
      },
    ]);
    expect(await run('select link_id from favorites')).toEqual([{ link_id: first }]);
    expect(await listTitles()).toEqual([]);
    expect(await run('select item_type, link_count from list_bin()')).toMatchObject([
      { item_type: 'link', link_count: 2 },
      {},
    ]);
    // And all of it back, with the one star where it was.
    const whole = [
      { title: 'Velho', url: 'http://a.br/x', description: 'um', category_id: mine.categoryId },
      { title: 'Bom', url: 'https://a.br/x', description: 'dois', category_id: other },
      { title: 'Outro', url: 'https://www.a.br/x/', description: 'um', category_id: mine.categoryId },
    ];
    expect(await undo(joined)).toBe(2);
    expect(await links()).toMatchObject(whole);
    expect(await run('select link_id from favorites')).toEqual([{ link_id: third }]);
    expect(await listTitles()).toEqual(['Velho', 'Bom', 'Outro']);
    expect(await undo(joined)).toBe(0);
  });

  test('leaves the star of the link that stays, also when it is taken back', async () => {
    const [one, two] = [await add('Um', 'https://a.br'), await add('Dois', 'https://a.br')];
    await run('insert into favorites (link_id) values ($1), ($2)', [one, two]);
    const joined = await join([await see(two, [one, two])]);
    expect(await run('select link_id from favorites')).toEqual([{ link_id: one }]);
    expect(await undo(joined)).toBe(1);
    const starred = await run('select link_id from favorites order by link_id');
    expect(starred).toEqual([one, two].toSorted().map((id) => ({ link_id: id })));
  });

  test('counts and moves no star of who reads the category', async () => {
    const [one, two] = [await add('Um', 'https://a.br'), await add('Dois', 'https://a.br')];
    const others = [await add('Três', 'https://b.br'), await add('Quatro', 'https://b.br')];
    const guest = await createUser(database.admin, { plan: 'pro' });
    await run('insert into shared_with (category_id, email) values ($1, $2)', [mine.categoryId, guest.email]);
    const star = 'insert into favorites (link_id) values ($1)';
    for (const id of [one, others[1]]) await queryAs(database, guest, star, [id]);
    await run(star, [two]);
    const starsOf = async (person: TestCaller) =>
      (await queryAs(database, person, 'select link_id from favorites')).rows.map(({ link_id: id }) => id);
    const listed = await list('select id from list_repeated_links() where favorite');
    expect(listed).toEqual([{ id: two }]);
    const joined = await join([await see(two, [one, two]), await see(others[1] ?? '', others)]);
    expect([await starsOf(mine.owner), await starsOf(guest)]).toEqual([[one], [one]]);
    expect(await undo(joined)).toBe(2);
    expect([await starsOf(mine.owner), await starsOf(guest)]).toEqual([[two], [one]]);
  });

  test('keeps every tag, and gives back what the others had', async () => {
    const first = await add('Velho', 'https://a.br/x');
    const second = await add('Novo', 'http://a.br/x');
    const tagsOf = async () =>
      (
        await run<{ id: string; names: string[] }>(
          `select k.link_id as id, array_agg(t.name order by t.name) as names
           from link_tags k join tags t on t.id = k.tag_id group by k.link_id`,
        )
      ).toSorted((one, other) => (one.id === first ? -1 : other.id === first ? 1 : 0));
    await run(`select tag_links(array[$1::uuid], array['ler', 'bolo'])`, [first]);
    await run(`select tag_links(array[$1::uuid], array['bolo', 'casa'])`, [second]);
    const joined = await join([await see(second, [first, second])]);
    expect(await tagsOf()).toEqual([{ id: first, names: ['bolo', 'casa', 'ler'] }]);
    expect(await undo(joined)).toBe(1);
    expect(await tagsOf()).toEqual([
      { id: first, names: ['bolo', 'ler'] },
      { id: second, names: ['bolo', 'casa'] },
    ]);
  });

  test('a link has no more tags than one may have: those that most links have stay', async () => {
    const first = await add('Velho', 'https://a.br/x');
    const second = await add('Novo', 'http://a.br/x');
    const third = await add('Outro', 'https://outro.br');
    const names = (word: string, many: number) => Array.from({ length: many }, (_, n) => `${word} ${n}`);
    await run('select tag_links(array[$1::uuid], $2)', [first, names('velha', 19)]);
    await run('select tag_links(array[$1::uuid], $2)', [second, names('nova', 5)]);
    await run(`select tag_links(array[$1::uuid], array['nova 3'])`, [third]);
    await join([await see(second, [first, second])]);
    const kept = await run<{ name: string }>(
      'select t.name from link_tags k join tags t on t.id = k.tag_id where k.link_id = $1',
      [first],
    );
    expect(kept).toHaveLength(20);
    expect(kept.filter(({ name }) => name.startsWith('nova'))).toEqual([{ name: 'nova 3' }]);
  });

  test('finds by search what it joined', async () => {
    const [one, two] = [
      await add('Pudim', 'https://a.br'),
      await add('Flan', 'http://a.br', { description: 'leite' }),
    ];
    await join([await see(two, [one, two])]);
    expect(await run(`select title from search_links('leite')`)).toEqual([{ title: 'Flan' }]);
    expect(await run(`select title from search_links('pudim')`)).toEqual([]);
  });

  test('several addresses at once, and what a description does not hold is cut', async () => {
    const pairs = [
      [
        await add('A1', 'https://a.br', { description: 'a'.repeat(1200) }),
        await add('A2', 'http://a.br', { description: 'b' }),
      ],
      [await add('B1', 'https://b.br'), await add('B2', 'http://b.br', { description: '  ' })],
    ];
    const seen = await Promise.all(pairs.map(([kept = '', copy = '']) => see(kept, [kept, copy])));
    expect(await join(seen)).toHaveLength(2);
    expect((await links()).map(({ title, description }) => [title, description])).toEqual([
      ['A1', `${'a'.repeat(1199)}…`],
      ['B1', null],
    ]);
  });

  test('leaves alone a link that changed, went or leads elsewhere since it was seen', async () => {
    const ids = [
      await add('Um', 'https://a.br'),
      await add('Dois', 'https://a.br'),
      await add('Três', 'https://a.br'),
      await add('Quatro', 'https://a.br'),
    ];
    const [one = '', two, three] = ids;
    const seen = await see(one, ids);
    await run(`update links set description = 'novo' where id = $1`, [two]);
    await run('delete from links where id = $1', [three]);
    expect(await join([seen])).toMatchObject([{ gone: [ids[3]] }]);
    expect((await links()).map(({ title, description }) => [title, description])).toEqual([
      ['Um', null],
      ['Dois', 'novo'],
    ]);
    const others = [await add('X', 'https://x.br'), await add('Y', 'https://y.br')];
    expect(await join([await see(others[0] ?? '', others)])).toEqual([]);
    // Without the kept one nothing is joined.
    const again = await see(one, [one, two ?? '']);
    await run(`update links set title = 'Outro' where id = $1`, [one]);
    expect(await join([again])).toEqual([]);
  });

  test('by two at once, each keeping another, leaves one of them', async () => {
    const [one, two] = [await add('Um', 'https://a.br'), await add('Dois', 'https://a.br')];
    const seen = [await see(one, [one, two]), await see(two, [one, two])];
    const done = await Promise.all(seen.map((each) => join([each])));
    expect(done.flat()).toHaveLength(1);
    expect(await links()).toHaveLength(1);
  });

  test('by two in a fixed order: the second waits, and finds nothing to join', async () => {
    const [one, two] = [await add('Um', 'https://a.br'), await add('Dois', 'https://a.br')];
    const seen = [await see(one, [one, two]), await see(two, [one, two])];
    const holder = await database.admin.connect();
    try {
      await holder.query('begin');
      await holder.query('select from links where id = any ($1) for update', [[one, two]]);
      const waiting = [join([seen[0] ?? {}]), join([seen[1] ?? {}])];
      await expect
        .poll(async () => {
          const { rows } = await database.admin.query(
            `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'select kept%'
               and datname = current_database()`,
          );
          return rows[0].n;
        })
        .toBe(2);
      await holder.query('commit');
      expect((await Promise.all(waiting)).flat()).toHaveLength(1);
    } finally {
      holder.release();
    }
    expect(await links()).toHaveLength(1);
  });

  test('what changed after the join is not taken back, and a category that is gone is no obstacle', async () => {
    const [one, two] = [
      await add('Um', 'https://a.br'),
      await add('Dois', 'https://a.br', { category: other }),
    ];
    const joined = await join([await see(two, [one, two])]);
    await run(`update links set title = 'Meu' where id = $1`, [one]);
    expect(await undo(joined)).toBe(1);
    expect((await links()).map(({ title }) => title)).toEqual(['Meu', 'Dois']);
  });

  test('takes no more at once than it says, and nothing that is no list', async () => {
    const ask = (name: string, value: unknown) =>
      readOutcome(database, mine.owner, `select * from ${name}($1)`, [JSON.stringify(value)]);
    const many = Array.from({ length: 51 }, () => ({ kept: mine.linkId, links: [] }));
    expect(await join(many.slice(1))).toEqual([]);
    expect(await undo(many.slice(1))).toBe(0);
    for (const name of ['join_repeated_links', 'undo_join'])
      for (const wrong of [many, { kept: 1 }, null])
        expect(await ask(name, wrong)).toMatchObject({ code: 'PT400' });
    const wide = [{ kept: mine.linkId, links: Array.from({ length: 2501 }, () => ({ id: mine.linkId })) }];
    expect(await ask('join_repeated_links', wide)).toMatchObject({ code: 'PT400' });
    const [first] = wide;
    expect(await join([{ ...first, links: first?.links.slice(1) }])).toEqual([]);
  });
});

describe('a stranger', () => {
  test('sees, joins and takes back nothing of somebody else’s, also where a category is shared', async () => {
    const [one, two] = [await add('Um', 'https://a.br'), await add('Dois', 'https://a.br')];
    const stranger = await createUser(database.admin, { plan: 'pro' });
    await run('insert into shared_with (category_id, email) values ($1, $2)', [
      mine.categoryId,
      stranger.email,
    ]);
    expect((await queryAs(database, stranger, 'select from list_repeated_links()')).rows).toEqual([]);
    const seen = await see(one, [one, two]);
    expect(await join([seen], stranger)).toEqual([]);
    const joined = await join([seen]);
    const taken = await queryAs<{ n: number }>(database, stranger, 'select undo_join($1) as n', [
      JSON.stringify(joined),
    ]);
    expect(taken.rows).toEqual([{ n: 0 }]);
    expect(await links()).toHaveLength(1);
  });

  test('cannot have their links joined with, or put into, somebody else’s', async () => {
    const one = await add('Um', 'https://a.br');
    const theirs = await createLibrary(database, { plan: 'pro' });
    const add2 = (
      await queryAs<{ id: string; seen: string }>(
        database,
        theirs.owner,
        `insert into links (title, url, category_id) values ('Deles', 'https://a.br', $1), ('Deles 2', 'https://a.br', $1)
         returning id, updated_at::text as seen`,
        [theirs.categoryId],
      )
    ).rows;
    const [first, second] = add2.map(({ id, seen }) => ({ id, updated_at: seen }));
    const [own] = ((await see(one, [one])) as { links: object[] }).links;
    expect(await join([{ kept: one, links: [own, first, second] }], theirs.owner)).toEqual([]);
    expect(await join([{ kept: first?.id, links: [own, first] }], theirs.owner)).toEqual([]);
    const joined = await join([{ kept: first?.id, links: [own, first, second] }], theirs.owner);
    expect(joined).toMatchObject([{ gone: [second?.id] }]);
    const forged = joined.map((each) => ({
      ...each,
      was: { title: 'X', url: 'https://a.br', category_id: mine.categoryId, favorite: true },
    }));
    await queryAs(database, theirs.owner, 'select undo_join($1)', [JSON.stringify(forged)]);
    const { rows } = await queryAs<Row>(
      database,
      theirs.owner,
      'select title, category_id from links where url = $1',
      ['https://a.br'],
    );
    expect(rows.map(({ category_id: place }) => place)).toEqual([theirs.categoryId, theirs.categoryId]);
    expect(await links()).toHaveLength(1);
  });

  test('without an account reaches none of it', async () => {
    for (const text of [
      'select from list_repeated_links()',
      `select from join_repeated_links('[]')`,
      `select undo_join('[]')`,
      'select from private.link_addresses',
    ])
      expect(await readOutcome(database, 'anon', text)).toMatchObject({ code: '42501' });
    expect(await readOutcome(database, mine.owner, 'select from private.link_addresses')).toMatchObject({
      code: '42501',
    });
  });
});
