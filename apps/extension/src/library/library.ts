import { collectByIds, collectPages } from '@linkoteca/domain/collect-pages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import type { DatabaseClient } from '../session/database.ts';

/** A category that a link can be put into. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly folderId: string;
  readonly isInbox: boolean;
  /** Whose library it is in; null: the person's own. Links do not go from one library into another. */
  readonly ownerId: string | null;
}

/** A link as it is kept. */
export interface SavedLink {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly categoryId: string;
  readonly tags: readonly string[];
}

const byName = new Intl.Collator('pt-BR', { numeric: true }).compare;

/**
 * The person's own categories, the inbox first, and behind them those of folders that others share and in which the person may write.
 * @throws the table API's error.
 */
export async function listPlaces(database: DatabaseClient, userId: string): Promise<readonly Place[]> {
  const [own, shared] = await Promise.all([listOwnPlaces(database, userId), listSharedPlaces(database)]);
  return [...own, ...shared];
}

async function listSharedPlaces(database: DatabaseClient): Promise<readonly Place[]> {
  const { data: received, error } = await database.rpc('received_folders');
  // An installation of before knows no such folders.
  if (error?.code === 'PGRST202') return [];
  if (error) throw error;
  const folders = new Map(received.filter((one) => one.may_write).map((one) => [one.folder_id, one]));
  if (folders.size === 0) return [];
  const categories = await collectByIds([...folders.keys()], (ids) =>
    collectPages(async (from, to) => {
      const { data } = await database
        .from('categories')
        .select('id, name, folder_id')
        .in('folder_id', ids)
        .order('id')
        .range(from, to)
        .throwOnError();
      return data;
    }),
  );
  return categories
    .flatMap(({ id, name, folder_id: folderId }) => {
      const folder = folders.get(folderId);
      if (folder === undefined) return [];
      const label = folder.owner_name === null ? folder.name : `${folder.name} · ${folder.owner_name}`;
      return [{ id, name, folder: label, folderId, isInbox: false, ownerId: folder.owner_id }];
    })
    .sort((a, b) => byName(a.folder, b.folder) || byName(a.name, b.name));
}

async function listOwnPlaces(database: DatabaseClient, userId: string): Promise<readonly Place[]> {
  const [categories, folders, inbox] = await Promise.all([
    collectPages(async (from, to) => {
      const wish = database.from('categories').select('id, name, folder_id').eq('user_id', userId);
      const { data } = await wish.order('id').range(from, to).throwOnError();
      return data;
    }),
    collectPages(async (from, to) => {
      const wish = database.from('folders').select('id, name').eq('user_id', userId);
      const { data } = await wish.order('id').range(from, to).throwOnError();
      return data;
    }),
    database.from('inboxes').select('category_id').maybeSingle().throwOnError(),
  ]);
  const names = new Map(folders.map(({ id, name }) => [id, name]));
  return categories
    .map(({ id, name, folder_id }) => ({
      id,
      name,
      folder: names.get(folder_id) ?? '',
      folderId: folder_id,
      isInbox: id === inbox.data?.category_id,
      ownerId: null,
    }))
    .sort(
      (a, b) => Number(b.isInbox) - Number(a.isInbox) || byName(a.folder, b.folder) || byName(a.name, b.name),
    );
}

/** Ids of categories that may have been made although the answer was lost. */
const attempts = new Map<string, string>();

/** Makes a category in the folder of another one, and in its library. @throws the table API's error. */
export async function createPlace(
  database: DatabaseClient,
  userId: string,
  name: string,
  beside: Place,
): Promise<Place> {
  const key = `${userId} ${beside.folderId} ${name}`;
  const id = attempts.get(key) ?? crypto.randomUUID();
  attempts.set(key, id);
  const { error } = await database
    .from('categories')
    .insert({ id, name, folder_id: beside.folderId, user_id: userId });
  if (error !== null && readRefusal(error).kind !== 'already_saved') throw error;
  attempts.delete(key);
  return { ...beside, id, name, isInbox: false };
}

/** A saved link; null where it is not in the library (any more). @throws the table API's error. */
export async function readLink(database: DatabaseClient, id: string): Promise<SavedLink | null> {
  const [link, tagged] = await Promise.all([
    database
      .from('links')
      .select('id, title, description, category_id')
      .eq('id', id)
      .maybeSingle()
      .throwOnError(),
    database.from('link_tags').select('tag_id').eq('link_id', id).throwOnError(),
  ]);
  if (link.data === null) return null;
  const { title, description, category_id: categoryId } = link.data;
  return { id, title, description, categoryId, tags: await nameTags(database, tagged.data) };
}

async function nameTags(
  database: DatabaseClient,
  tagged: readonly { readonly tag_id: string }[],
): Promise<readonly string[]> {
  if (tagged.length === 0) return [];
  const ids = tagged.map(({ tag_id }) => tag_id);
  const { data } = await database.from('tags').select('name').in('id', ids).order('name').throwOnError();
  return data.map(({ name }) => name);
}

/** Where a page is kept already, the newest first; null where it is not. @throws the table API's error. */
export async function findKept(database: DatabaseClient, url: string): Promise<string | null> {
  const { data } = await database.rpc('find_links_by_url', { urls: [url] }).throwOnError();
  return data[0]?.link_id ?? null;
}

/** A link as a list shows it. */
export interface ListedLink {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

/** Links that a list shows: the newest, and what is found. */
const MOST_LISTED = { newest: 8, found: 30 } as const;

/** The person's own links, the newest first. @throws the table API's error. */
export async function listNewest(database: DatabaseClient, userId: string): Promise<readonly ListedLink[]> {
  const { data } = await database
    .from('links')
    .select('id, title, url')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(MOST_LISTED.newest)
    .throwOnError();
  return data;
}

/** The links that a search finds, the best first. @throws the table API's error. */
export async function searchLinks(database: DatabaseClient, term: string): Promise<readonly ListedLink[]> {
  const { data } = await database
    .rpc('search_links', { term, max_results: MOST_LISTED.found })
    .throwOnError();
  return data;
}
