import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import { readTagName, TAG_LIMITS, tagKey } from '@linkoteca/domain/tags';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let mine: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
});

interface Tag {
  readonly id: string;
  readonly name: string;
  readonly link_count: number;
  readonly color: string | null;
}

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);

async function one<Row extends object>(caller: TestCaller, text: string, ...values: unknown[]): Promise<Row> {
  const { rows } = await queryAs<Row>(database, caller, text, values);
  return rows[0] as Row;
}

async function addLinks(total: number, { owner, categoryId } = mine): Promise<string[]> {
  const { rows } = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into links (url, title, category_id) select 'https://a.br/' || n, 'L' || n, $1 from generate_series(1, $2) n returning id`,
    [categoryId, total],
  );
  return rows.map(({ id }) => id);
}

/** Gives and takes as the app does; returns what undoes it. */
async function tag(
  ids: readonly string[],
  added: readonly string[],
  removed: readonly string[] = [],
  person: TestUser = mine.owner,
): Promise<string> {
  const { answer } = await one<{ answer: { change: string } }>(
    person,
    'select tag_links($1, $2, $3) as answer',
    ids,
    added,
    removed,
  );
  return answer.change;
}

async function listTags(person: TestUser = mine.owner): Promise<Readonly<Record<string, number>>> {
  const { rows } = await queryAs<Tag>(database, person, 'select * from tags order by name');
  return Object.fromEntries(rows.map(({ name, link_count: count }) => [name, count]));
}
/** Of each tag when its links last changed, as other devices hear it. */
async function moments(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await queryAs<{ name: string; at: string }>(
    database,
    mine.owner,
    'select name, tagged_at::text as at from tags order by name',
  );
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
}
const movedSince = async (before: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  Object.entries(await moments()).flatMap(([name, at]) => (at === before[name] ? [] : [name]));
const tagNamed = (name: string) => one<Tag>(mine.owner, 'select * from tags where name = $1', name);
async function tagsOf(linkId: string, person: TestUser = mine.owner): Promise<string> {
  const { names } = await one<{ names: string | null }>(
    person,
    `select string_agg(t.name, ' ' order by t.name) as names from link_tags k join tags t on t.id = k.tag_id where k.link_id = $1`,
    linkId,
  );
  return names ?? '';
}
const undo = (change: string) => queryAs(database, mine.owner, 'select undo_tag_change($1)', [change]);

describe('tags of links', () => {
  test('are made of their names, once however they are written, and counted', async () => {
    const [first = '', second = ''] = await addLinks(2);
    await tag([first, second], ['#Física', '  FISICA ', 'para ler']);
    await tag([first], ['fisica']);
    expect(await listTags()).toEqual({ Física: 2, 'para ler': 2 });
    await tag([second], ['nova'], ['PARA LER', 'nenhuma']);
    expect(await listTags()).toEqual({ Física: 2, nova: 1, 'para ler': 1 });
    expect(await tagsOf(second)).toBe('Física nova');
  });

  test('are as many for all of the links as were asked, or for none of them', async () => {
    const ids = await addLinks(3);
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `t${n + from}`);
    await tag([ids[0] ?? ''], names(0, 19));
    const outcome = await attempt(mine.owner, 'select tag_links($1, $2)', ids, ['a', 'b']);
    expect(outcome).toEqual({ code: 'P0001', hint: 'bound_link_tags' });
    expect(await tagsOf(ids[1] ?? '')).toBe('');
    expect(Object.keys(await listTags())).not.toContain('a');
    expect(
      await attempt(mine.owner, 'select tag_links($1, $2)', ids, names(0, TAG_LIMITS.link + 1)),
    ).toMatchObject({ hint: 'bound_link_tags' });
    expect(await attempt(mine.owner, 'select tag_links($1, $2)', ids, ['a'])).toEqual({ rows: 1 });
  });

  test('neither touch the links nor say that they were changed', async () => {
    const before = await one(mine.owner, 'select * from links where id = $1', mine.linkId);
    await tag([mine.linkId], ['a']);
    expect(await one(mine.owner, 'select * from links where id = $1', mine.linkId)).toEqual(before);
  });

  test('that are given or taken say when, and no others', async () => {
    await tag([mine.linkId], ['a', 'b', 'c']);
    const before = await moments();
    await tag(await addLinks(1), ['a']);
    await tag([mine.linkId], [], ['c']);
    expect(await movedSince(before)).toEqual(['a', 'c']);
  });

  test('that come back with their links say when, and no others', async () => {
    const ids = await addLinks(2);
    await tag(ids, ['a', 'b']);
    await tag([mine.linkId], ['c']);
    await queryAs(database, mine.owner, 'delete from links where id = any ($1)', [ids]);
    const before = await moments();
    await undoDeletion(database, mine.owner, 'link', ids);
    expect(await listTags()).toEqual({ a: 2, b: 2, c: 1 });
    expect(await movedSince(before)).toEqual(['a', 'b']);
  });

  test('find their links also where three hundred others have more', async () => {
    const ids = await addLinks(30);
    for (let pair = 0; pair < 15; pair++)
      await tag(
        ids.slice(2 * pair, 2 * pair + 2),
        Array.from({ length: 20 }, (_, n) => `outra ${pair} ${n}`),
      );
    await tag([mine.linkId], ['zimbro']);
    const { rows } = await queryAs(database, mine.owner, `select id from search_links('zimbro')`);
    expect(rows).toEqual([{ id: mine.linkId }]);
  });

  test('stay when the link is moved, and go and come back with it', async () => {
    const other = await createCategory(database, mine.owner, mine.folderId);
    await tag([mine.linkId], ['a', 'b']);
    await queryAs(database, mine.owner, 'select move_links($1, $2)', [[mine.linkId], other]);
    expect(await tagsOf(mine.linkId)).toBe('a b');
    await queryAs(database, mine.owner, 'delete from folders where id = $1', [mine.folderId]);
    expect(await listTags()).toEqual({ a: 0, b: 0 });
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(await tagsOf(mine.linkId)).toBe('a b');
    expect(await listTags()).toEqual({ a: 1, b: 1 });
  });

  test('come back without those that were deleted meanwhile, and with what those were merged into', async () => {
    await tag([mine.linkId], ['a', 'b', 'c']);
    await tag(await addLinks(1), ['d']);
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    await queryAs(database, mine.owner, 'select delete_tags($1)', [[(await tagNamed('a')).id]]);
    await queryAs(database, mine.owner, 'select merge_tags($1, $2)', [
      [(await tagNamed('b')).id],
      (await tagNamed('d')).id,
    ]);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    expect(await tagsOf(mine.linkId)).toBe('c d');
  });

  test('a call about no link, too many or one that is gone is refused', async () => {
    for (const [ids, code] of [
      [[], 'PT400'],
      [null, 'PT400'],
      [Array(20_001).fill(mine.linkId), 'PT400'],
      [[mine.categoryId], 'PT404'],
    ])
      expect(await attempt(mine.owner, `select tag_links($1, '{a}')`, ids)).toMatchObject({ code });
    expect(await listTags()).toEqual({});
    const most = Array(20_000).fill(mine.linkId);
    expect(await attempt(mine.owner, `select tag_links($1, '{a}')`, most)).toEqual({ rows: 1 });
  });
});

describe('undoing', () => {
  test('takes back what a call for many links gave and took, and the tags it made', async () => {
    const ids = await addLinks(3);
    await tag([ids[0] ?? ''], ['a', 'old']);
    const change = await tag(ids, ['a', 'new'], ['old']);
    expect(await listTags()).toEqual({ a: 3, new: 3, old: 0 });
    await undo(change);
    expect(await listTags()).toEqual({ a: 1, old: 1 });
    expect(await tagsOf(ids[0] ?? '')).toBe('a old');
    await expect(undo(change)).rejects.toMatchObject({ code: 'PT404' });
  });

  test('leaves a tag that was there before without a link', async () => {
    await tag([mine.linkId], ['vazia']);
    await tag([mine.linkId], [], ['vazia']);
    await undo(await tag([mine.linkId], ['vazia', 'nova']));
    expect(await listTags()).toEqual({ vazia: 0 });
  });

  test('leaves what was done with them since', async () => {
    const ids = await addLinks(2);
    const change = await tag(ids, ['new']);
    const [late = ''] = await addLinks(1);
    await tag([late], ['new']);
    await queryAs(database, mine.owner, 'delete from links where id = $1', [ids[1]]);
    await undo(change);
    expect(await listTags()).toEqual({ new: 1 });
  });

  test('brings a deleted tag back with its links, colour and date', async () => {
    const ids = await addLinks(3);
    await tag(ids, ['a']);
    await queryAs(database, mine.owner, `update tags set color = 'teal'`);
    const before = await tagNamed('a');
    const { change } = await one<{ change: string }>(mine.owner, 'select delete_tags($1) as change', [
      before.id,
    ]);
    expect(await listTags()).toEqual({});
    await queryAs(database, mine.owner, 'delete from links where id = $1', [ids[0]]);
    await undo(change);
    const { tagged_at: _tagged, ...after } = (await tagNamed('a')) as Tag & { tagged_at: Date };
    expect({ ...before, ...after }).toEqual({ ...before, link_count: 2 });
  });

  test('of a deletion leaves out the links that have no room any more', async () => {
    const [full = '', other = ''] = await addLinks(2);
    await tag(
      [full, other],
      Array.from({ length: 20 }, (_, n) => `t${n}`),
    );
    const { change } = await one<{ change: string }>(mine.owner, 'select delete_tags($1) as change', [
      [(await tagNamed('t0')).id],
    ]);
    await tag([full], ['nova']);
    await undo(change);
    expect(await listTags()).toMatchObject({ nova: 1, t0: 1, t1: 2 });
  });

  test('of a deletion whose name was given anew gives the links to the new tag', async () => {
    const [first = '', second = ''] = await addLinks(2);
    await tag([first], ['Física']);
    const { change } = await one<{ change: string }>(mine.owner, 'select delete_tags($1) as change', [
      (await tagNamed('Física')).id,
    ]);
    await tag([second], ['fisica']);
    await undo(change);
    expect(await listTags()).toEqual({ fisica: 2 });
  });

  test('of a merge takes it apart again', async () => {
    const [first = '', second = '', third = ''] = await addLinks(3);
    await tag([first, second], ['a']);
    await tag([second, third], ['b']);
    const { change } = await one<{ change: string }>(
      mine.owner,
      `select merge_tags($1, $2) ->> 'change' as change`,
      [(await tagNamed('a')).id],
      (await tagNamed('b')).id,
    );
    expect(await listTags()).toEqual({ b: 3 });
    await undo(change);
    expect(await listTags()).toEqual({ a: 2, b: 2 });
    expect([await tagsOf(first), await tagsOf(second), await tagsOf(third)]).toEqual(['a', 'a b', 'b']);
  });

  test.each([
    ['before the undoing, deleted before the merge', ['delete', 'merge', 'restore', 'undo']],
    ['after the undoing, deleted before the merge', ['delete', 'merge', 'undo', 'restore']],
    ['after the undoing, deleted after the merge', ['merge', 'delete', 'undo', 'restore']],
  ] as const)('of a merge takes it apart for a link that comes back %s', async (_when, acts) => {
    await tag([mine.linkId], ['a', 'c']);
    await tag(await addLinks(1), ['b']);
    const pair = [[(await tagNamed('a')).id], (await tagNamed('b')).id];
    let change = '';
    const act = {
      delete: () => queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]),
      merge: async () => {
        const merged = 'select merge_tags($1, $2) as answer';
        ({ change } = (await one<{ answer: { change: string } }>(mine.owner, merged, ...pair)).answer);
      },
      restore: () => undoDeletion(database, mine.owner, 'link', [mine.linkId]),
      undo: () => undo(change),
    };
    for (const name of acts) await act[name]();
    expect(await tagsOf(mine.linkId)).toBe('a c');
    expect(await listTags()).toEqual({ a: 1, b: 1, c: 1 });
  });

  test('of a merge gives a link that was made anew under the id of one in the bin no tags of that', async () => {
    await tag([mine.linkId], ['a']);
    await tag(await addLinks(1), ['b']);
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    await queryAs(
      database,
      mine.owner,
      `insert into links (id, url, title, category_id) values ($1, 'https://a.br', 'De novo', $2)`,
      [mine.linkId, mine.categoryId],
    );
    const { change } = await one<{ change: string }>(
      mine.owner,
      `select merge_tags($1, $2) ->> 'change' as change`,
      [(await tagNamed('a')).id],
      (await tagNamed('b')).id,
    );
    await undo(change);
    expect(await tagsOf(mine.linkId)).toBe('');
  });

  test('of a merge says when, as the merge does', async () => {
    await tag([mine.linkId], ['a']);
    await tag(await addLinks(1), ['b', 'c']);
    const before = await moments();
    const { change } = await one<{ change: string }>(
      mine.owner,
      `select merge_tags($1, $2) ->> 'change' as change`,
      [(await tagNamed('a')).id],
      (await tagNamed('b')).id,
    );
    expect(await movedSince(before)).toEqual(['b']);
    const merged = await moments();
    await undo(change);
    expect(await movedSince(merged)).toEqual(['a', 'b']);
  });

  test('goes back thirty changes', async () => {
    const first = await tag([mine.linkId], ['a']);
    for (let n = 0; n < TAG_LIMITS.undo; n++)
      await tag([mine.linkId], n % 2 ? ['b'] : [], n % 2 ? [] : ['b']);
    await expect(undo(first)).rejects.toMatchObject({ code: 'PT404' });
  });

  test('of a deletion of many links takes several calls, and a merge of them as well', async () => {
    await database.admin.query(
      `insert into links (user_id, url, title, category_id) select $1, 'https://m.br/' || n, 'M', $2 from generate_series(1, 25000) n`,
      [mine.owner.id, mine.categoryId],
    );
    const { rows } = await queryAs<{ id: string }>(database, mine.owner, 'select id from links');
    const ids = rows.map(({ id }) => id);
    for (let done = 0; done < ids.length; done += 5_000) await tag(ids.slice(done, done + 5_000), ['muitas']);
    await tag(ids.slice(0, 1), ['alvo']);
    const ask = async (text: string, ...values: unknown[]) =>
      (await one<{ answer: unknown }>(mine.owner, text, ...values)).answer;
    const change = String(await ask('select delete_tags($1) as answer', [(await tagNamed('muitas')).id]));
    expect(await ask('select undo_tag_change($1) as answer', change)).toBe(false);
    expect(await ask('select undo_tag_change($1) as answer', change)).toBe(true);
    expect(await listTags()).toEqual({ alvo: 1, muitas: 25_001 });
    const MERGE = 'select merge_tags($1, $2) as answer';
    const pair = [[(await tagNamed('muitas')).id], (await tagNamed('alvo')).id];
    const first = await ask(MERGE, ...pair);
    const last = await ask(MERGE, ...pair);
    expect([first, last]).toMatchObject([{ done: false }, { done: true }]);
    expect(await listTags()).toEqual({ alvo: 25_001 });
    for (const part of [last, first] as { change: number }[])
      while (!(await ask('select undo_tag_change($1) as answer', part.change)));
    expect(await listTags()).toEqual({ alvo: 1, muitas: 25_001 });
  });

  test('of a link that was deleted twice under its id gives back what it had last', async () => {
    await tag([mine.linkId], ['antes']);
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    await queryAs(
      database,
      mine.owner,
      `insert into links (id, url, title, category_id) values ($1, 'https://a.br', 'De novo', $2)`,
      [mine.linkId, mine.categoryId],
    );
    await tag([mine.linkId], ['depois']);
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    expect(await tagsOf(mine.linkId)).toBe('depois');
  });

  test.each(['undoing', 'merging'])(
    '%s waits for whoever deletes the links, and is in nobody’s way',
    async (what) => {
      const [link = ''] = await addLinks(1);
      await tag([link], ['a']);
      await tag([mine.linkId], ['b']);
      const change = await tag([link], ['c']);
      const pair = [[(await tagNamed('a')).id], (await tagNamed('b')).id];
      const holder = await database.admin.connect();
      try {
        await holder.query('begin');
        await holder.query('select from links where id = $1 for update', [link]);
        const answer =
          what === 'undoing'
            ? attempt(mine.owner, 'select undo_tag_change($1)', change)
            : attempt(mine.owner, 'select merge_tags($1, $2)', ...pair);
        await expect
          .poll(async () => {
            const { rowCount } = await database.admin.query(
              `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            );
            return rowCount;
          })
          .toBe(1);
        await holder.query('delete from links where id = $1', [link]);
        await holder.query('commit');
        expect(await answer).toEqual({ rows: 1 });
      } finally {
        holder.release(true);
      }
      expect(await listTags()).toEqual(what === 'undoing' ? { a: 0, b: 1 } : { b: 1, c: 0 });
    },
  );

  test('of a link with twenty tags that are merged has room', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await tag([mine.linkId], names);
    const [other = ''] = await addLinks(1);
    await tag([other], ['target']);
    await queryAs(database, mine.owner, 'select merge_tags($1, $2)', [
      [(await tagNamed('t0')).id],
      (await tagNamed('target')).id,
    ]);
    expect((await listTags())['target']).toBe(2);
  });
});

