import { randomUUID } from 'node:crypto';
import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { createCategory, createLibrary, type Library } from './create-library.ts';
import { nameRows } from './name-rows.ts';

export type MemberRole = 'viewer' | 'editor' | 'manager';

/** Invites an address to a folder, as the caller. @throws pg.DatabaseError as Postgres refused it. */
export async function inviteToFolder(
  database: ThrowawayDatabase,
  caller: TestCaller,
  folderId: string,
  email: string,
  role: MemberRole,
): Promise<void> {
  await queryAs(database, caller, 'insert into folder_members (folder_id, email, role) values ($1, $2, $3)', [
    folderId,
    email,
    role,
  ]);
}

/** Makes a group of the caller's. @returns its id. @throws pg.DatabaseError as Postgres refused it. */
export async function createGroup(
  database: ThrowawayDatabase,
  caller: TestCaller,
  name: string,
  emails: readonly string[],
): Promise<string> {
  const id = randomUUID();
  await queryAs(database, caller, 'select save_group($1, $2, $3)', [id, name, emails]);
  return id;
}

/** Shares a folder with a group, as the caller. @throws pg.DatabaseError as Postgres refused it. */
export async function shareWithGroup(
  database: ThrowawayDatabase,
  caller: TestCaller,
  folderId: string,
  groupId: string,
  role: MemberRole,
): Promise<void> {
  await queryAs(database, caller, 'select share_folder_with_group($1, $2, $3)', [folderId, groupId, role]);
}

export type SharedFolder = Library & {
  readonly people: Readonly<Record<Person, TestCaller>>;
  /** For `nameRows`: folder, category, link, and what else the statements name. */
  readonly ids: Readonly<Record<string, string>>;
};

export const PEOPLE = [
  'owner',
  'manager',
  'editor',
  'viewer',
  'grouped',
  'removed',
  'unconfirmed',
  'stranger',
  'guest',
] as const;
export type Person = (typeof PEOPLE)[number];

/**
 * A pro owner's folder shared with a manager, an editor, a viewer, an address that nobody has confirmed, and with a group (`:group`)
 * that makes one person an editor; somebody was removed from it. In it a category `:category` with `:link`, one `:second`, and one that is held back (`:held`, `:heldLink`); beside it a
 * folder of the owner's that nobody shares (`:private`, `:elsewhere`); `:mine` and `:myFolder` are the editor's own.
 */
export async function createSharedFolder(database: ThrowawayDatabase): Promise<SharedFolder> {
  const library = await createLibrary(database, { plan: 'pro', name: 'Olga' });
  const { owner, folderId, categoryId, linkId } = library;
  const others: Record<string, TestUser> = {};
  for (const name of ['manager', 'editor', 'viewer', 'removed', 'unconfirmed'] as const) {
    const user = await createUser(database.admin, { name: `Nome de ${name}` });
    others[name] = user;
    if (name === 'unconfirmed')
      await database.admin.query('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
    const role = name === 'removed' ? 'manager' : name === 'unconfirmed' ? 'editor' : name;
    await inviteToFolder(database, owner, folderId, user.email, role);
  }
  await queryAs(database, owner, 'delete from folder_members where email = $1', [others['removed']?.email]);
  const grouped = await createUser(database.admin, { name: 'Nome de grouped' });
  others['grouped'] = grouped;
  const groupId = await createGroup(database, owner, 'Turma 9B', [grouped.email]);
  await shareWithGroup(database, owner, folderId, groupId, 'editor');
  const read = async (caller: TestCaller, text: string) =>
    (await queryAs<{ id: string }>(database, caller, nameRows(text, ids))).rows[0]?.id ?? '';
  const ids: Record<string, string> = {
    folder: folderId,
    category: categoryId,
    link: linkId,
    group: groupId,
  };
  ids['owner'] = owner.id;
  ids['second'] = await createCategory(database, owner, folderId, 'Segunda');
  ids['held'] = await createCategory(database, owner, folderId, 'Reservada');
  await read(owner, 'update categories set is_held_back = true where id = :held returning id');
  ids['heldLink'] = await read(
    owner,
    `insert into links (url, title, category_id) values ('https://h.br/', 'Reservado', :held) returning id`,
  );
  ids['private'] = await read(owner, `insert into folders (name) values ('Só minha') returning id`);
  ids['elsewhere'] = await createCategory(database, owner, ids['private'], 'Alhures');
  const editor = others['editor'] as TestUser;
  ids['editor'] = editor.id;
  ids['myFolder'] = await read(editor, `insert into folders (name) values ('Do editor') returning id`);
  ids['mine'] = await createCategory(database, editor, ids['myFolder'], 'Do editor');
  others['stranger'] = await createUser(database.admin, { plan: 'pro' });
  ids['stranger'] = others['stranger'].id;
  return { ...library, ids, people: { owner, guest: 'anon', ...others } as SharedFolder['people'] };
}
