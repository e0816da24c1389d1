import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestCaller } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameRows } from './support/name-rows.ts';
import { createSharedFolder, PEOPLE, type Person, type SharedFolder } from './support/share-folder.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;
let before: unknown;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  shared = await createSharedFolder(database);
  before = await snapshotLibrary(database, shared.owner);
});
afterAll(() => database.drop());

/** Whether the statement shows or changes anything for the caller; it is taken back. */
async function attempt(caller: TestCaller, text: string): Promise<'done' | 'nothing'> {
  const client = await database.callers.connect();
  const [role, claims] =
    typeof caller === 'string' ? [caller, { role: caller }] : ['authenticated', claimsOf(caller)];
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('search_path', 'public', true)`,
      [role, JSON.stringify(claims)],
    );
    const { rows } = await client.query(nameRows(text, shared.ids));
    return rows.length > 0 ? 'done' : 'nothing';
  } catch (error) {
    if (error instanceof pg.DatabaseError) return 'nothing';
    throw error;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const OWNER: readonly Person[] = ['owner'];
const MANAGING: readonly Person[] = ['owner', 'manager'];
const WRITING: readonly Person[] = ['owner', 'manager', 'editor', 'grouped'];
const READING: readonly Person[] = ['owner', 'manager', 'editor', 'viewer', 'grouped'];
const MEMBERS: readonly Person[] = ['manager', 'editor', 'viewer', 'grouped'];
const NOBODY: readonly Person[] = [];

/** Who may; everybody else comes to nothing. */
const OPERATIONS: readonly (readonly [may: readonly Person[], statement: string])[] = [
  // Reading.
  [OWNER, `select id from folders where id = :folder`],
  [MEMBERS, `select name from received_folders() where folder_id = :folder`],
  [READING, `select id from categories where id = :category`],
  [READING, `select id from links where id = :link`],
  [READING, `select id from links where category_id = :category`],
  [READING, `select id from arranged_links(:category)`],
  [READING, `select id from shared_links(:category)`],
  [READING, `select access from shared_category(:category)`],
  [MEMBERS, `select id from search_received_links('exemplo')`],
  [MANAGING, `select id from folder_members where folder_id = :folder and email <> auth.email()`],
  [MEMBERS, `select id from folder_members where folder_id = :folder and email = auth.email()`],
  [NOBODY, `select member_id from folder_members`],
  // What is held back, and what lies elsewhere.
  [OWNER, `select id from categories where id = :held`],
  [OWNER, `select id from links where id = :heldLink`],
  [OWNER, `select access from shared_category(:held)`],
  [OWNER, `select id from shared_links(:held)`],
  [OWNER, `insert into links (url, title, category_id) values ('https://n.br/', 'N', :held) returning id`],
  [OWNER, `update categories set name = 'Nova' where id = :held returning id`],
  [OWNER, `update links set title = 'Novo' where id = :heldLink returning id`],
  [OWNER, `delete from links where id = :heldLink returning id`],
  [OWNER, `update links set category_id = :category where id = :heldLink returning id`],
  [OWNER, `update links set category_id = :held where id = :link returning id`],
  [OWNER, `select id from categories where id = :elsewhere`],
  [OWNER, `update links set category_id = :elsewhere where id = :link returning id`],
  [OWNER, `insert into categories (name, folder_id) values ('Nova', :private) returning id`],
  // Links.
  [
    WRITING,
    `insert into links (url, title, category_id) values ('https://n.br/', 'N', :category) returning id`,
  ],
  [
    WRITING,
    `insert into links (url, title, category_id, user_id) values ('https://n.br/', 'N', :category, :owner) returning id`,
  ],
  [
    NOBODY,
    `insert into links (url, title, category_id, user_id) values ('https://n.br/', 'N', :category, :stranger) returning id`,
  ],
  [
    WRITING,
    `update links set title = 'Novo', url = 'https://m.br/', description = 'D' where id = :link returning id`,
  ],
  [WRITING, `update links set category_id = :second where id = :link returning id`],
  [WRITING, `select moved from move_links(array[:link]::uuid[], :second) as moved where moved = 1`],
  [WRITING, `delete from links where id = :link returning id`],
  [WRITING, `select gone from delete_links(array[:link]::uuid[]) as gone where gone = 1`],
  [NOBODY, `update links set category_id = :mine where id = :link returning id`],
  [NOBODY, `update links set category_id = :mine, user_id = :editor where id = :link returning id`],
  [NOBODY, `select moved from move_links(array[:link]::uuid[], :mine) as moved where moved = 1`],
  [NOBODY, `update links set user_id = :editor where id = :link returning id`],
  // Categories.
  [WRITING, `insert into categories (name, folder_id) values ('Nova', :folder) returning id`],
  [
    NOBODY,
    `insert into categories (name, folder_id, user_id) values ('Nova', :folder, :stranger) returning id`,
  ],
  [OWNER, `insert into categories (name, folder_id, is_public) values ('Nova', :folder, true) returning id`],
  [
    OWNER,
    `insert into categories (name, folder_id, is_held_back) values ('Nova', :folder, true) returning id`,
  ],
  [WRITING, `update categories set name = 'Nova', description = 'D' where id = :category returning id`],
  [OWNER, `update categories set is_public = true where id = :category returning id`],
  [OWNER, `update categories set is_held_back = true where id = :category returning id`],
  [OWNER, `update categories set name_users = 'Outra' where id = :category returning id`],
  [OWNER, `update categories set folder_id = :private where id = :category returning id`],
  [NOBODY, `update categories set folder_id = :myFolder where id = :category returning id`],
  [
    NOBODY,
    `update categories set folder_id = :myFolder, user_id = :editor where id = :category returning id`,
  ],
  [OWNER, `delete from categories where id = :category returning id`],
  // The folder, and who shares it.
  [OWNER, `update folders set name = 'Roubada' where id = :folder returning id`],
  [OWNER, `delete from folders where id = :folder returning id`],
  [OWNER, `update folders set is_public = true where id = :folder returning id`],
  [
    MANAGING,
    `insert into folder_members (folder_id, email, role) values (:folder, 'x@a.br', 'manager') returning id`,
  ],
  [
    NOBODY,
    `insert into folder_members (folder_id, email, role) values (:folder, 'x@a.br', 'owner') returning id`,
  ],
  [
    NOBODY,
    `insert into folder_members (folder_id, email, role, owner_id) values (:folder, 'x@a.br', 'viewer', :editor)`,
  ],
  [
    MANAGING,
    `update folder_members set role = 'viewer' where folder_id = :folder and email <> auth.email() returning id`,
  ],
  [NOBODY, `update folder_members set email = 'y@a.br' where folder_id = :folder returning id`],
  [NOBODY, `update folder_members set folder_id = :private where folder_id = :folder returning id`],
  [NOBODY, `update folder_members set member_id = :editor where folder_id = :folder returning id`],
  [MANAGING, `delete from folder_members where folder_id = :folder and email <> auth.email() returning id`],
  [MEMBERS, `delete from folder_members where folder_id = :folder and email = auth.email() returning id`],
  [OWNER, `select save_sharing(:category, false, '{x@a.br}')`],
  [OWNER, `insert into shared_with (category_id, email) values (:category, 'x@a.br') returning id`],
  [OWNER, `select queue_share_notifications(:category, '{x@a.br}')`],
  // Groups, which are the folder's owner's own.
  [OWNER, `select name from list_groups() where id = :group`],
  [OWNER, `select name from list_folder_groups(:folder)`],
  [OWNER, `select save_group(:group, 'Outra', '{x@a.br}')`],
  [OWNER, `select delete_group(:group)`],
  [OWNER, `select share_folder_with_group(:folder, :group, 'manager')`],
  [OWNER, `select share_folder_with_group(:private, :group, 'viewer')`],
  [NOBODY, `select share_folder_with_group(:myFolder, :group, 'viewer')`],
  [NOBODY, `select share_folder_with_group(:folder, :group, 'owner')`],
  [OWNER, `select end_group_share(:folder, :group)`],
  [NOBODY, `select from private.groups`],
  [NOBODY, `select from private.group_members`],
  [NOBODY, `select from private.folder_groups`],
  [
    MANAGING,
    `select id from folder_members where folder_id = :folder and group_id = :group and email <> auth.email()`,
  ],
  [
    NOBODY,
    `insert into folder_members (folder_id, email, role, group_id) values (:folder, 'x@a.br', 'viewer', :group) returning id`,
  ],
  [
    NOBODY,
    `update folder_members set role = 'viewer' where folder_id = :folder and group_id = :group returning id`,
  ],
  [NOBODY, `update folder_members set group_id = null where folder_id = :folder returning id`],
  // What stands beside links and categories.
  [
    WRITING,
    `select tag_links(array[:link]::uuid[], '{a}', '{}') as t where tag_links(array[:link]::uuid[], '{a}', '{}')::text ~ 'a'`,
  ],
  [OWNER, `select place_links(:category, array[:link]::uuid[], '{8}', true)`],
  [OWNER, `select id from category_counts join categories c on c.id = category_id where c.id = :category`],
  [OWNER, `select user_id from library_counts where user_id = :owner`],
  [OWNER, `insert into folder_looks (folder_id, color) values (:folder, 'red') returning folder_id`],
  [READING, `insert into favorites (link_id) values (:link) returning id`],
  [OWNER, `select id from profiles where id = :owner`],
];

describe.each(OPERATIONS)('%s: %s', (may, statement) => {
  test.each(PEOPLE)('as %s', async (person) => {
    expect(await attempt(shared.people[person], statement)).toBe(may.includes(person) ? 'done' : 'nothing');
  });
});

test('after all of it the owner’s library is as it was', async () => {
  expect(await snapshotLibrary(database, shared.owner)).toEqual(before);
});
