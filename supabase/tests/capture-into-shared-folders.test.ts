import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import type { DatabaseError } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nameRows } from './support/name-rows.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createSharedFolder, PEOPLE, type Person, type SharedFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shared = await createSharedFolder(database);
});

const CAPTURE = 'select capture_link($1, $2, $3, $4, $5) as place';
const WRITING: readonly Person[] = ['owner', 'manager', 'editor', 'grouped'];

const attempt = (caller: TestCaller, id: string, categoryId: string | undefined) =>
  readOutcome(database, caller, CAPTURE, [id, 'https://pao.br/', 'Pão', null, categoryId]);
async function capture(caller: TestCaller, id: string, categoryId: string | undefined) {
  const values = [id, 'https://pao.br/', 'Pão', null, categoryId];
  const { rows } = await queryAs<{ place: string | null }>(database, caller, CAPTURE, values);
  return rows[0]?.place;
}
const as = (caller: TestCaller, text: string) => queryAs(database, caller, nameRows(text, shared.ids));
async function readLink(id: string) {
  const { rows } = await database.admin.query(
    'select user_id, category_id, added_by_name from public.links where id = $1',
    [id],
  );
  return rows;
}

describe('a capture into a category of a shared folder', () => {
  test.each(PEOPLE)('is saved for who may write there, and nobody else: %s', async (person) => {
    const id = randomUUID();
    const outcome = await attempt(shared.people[person], id, shared.ids['category']);
    if (WRITING.includes(person)) {
      expect(outcome).toEqual({ rows: 1 });
      expect(await readLink(id)).toEqual([
        {
          user_id: shared.owner.id,
          category_id: shared.ids['category'],
          added_by_name: person === 'owner' ? null : `Nome de ${person}`,
        },
      ]);
      return;
    }
    // As for an id that nothing has.
    expect(outcome).toEqual(await attempt(shared.people[person], id, randomUUID()));
    expect(outcome).toMatchObject({ code: person === 'guest' ? '42501' : 'PT404' });
    expect(await readLink(id)).toEqual([]);
  });

  test.each(['held', 'elsewhere'])(
    'is not saved where the owner keeps it to themselves: %s',
    async (place) => {
      for (const person of ['manager', 'editor'] as const)
        expect(await attempt(shared.people[person], randomUUID(), shared.ids[place])).toMatchObject({
          code: 'PT404',
        });
    },
  );

  test('counts towards the owner’s plan alone', async () => {
    const { editor } = shared.people;
    for (let n = 0; n < 21; n += 1) await capture(editor, randomUUID(), shared.ids['category']);
    const { rows } = await queryAs(database, editor, 'select link_count from library_counts');
    expect(rows).toEqual([{ link_count: 0 }]);
    expect((await as(shared.owner, 'select link_count::int from library_counts')).rows).toEqual([
      { link_count: 23 },
    ]);
  });

  test('is refused by the owner’s plan as an insert is, in the same words', async () => {
    const { editor } = shared.people;
    const refuse = (text: string, values: readonly unknown[] = []) =>
      queryAs(database, editor, nameRows(text, shared.ids), [...values]).then(
        () => 'saved',
        ({ code, message, hint, detail }: DatabaseError) => ({ code, message, hint, detail }),
      );
    await database.admin.query(`update public.profiles set plan = 'plus' where id = $1`, [shared.owner.id]);
    await database.admin.query(
      `insert into public.links (url, title, category_id, user_id)
       select 'https://n.br/' || n, 'N', $1, $2 from generate_series(1, (
         select max_links from private.plan_limits where plan = 'plus'
       ) - 2) n`,
      [shared.ids['category'], shared.owner.id],
    );
    const inserted = await refuse(
      `insert into links (url, title, category_id) values ('https://m.br/', 'M', :category)`,
    );
    expect(inserted).toMatchObject({ code: 'P0001', hint: 'plan_limit_links' });
    const captured = [randomUUID(), 'https://m.br/', 'M', null, shared.ids['category']];
    expect(await refuse(CAPTURE, captured)).toEqual(inserted);
  });

  test('is refused with the owner’s plan, which no longer shares', async () => {
    await database.admin.query(`update public.profiles set plan = 'free' where id = $1`, [shared.owner.id]);
    expect(await attempt(shared.people.editor, randomUUID(), shared.ids['category'])).toMatchObject({
      code: 'PT404',
    });
  });
});

describe('a capture that is sent again', () => {
  test('is one link, also where the owner has moved it within what is shared', async () => {
    const { editor } = shared.people;
    const id = randomUUID();
    expect(await capture(editor, id, shared.ids['category'])).toBe(shared.ids['category']);
    expect(await capture(editor, id, shared.ids['category'])).toBe(shared.ids['category']);
    await as(shared.owner, `update links set category_id = :second where id = '${id}'`);
    expect(await capture(editor, id, shared.ids['category'])).toBe(shared.ids['second']);
    expect(await readLink(id)).toHaveLength(1);
  });

  test('counts as saved where the owner has put it away, and does not say where', async () => {
    const { editor } = shared.people;
    const id = randomUUID();
    await capture(editor, id, shared.ids['category']);
    await as(shared.owner, `update links set category_id = :elsewhere where id = '${id}'`);
    expect(await capture(editor, id, shared.ids['category'])).toBeNull();
    expect(await readLink(id)).toMatchObject([{ category_id: shared.ids['elsewhere'] }]);
  });

  test('counts as saved after the place there was taken away, which a new one is not', async () => {
    const { editor } = shared.people;
    const id = randomUUID();
    await capture(editor, id, shared.ids['category']);
    await as(shared.owner, 'delete from folder_members where folder_id = :folder');
    expect(await capture(editor, id, shared.ids['category'])).toBeNull();
    expect(await attempt(editor, randomUUID(), shared.ids['category'])).toMatchObject({ code: 'PT404' });
    expect(await readLink(id)).toHaveLength(1);
  });

  test('does not come back from the owner’s bin', async () => {
    const { editor } = shared.people;
    const id = randomUUID();
    await capture(editor, id, shared.ids['category']);
    await as(shared.owner, `delete from links where id = '${id}'`);
    expect(await capture(editor, id, shared.ids['category'])).toBeNull();
    expect(await readLink(id)).toEqual([]);
  });

  test('is not taken for somebody else’s capture of the same id', async () => {
    const id = randomUUID();
    await capture(shared.people.editor, id, shared.ids['category']);
    for (const person of ['manager', 'stranger'] as const)
      expect(await attempt(shared.people[person], id, undefined)).toMatchObject({ code: '23505' });
    expect(await readLink(id)).toMatchObject([{ added_by_name: 'Nome de editor' }]);
  });
});
