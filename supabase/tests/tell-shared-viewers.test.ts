import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';

let database: ThrowawayDatabase;
let library: Library;
const ids: Record<'open' | 'listed' | 'closed' | 'folder' | 'other' | 'owner', string> = {
  open: '',
  listed: '',
  closed: '',
  folder: '',
  other: '',
  owner: '',
};

beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
  const { owner, folderId, categoryId } = library;
  ids.owner = owner.id;
  ids.folder = folderId;
  ids.closed = categoryId;
  ids.open = await createCategory(database, owner, folderId, 'Aberta');
  ids.listed = await createCategory(database, owner, folderId, 'Restrita');
  const other = `insert into folders (name) values ('Outra') returning id`;
  ids.other = (await queryAs<{ id: string }>(database, owner, other)).rows[0]?.id ?? '';
  for (const text of [
    `select save_sharing(:open, true, '{}')`,
    `select save_sharing(:listed, false, '{ana@a.br,bia@a.br}')`,
    `insert into links (title, url, category_id) select 'L' || n, 'https://a.br/' || n, c
     from generate_series(1, 3) n, unnest(array[:open, :listed, :closed]::uuid[]) c`,
  ])
    await queryAs(database, owner, nameRows(text, ids));
  await database.admin.query('delete from realtime.messages');
});
afterAll(() => database.drop());

/**
 * Runs statements as the owner, one after another, and takes them back.
 * @returns which categories' viewers would have been told, by name, in order of name.
 */
async function told(...statements: readonly string[]): Promise<string[]> {
  const client = await database.admin.connect();
  try {
    await client.query(`begin; set local search_path = public; set local role authenticated`);
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify(claimsOf(library.owner)),
    ]);
    for (const text of statements) await client.query(nameRows(text, ids));
    await client.query('reset role');
    const { rows } = await client.query<{ topic: string; shape: unknown }>(
      `select topic, json_build_object('event', event, 'extension', extension, 'private', private,
         'payload', payload - 'id') as shape
       from realtime.messages`,
    );
    // What anybody may hear carries nothing at all.
    for (const { shape } of rows)
      expect(shape).toEqual({ event: 'changed', extension: 'broadcast', private: true, payload: {} });
    return rows.map(({ topic }) => nameTopic(topic)).sort();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function nameTopic(topic: string): string {
  return Object.entries(ids).find(([, id]) => topic === `shared:${id}`)?.[0] ?? topic;
}

const ADD = `insert into links (title, url, category_id) select 'N', 'https://n.br', c from unnest`;

describe('viewers are told', () => {
  test.each<[string, string[], string[]]>([
    ['links that come', [`${ADD}(array[:open, :open, :listed, :closed]::uuid[]) c`], ['listed', 'open']],
    ['links that change', [`update links set title = 'Novo'`], ['listed', 'open']],
    ['a new title alone', [`update links set title = 'Novo' where category_id = :open`], ['open']],
    ['a new address alone', [`update links set url = 'https://novo.br' where category_id = :open`], ['open']],
    [
      'a new description alone',
      [`update links set description = 'Nova' where category_id = :listed`],
      ['listed'],
    ],
    [
      'a description that comes and goes, each time',
      [
        `update links set description = 'Nova' where category_id = :open`,
        `update links set description = null where category_id = :open`,
      ],
      ['open', 'open'],
    ],
    ['links that go', [`delete from links`], ['listed', 'open']],
    [
      'links that move, where they were and where they are',
      [`update links set category_id = :listed where category_id = :open`],
      ['listed', 'open'],
    ],
    [
      'links that leave for where nobody looks',
      [`update links set category_id = :closed where category_id = :open`],
      ['open'],
    ],
    ['a new name', [`update categories set name = 'Novo'`], ['listed', 'open']],
    ['a new description', [`update categories set description = 'Nova'`], ['listed', 'open']],
    ['a new owner’s name', [`update profiles set name = 'Marta Silva'`], ['listed', 'open']],
    ['publishing what was closed', [`select save_sharing(:closed, true, '{}')`], ['closed']],
    ['closing what was public', [`update categories set is_public = false where id = :open`], ['open']],
    [
      'publishing what was restricted',
      [`update categories set is_public = true where id = :listed`],
      ['listed'],
    ],
    ['a shorter list', [`delete from shared_with where email = 'ana@a.br'`], ['listed']],
    ['the end of a list', [`delete from shared_with`], ['listed']],
    ['a longer list', [`select save_sharing(:listed, false, '{ana@a.br,bia@a.br,caio@a.br}')`], ['listed']],
    ['a list where there was none', [`select save_sharing(:closed, false, '{ana@a.br}')`], ['closed']],
    ['a deletion', [`delete from categories`], ['listed', 'open']],
    ['the deletion of the folder', [`delete from folders where id = :folder`], ['listed', 'open']],
  ])('%s', async (_what, statements, expected) => {
    expect(await told(...statements)).toEqual(expected);
  });

  test('a deletion that is undone', async () => {
    const all = await told(
      `delete from folders where id = :folder`,
      `select undo_deletion('folder', array[:folder]::uuid[])`,
    );
    // Once for the end; the category, its list and its links come back in one statement each.
    expect(all.filter((name) => name === 'open').length).toBe(3);
    expect(all.filter((name) => name === 'listed').length).toBe(3);
    expect(all.length).toBe(6);
  });

  test('after one look at who shares, however many categories change', async () => {
    const client = await database.admin.connect();
    try {
      await client.query(`begin; set local track_functions = 'all'`);
      await client.query(`update categories set name = name || ' nova'`);
      const { rows } = await client.query(
        `select pg_stat_get_xact_function_calls('private.shared_category_ids(uuid[])'::regprocedure)::int as looks`,
      );
      expect(rows).toEqual([{ looks: 1 }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('nobody is told', () => {
  test.each<[string, string]>([
    ['what nobody shares', `update links set title = 'Novo' where category_id = :closed`],
    ['a category that nobody shares', `update categories set name = 'Novo' where id = :closed`],
    ['the deletion of one that nobody shares', `delete from categories where id = :closed`],
    ['another folder, which is the owner’s own matter', `update categories set folder_id = :other`],
    ['a change that changes nothing', `update links set title = title`],
    ['a save that changes nothing', `select save_sharing(:listed, false, '{bia@a.br,ana@a.br}')`],
    ['a statement that meets no row', `update links set title = 'x' where false`],
  ])('%s', async (_what, statement) => {
    expect(await told(statement)).toEqual([]);
  });
});
