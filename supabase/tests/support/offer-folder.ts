import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type NewUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { createLibrary, type Library } from './create-library.ts';
import { inviteToFolder, type MemberRole } from './share-folder.ts';

export type Plan = Required<NewUser>['plan'];
export type FolderWithTaker = Library & { readonly taker: TestUser };

export const OFFER = 'select offer_folder($1, $2)';
export const TAKE = 'select take_folder($1)';

/** A folder of Olga's with one member, who may have it. */
export async function shareWithTaker(
  database: ThrowawayDatabase,
  role: MemberRole,
  plan: Plan = 'plus',
): Promise<FolderWithTaker> {
  const library = await createLibrary(database, { plan: 'plus', name: 'Olga' });
  const taker = await createUser(database.admin, { plan, name: 'Ana' });
  await inviteToFolder(database, library.owner, library.folderId, taker.email, role);
  return { ...library, taker };
}

/** The same, offered. */
export async function offerToTaker(
  database: ThrowawayDatabase,
  role: 'editor' | 'manager',
  plan: Plan = 'plus',
): Promise<FolderWithTaker> {
  const offered = await shareWithTaker(database, role, plan);
  await queryAs(database, offered.owner, OFFER, [offered.folderId, offered.taker.email]);
  return offered;
}

/** What the counters say and what there is. */
export async function countLibrary({ admin }: ThrowawayDatabase, { id }: TestUser): Promise<unknown> {
  const { rows } = await admin.query(
    `select link_count, category_count, folder_count,
       (select count(*)::int from links where user_id = $1) as links,
       (select count(*)::int from categories where user_id = $1) as categories,
       (select count(*)::int from folders where user_id = $1) as folders,
       (select coalesce(sum(private.link_bytes(l)), 0) from links l where user_id = $1)
         + (select coalesce(sum(private.category_bytes(c)), 0) from categories c where user_id = $1)
         + (select coalesce(sum(private.folder_bytes(f)), 0) from folders f where user_id = $1) = row_bytes as weighed
     from library_counts where user_id = $1`,
    [id],
  );
  return rows[0];
}

export const countsOf = (links: number, categories: number, folders: number) => ({
  link_count: links,
  category_count: categories,
  folder_count: folders,
  links,
  categories,
  folders,
  weighed: true,
});