describe('a tag', () => {
  test('is renamed and gets a colour of the palette', async () => {
    await tag([mine.linkId], ['a']);
    for (const color of [...FOLDER_COLORS, null])
      expect(await attempt(mine.owner, 'update tags set color = $1', color)).toEqual({ rows: 1 });
    expect(await attempt(mine.owner, 'update tags set color = $1', 'black')).toMatchObject({ code: '23514' });
    await queryAs(database, mine.owner, `update tags set name = 'Ética'`);
    await tag([mine.linkId], ['etica']);
    expect(await listTags()).toEqual({ Ética: 1 });
  });

  test('takes neither the name of another nor one that no field or file could hold', async () => {
    await tag([mine.linkId], ['a', 'b']);
    expect(await attempt(mine.owner, `update tags set name = 'Á' where name = 'b'`)).toMatchObject({
      code: '23505',
    });
    for (const name of [
      '',
      ' ',
      ' b',
      'b ',
      '#b',
      'b,c',
      'b"c',
      'b|c',
      'b;c',
      'b\nc',
      'b  c',
      'x'.repeat(51),
    ])
      expect(await attempt(mine.owner, `update tags set name = $1 where name = 'b'`, name)).toMatchObject({
        code: '23514',
      });
  });

  test('has no column that its person may write besides', async () => {
    await tag([mine.linkId], ['a']);
    for (const text of [
      'update tags set link_count = 5',
      `update tags set folded = 'x'`,
      'update tags set tagged_at = now()',
      'update tags set user_id = gen_random_uuid()',
      'delete from tags',
      `insert into tags (name, user_id) values ('b', auth.uid())`,
      'delete from link_tags',
      'insert into link_tags select * from link_tags',
    ])
      expect(await attempt(mine.owner, text)).toMatchObject({ code: '42501' });
  });
});

