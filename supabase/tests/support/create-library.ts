import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type NewUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';

/** A user with one folder, one category in it and one link in that, all written through the table API's own role. */
export type Library = {
  readonly owner: TestUser;
  readonly folderId: string;
  readonly categoryId: string;
  readonly linkId: string;
};

export async function createLibrary(database: ThrowawayDatabase, wish: NewUser = {}): Promise<Library> {
  const owner = await createUser(database.admin, wish);
  const folderId = await createFolder(database, owner, 'Trabalho');
  const categoryId = await createCategory(database, owner, folderId);
  const linkId = await insertId(
    database,
    owner,
    `insert into links (url, title, category_id) values ('https://exemplo.com.br/', 'Exemplo', $1) returning id`,
    [categoryId],
  );
  return { owner, folderId, categoryId, linkId };
}

export function createFolder(database: ThrowawayDatabase, owner: TestUser, name: string): Promise<string> {
  return insertId(database, owner, 'insert into folders (name) values ($1) returning id', [name]);
}

export function createCategory(
  database: ThrowawayDatabase,
  owner: TestUser,
  folderId: string,
  name = 'Leituras',
): Promise<string> {
  const text = `insert into categories (name, folder_id) values ($1, $2) returning id`;
  return insertId(database, owner, text, [name, folderId]);
}

async function insertId(
  database: ThrowawayDatabase,
  owner: TestUser,
  text: string,
  values: readonly unknown[] = [],
): Promise<string> {
  const { rows } = await queryAs<{ id: string }>(database, owner, text, values);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no id came back from: ${text}`);
  return id;
}
