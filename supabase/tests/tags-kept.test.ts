import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let mine: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
});

const run = async (person: TestUser, text: string, ...values: unknown[]) =>
  (await queryAs<Record<string, unknown>>(database, person, text, values)).rows;
const tag = (person: TestUser, ids: readonly string[], names: readonly string[]) =>
  run(person, 'select tag_links($1, $2)', ids, names);
const namesOf = async (person: TestUser) => {
  const rows = await run(
    person,
    `select l.title, string_agg(t.name, ' ' order by t.folded) as names from links l
     left join link_tags k on k.link_id = l.id left join tags t on t.id = k.tag_id group by l.id, l.title order by l.title`,
  );
  return Object.fromEntries(rows.map(({ title, names }) => [title, names]));
};

describe('a copied category', () => {
  test('brings the names of its links’ tags, which are those that its reader has already', async () => {
    const theirs = await createLibrary(database, { plan: 'pro' });
    await tag(mine.owner, [mine.linkId], ['Física', 'Luz']);
    await run(mine.owner, 'update categories set is_public = true');
    await run(theirs.owner, `delete from links`);
    await run(
      theirs.owner,
      `insert into links (url, title, category_id) values ('https://b.br', 'B', $1)`,
      theirs.categoryId,
    );
    const [own] = await run(theirs.owner, 'select id from links');
    await tag(theirs.owner, [String(own?.['id'])], ['fisica']);
    await run(theirs.owner, 'select copy_shared_category($1, $2)', mine.categoryId, theirs.folderId);
    expect(await namesOf(theirs.owner)).toEqual({ B: 'fisica', Exemplo: 'fisica Luz' });
    expect(await run(theirs.owner, 'select name, link_count from tags order by folded')).toEqual([
      { name: 'fisica', link_count: 2 },
      { name: 'Luz', link_count: 1 },
    ]);
    // The owner's are as they were.
    expect(await namesOf(mine.owner)).toEqual({ Exemplo: 'Física Luz' });
  });

  test('says when of the tags that it gives, and of no others', async () => {
    const theirs = await createLibrary(database, { plan: 'pro' });
    await tag(mine.owner, [mine.linkId], ['dada']);
    await run(mine.owner, 'update categories set is_public = true');
    await tag(theirs.owner, [theirs.linkId], ['dada', 'outra']);
    const before = await run(theirs.owner, 'select name, tagged_at from tags order by name');
    await run(theirs.owner, 'select copy_shared_category($1, $2)', mine.categoryId, theirs.folderId);
    const after = await run(theirs.owner, 'select name, tagged_at from tags order by name');
    expect(after[0]).not.toEqual(before[0]);
    expect(after[1]).toEqual(before[1]);
  });

  test('brings those that there is room for, the ones that most links have first', async () => {
    const free = await createLibrary(database);
    const filled = Array.from({ length: 19 }, (_, n) => `t${n}`);
    await tag(free.owner, [free.linkId], filled);
    const [{ id: second } = {}] = await run(
      mine.owner,
      `insert into links (url, title, category_id) values ('https://b.br', 'B', $1) returning id`,
      mine.categoryId,
    );
    await tag(mine.owner, [mine.linkId, String(second)], ['often']);
    await tag(mine.owner, [mine.linkId], ['a', 'T0']);
    await run(mine.owner, 'update categories set is_public = true');
    await run(free.owner, 'select copy_shared_category($1, $2)', mine.categoryId, free.folderId);
    expect(await namesOf(free.owner)).toMatchObject({ B: 'often' });
    expect(
      await run(
        free.owner,
        `select name, link_count from tags where name in ('often', 'a', 't0') order by name`,
      ),
    ).toEqual([
      { name: 'often', link_count: 2 },
      { name: 't0', link_count: 2 },
    ]);
  });
});