describe('a stranger', () => {
  test('sees no tag, and gives, takes, renames, merges, deletes and undoes nothing', async () => {
    const change = await tag([mine.linkId], ['secreta']);
    const { id } = await tagNamed('secreta');
    const theirs = await createLibrary(database, { plan: 'pro' });
    const stranger = theirs.owner;
    await tag([theirs.linkId], ['minha'], [], stranger);
    const { id: ownId } = await one<Tag>(stranger, 'select * from tags');
    expect(await attempt(stranger, `select from tags where name = 'secreta'`)).toEqual({ rows: 0 });
    expect(await attempt(stranger, 'select from link_tags where link_id = $1', mine.linkId)).toEqual({
      rows: 0,
    });
    expect(await attempt(stranger, `update tags set name = 'x' where id = $1`, id)).toEqual({ rows: 0 });
    const gone = { code: 'PT404' };
    expect(await attempt(stranger, `select tag_links($1, '{x}')`, [mine.linkId])).toMatchObject(gone);
    expect(await attempt(stranger, 'select delete_tags($1)', [id])).toMatchObject(gone);
    expect(await attempt(stranger, 'select merge_tags($1, $2)', [id], ownId)).toMatchObject(gone);
    expect(await attempt(stranger, 'select merge_tags($1, $2)', [ownId], id)).toMatchObject(gone);
    expect(await attempt(stranger, 'select undo_tag_change($1)', change)).toMatchObject(gone);
    // Of links of both the caller's alone count.
    await tag([mine.linkId, theirs.linkId], ['x'], [], stranger);
    expect(await tagsOf(mine.linkId)).toBe('secreta');
    expect(await listTags(stranger)).toEqual({ minha: 1, x: 1 });
  });

  test('who receives the category reads its links and no tag row', async () => {
    const guest = await createUser(database.admin);
    await queryAs(database, mine.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
      mine.categoryId,
      guest.email,
    ]);
    await tag([mine.linkId], ['a']);
    expect(await attempt(guest, 'select from links where id = $1', mine.linkId)).toEqual({ rows: 1 });
    expect(await attempt(guest, 'select from link_tags')).toEqual({ rows: 0 });
    expect(await attempt(guest, `select tag_links($1, '{x}')`, [mine.linkId])).toMatchObject({
      code: 'PT404',
    });
  });

  test('a visitor may ask nothing', async () => {
    for (const text of ['select from tags', 'select from link_tags', `select tag_links('{}', '{}')`])
      expect(await attempt('anon', text)).toMatchObject({ code: '42501' });
  });
});

describe('limits', () => {
  test('are those of links: a free account has twenty tags, and keeps them all', async () => {
    const free = await createLibrary(database);
    const names = (from: number) => Array.from({ length: 10 }, (_, n) => `t${n + from}`);
    await tag([free.linkId], names(0), [], free.owner);
    await tag([free.linkId], names(10), [], free.owner);
    const more = await attempt(free.owner, `select tag_links($1, '{mais}', '{t0}')`, [free.linkId]);
    expect(more).toEqual({ code: 'P0001', hint: 'plan_limit_tags' });
    expect(await attempt(free.owner, `select tag_links($1, '{}', '{t0}')`, [free.linkId])).toEqual({
      rows: 1,
    });
    const { id } = await one<Tag>(free.owner, `select * from tags where name = 't0'`);
    const { change } = await one<{ change: string }>(free.owner, 'select delete_tags($1) as change', [id]);
    expect(await attempt(free.owner, `select tag_links($1, '{mais}')`, [free.linkId])).toEqual({ rows: 1 });
    // What is given back fits.
    expect(await attempt(free.owner, 'select undo_tag_change($1)', change)).toEqual({ rows: 1 });
    expect(Object.keys(await listTags(free.owner))).toHaveLength(21);
  });

  test('hold of two connections that race for the last place', async () => {
    const free = await createLibrary(database);
    const names = Array.from({ length: 19 }, (_, n) => `t${n}`);
    await tag([free.linkId], names, [], free.owner);
    await tag([free.linkId], [], names, free.owner);
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((name) => attempt(free.owner, 'select tag_links($1, $2)', [free.linkId], [name])),
    );
    expect(outcomes.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
  });

  test('end at a bound where the plan has none', async () => {
    await database.admin.query(
      `insert into tags (user_id, name) select $1, 't' || n from generate_series(1, $2) as n`,
      [mine.owner.id, TAG_LIMITS.person],
    );
    expect(await attempt(mine.owner, `select tag_links($1, '{mais}')`, [mine.linkId])).toEqual({
      code: 'P0001',
      hint: 'bound_tags',
    });
  });

  test('are the same figures and names in the browser', async () => {
    const { rows } = await database.admin.query(
      `select private.most_tags('person') as person, private.most_tags('link') as link, private.most_tags('undo') as undo`,
    );
    expect(rows).toEqual([TAG_LIMITS]);
    const typed = [
      ...[
        'receitas',
        '#receitas',
        '## a b',
        '  a   b ',
        'Física',
        'c#',
        '#',
        '',
        ' ',
        ',',
        'a,b',
        'a;b|c',
        '"x"',
      ],
      ...[
        '“aspas”',
        `${'á'.repeat(60)}`,
        `a${' '.repeat(60)}b`,
        '😀 feliz',
        'x\ty\nz',
        'ß',
        'a\u00a0b',
        '#'.repeat(60),
      ],
    ];
    for (const text of typed) {
      const { rows: found } = await database.admin.query<{ name: string | null; folded: string | null }>(
        `select n as name, private.normalize_search_text(n) as folded from private.tag_name($1) as n`,
        [text],
      );
      const name = readTagName(text);
      expect(found[0], JSON.stringify(text)).toEqual({ name, folded: name === null ? null : tagKey(name) });
    }
  });
});