test('a copied category brings every tag to a plan that has room for all, whoever else has none', async () => {
  const free = await createLibrary(database);
  await tag(
    free.owner,
    [free.linkId],
    Array.from({ length: 20 }, (_, n) => `cheia ${n}`),
  );
  const theirs = await createLibrary(database, { plan: 'pro' });
  for (const word of ['a', 'b'])
    await tag(
      theirs.owner,
      [theirs.linkId],
      Array.from({ length: 10 }, (_, n) => `${word}${n}`),
    );
  await run(theirs.owner, 'delete from links');
  await tag(mine.owner, [mine.linkId], ['uma', 'outra']);
  await run(mine.owner, 'update categories set is_public = true');
  await run(theirs.owner, 'select copy_shared_category($1, $2)', mine.categoryId, theirs.folderId);
  expect(await namesOf(theirs.owner)).toEqual({ Exemplo: 'outra uma' });
});

describe('an import', () => {
  const content = (links: readonly object[]) => ({
    places: [{ n: 0, folder: 'Importados', category: 'Vários' }],
    links: links.map((link, n) => ({
      n,
      place: 0,
      id: randomUUID(),
      title: `L${n}`,
      url: `https://i.br/${n}`,
      ...link,
    })),
  });
  const write = (id: string, links: readonly object[], part = 0) =>
    run(mine.owner, 'select import_library($1, $2, $3)', id, part, content(links));

  test('gives its links the tags of the file, and takes those that it made back with it', async () => {
    await tag(mine.owner, [mine.linkId], ['Física']);
    const id = randomUUID();
    await write(id, [{ tags: ['FISICA', '#nova', 'nova', ''] }, { tags: [] }, {}, { tags: ['nova'] }]);
    expect(await namesOf(mine.owner)).toEqual({
      Exemplo: 'Física',
      L0: 'Física nova',
      L1: null,
      L2: null,
      L3: 'nova',
    });
    await run(mine.owner, 'select undo_import($1)', id);
    expect(await run(mine.owner, 'select name, link_count from tags')).toEqual([
      { name: 'Física', link_count: 1 },
    ]);
  });

  test('leaves a tag that was there before, without any link', async () => {
    await tag(mine.owner, [mine.linkId], ['vazia']);
    await run(mine.owner, `select tag_links($1, '{}', '{vazia}')`, [mine.linkId]);
    const id = randomUUID();
    await write(id, [{ tags: ['vazia', 'nova'] }]);
    await run(mine.owner, 'select undo_import($1)', id);
    expect(await run(mine.owner, 'select name, link_count from tags')).toEqual([
      { name: 'vazia', link_count: 0 },
    ]);
  });

  test('keeps a tag that it made where another link has it by now', async () => {
    const id = randomUUID();
    await write(id, [{ tags: ['nova', 'outra'] }]);
    await tag(mine.owner, [mine.linkId], ['nova']);
    await run(mine.owner, 'select undo_import($1)', id);
    expect(await run(mine.owner, 'select name, link_count from tags')).toEqual([
      { name: 'nova', link_count: 1 },
    ]);
  });

  test('keeps a tag that it made where a link in the bin has it by now', async () => {
    const id = randomUUID();
    await write(id, [{ tags: ['nova', 'outra'] }]);
    await tag(mine.owner, [mine.linkId], ['nova']);
    await run(mine.owner, 'delete from links where id = $1', mine.linkId);
    await run(mine.owner, 'select undo_import($1)', id);
    expect(await run(mine.owner, 'select name from tags')).toEqual([{ name: 'nova' }]);
    await run(mine.owner, `select undo_deletion('link', $1)`, [mine.linkId]);
    expect(await namesOf(mine.owner)).toEqual({ Exemplo: 'nova' });
  });

  test('says when of the tags that it gives, and of no others', async () => {
    await tag(mine.owner, [mine.linkId], ['dada', 'outra']);
    const before = await run(mine.owner, 'select name, tagged_at from tags order by name');
    await write(randomUUID(), [{ tags: ['dada'] }]);
    const after = await run(mine.owner, 'select name, tagged_at from tags order by name');
    expect(after[0]).not.toEqual(before[0]);
    expect(after[1]).toEqual(before[1]);
  });

  test('gives a link twenty of the tags that it has in the file', async () => {
    await write(randomUUID(), [{ tags: Array.from({ length: 30 }, (_, n) => `t${n + 10}`) }]);
    const { L0: names } = await namesOf(mine.owner);
    expect(String(names).split(' ')).toEqual(Array.from({ length: 20 }, (_, n) => `t${n + 10}`));
  });

  test.each([['texto'], [{ a: 1 }], [null], [5]])('takes %j for no tags', async (tags) => {
    await write(randomUUID(), [{ tags }]);
    expect(await run(mine.owner, 'select name from tags')).toEqual([]);
  });

  test('gives a tag to nobody else’s link, whose id stands at an address that is known', async () => {
    const { owner: stranger } = await createLibrary(database, { plan: 'pro' });
    const url = 'https://i.br/mine';
    const write = (...links: readonly object[]) =>
      run(stranger, 'select import_library($1, 0, $2) as answer', randomUUID(), content(links));
    await write({ url });
    const [row] = await write({ url, id: mine.linkId, tags: ['alheia', 'nova'] }, { tags: ['nova'] });
    expect(row?.['answer']).toMatchObject({ links: 1, known: 1 });
    const { rows } = await database.admin.query('select from link_tags where link_id = $1', [mine.linkId]);
    expect(rows).toEqual([]);
    expect(await run(stranger, 'select name, link_count from tags')).toEqual([
      { name: 'nova', link_count: 1 },
    ]);
  });
});

test('what is in the bin is copied with its tags', async () => {
  await tag(mine.owner, [mine.linkId], ['b', 'a']);
  await run(mine.owner, 'delete from links');
  const [row] = await run(mine.owner, 'select content from list_bin_rows()');
  expect(row?.['content']).toMatchObject({ link_tags: [{ tags: { name: 'a' } }, { tags: { name: 'b' } }] });
});

test('undoing a tagging keeps a tag that it made where another link in the bin has it', async () => {
  const [other] = await run(
    mine.owner,
    `insert into links (url, title, category_id) values ('https://b.br', 'B', $1) returning id`,
    mine.categoryId,
  );
  const [made] = await run(mine.owner, `select tag_links($1, '{nova}') ->> 'change' as change`, [
    mine.linkId,
  ]);
  await tag(mine.owner, [String(other?.['id'])], ['nova']);
  await run(mine.owner, 'delete from links where id = $1', other?.['id']);
  await run(mine.owner, 'select undo_tag_change($1)', made?.['change']);
  await run(mine.owner, `select undo_deletion('link', $1)`, [other?.['id']]);
  expect(await namesOf(mine.owner)).toEqual({ B: 'nova', Exemplo: null });
});

test('undoing that a link’s only tag was taken off gives it to the link in the bin', async () => {
  await tag(mine.owner, [mine.linkId], ['nova']);
  const [taken] = await run(mine.owner, `select tag_links($1, '{}', '{nova}') ->> 'change' as change`, [
    mine.linkId,
  ]);
  await run(mine.owner, 'delete from links where id = $1', mine.linkId);
  await run(mine.owner, 'select undo_tag_change($1)', taken?.['change']);
  await run(mine.owner, `select undo_deletion('link', $1)`, [mine.linkId]);
  expect(await namesOf(mine.owner)).toEqual({ Exemplo: 'nova' });
});

test('undoing that a tag was taken off leaves nothing in a bin that is emptied meanwhile', async () => {
  await tag(mine.owner, [mine.linkId], ['nova']);
  const [taken] = await run(mine.owner, `select tag_links($1, '{}', '{nova}') ->> 'change' as change`, [
    mine.linkId,
  ]);
  await run(mine.owner, 'delete from links where id = $1', mine.linkId);
  const emptying = await database.admin.connect();
  try {
    await emptying.query('begin');
    await emptying.query('delete from private.deletions where user_id = $1', [mine.owner.id]);
    const undone = run(mine.owner, 'select undo_tag_change($1)', taken?.['change']);
    await expect
      .poll(async () => {
        const { rowCount } = await database.admin.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rowCount;
      })
      .toBe(1);
    await emptying.query('commit');
    await undone;
  } finally {
    emptying.release(true);
  }
  const { rowCount } = await database.admin.query('select from private.deleted_rows where id = $1', [
    mine.linkId,
  ]);
  expect(rowCount).toBe(0);
});
