import type { QueryKey } from '@tanstack/react-query';
import {
  type ReceivedFolder,
  receivedFoldersKey,
} from '../../features/categories/api/list-received-folders.ts';
import { type ReceivedShare, receivedSharesKey } from '../../features/categories/api/list-received-shares.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { indexLinkHomes } from '../../features/links/model/apply-link-changes.ts';
import { linkListKey } from '../../features/links/model/link-rows.ts';
import { findListsOfOtherRank } from '../../features/links/model/ordering/find-outdated-lists.ts';
import { type Tag, tagListKey } from '../../features/tags/model/tag-rows.ts';
import { newestOf, type TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { LiveScope } from './live-scope.ts';

/** First words of the keys of reads in which rows of a table stand or are counted, all of one's own. */
const READS_OF_TABLE = {
  folders: ['folders', 'categories', 'library-counts', 'bin', 'search-totals', 'repeated-links'],
  categories: [
    'categories',
    'library-counts',
    'recent-links',
    'search',
    'bin',
    'search-totals',
    'repeated-links',
  ],
  links: [
    'links',
    'categories',
    'library-counts',
    'recent-links',
    'search',
    'link-places',
    'favorites',
    'bin',
    'search-totals',
    'repeated-links',
  ],
  favorites: ['favorites', 'search-totals', 'repeated-links'],
  saved_searches: ['saved_searches'],
  manual_order: ['categories', 'links'],
  tags: ['tags', 'links', 'search', 'search-totals'],
} as const;

/** The same of rows that the change feed alone tells of: one of `shared_with` is an invitation, or received, or may be either. */
const READS_OF_OTHERS = {
  // Of one's own place in somebody's folder, or of the people in one's own.
  folder_members: ['received-shares', 'folder-members', 'folder-groups'],
  invitation: ['categories', 'sharing'],
  received: ['received-shares'],
  subscribers: ['subscription', 'received-shares'],
} as const;

/** First words of the keys of all that the change feed keeps true. */
export const KEPT_TRUE: ReadonlySet<unknown> = new Set(
  [...Object.values(READS_OF_TABLE), ...Object.values(READS_OF_OTHERS)].flat(),
);

/** The tables whose changes the tabs tell each other. */
export type SyncedTable = keyof typeof READS_OF_TABLE;

export function isSyncedTable(table: string): table is SyncedTable {
  return Object.hasOwn(READS_OF_TABLE, table);
}

/** What is outdated when rows of a table have changed, it is not known which or how. */
export function outdatedByTable(table: SyncedTable): readonly QueryKey[] {
  return READS_OF_TABLE[table].map((name) => [name]);
}

/** Tells which cached reads a change makes outdated. What it needs to know of the cache is looked up once. */
export function findOutdatedReads(scope: LiveScope): (change: TableChange) => readonly QueryKey[] {
  const isReceived = recogniseReceived(scope);
  let homes: ReadonlyMap<string, string> | undefined;
  const isMoved: LinkMove = ({ id, before: { category_id: told }, row }) => {
    if (typeof told !== 'string') homes ??= indexLinkHomes(scope.queryClient);
    return (typeof told === 'string' ? told : homes?.get(id)) !== row['category_id'];
  };
  return (change) => [
    ...namesOf(scope, change, { isReceived, isMoved }).map((name) => [name]),
    ...(change.table === 'links' ? listsUnderWay(scope, change) : []),
    ...(change.table === 'manual_order' ? findOutdatedOrder(scope, change) : []),
    ...(change.table === 'tags' ? findOutdatedTags(scope, change) : []),
  ];
}

/** Whether a changed link stood in another category before, as far as the change or the lists tell. */
type LinkMove = (change: TableChange) => boolean;

interface Lookups {
  readonly isReceived: (change: TableChange) => boolean;
  readonly isMoved: LinkMove;
}

/** First words of the keys of the reads that a change makes outdated. */
function namesOf(
  { userId, email }: LiveScope,
  change: TableChange,
  { isReceived, isMoved }: Lookups,
): readonly string[] {
  const isUpdate = change.operation === 'UPDATE';
  switch (change.table) {
    case 'folders':
      return isUpdate ? ['folders', 'search-totals'] : READS_OF_TABLE.folders;
    case 'categories':
      if (isReceived(change)) return READS_OF_OTHERS.received;
      return isUpdate ? ['categories', 'search', 'search-totals'] : READS_OF_TABLE.categories;
    case 'links': {
      // The links of a received category stand in its list alone, which is patched.
      if ((newestOf(change)['user_id'] ?? userId) !== userId) return [];
      const names = ['recent-links', 'search', 'search-totals', 'link-places', 'repeated-links'];
      if (!isUpdate) return [...names, 'categories', 'library-counts', 'bin'];
      return [...names, 'favorites', ...(isMoved(change) ? ['categories'] : [])];
    }
    case 'shared_with':
      return [
        ...(mayBe(change, 'invitation', email) ? READS_OF_OTHERS.invitation : []),
        ...(mayBe(change, 'received', email) ? READS_OF_OTHERS.received : []),
      ];
    case 'folder_members':
      return READS_OF_OTHERS.folder_members;
    case 'favorites':
      return READS_OF_TABLE.favorites;
    case 'saved_searches':
      return READS_OF_TABLE.saved_searches;
    case 'folder_looks':
      return ['folders'];
    case 'subscribers':
      return READS_OF_OTHERS.subscribers;
    default:
      return [];
  }
}

/** Lists of links are patched, and not read: but an answer that is on its way may be from before the change. */
function listsUnderWay(
  { queryClient }: LiveScope,
  { operation, row, before }: TableChange,
): readonly QueryKey[] {
  const from = operation === 'INSERT' ? row['category_id'] : before['category_id'];
  const lists = queryClient.getQueryCache().findAll({ queryKey: ['links'], fetchStatus: 'fetching' });
  return lists
    .map(({ queryKey }) => queryKey)
    .filter(
      ([, categoryId]) => from === undefined || categoryId === from || categoryId === row['category_id'],
    );
}

/** What is outdated of an order when a part of it changes: nothing where the cache has it already, as after one's own writes. */
function findOutdatedOrder({ queryClient, userId }: LiveScope, change: TableChange): readonly QueryKey[] {
  const { category_id: categoryId, link_id: linkId, rank } = newestOf(change);
  const isThere = change.operation !== 'DELETE';
  if (typeof linkId === 'string')
    return findListsOfOtherRank(queryClient, linkId, isThere ? rank : undefined);
  const key = categoryListKey(userId);
  const category = queryClient
    .getQueryData<readonly ListedCategory[]>(key)
    ?.find(({ id }) => id === categoryId);
  // A deletion may tell no more than the key.
  if (typeof categoryId !== 'string') return [['links'], key];
  return category === undefined || category.is_manual === isThere ? [] : [key];
}

/** What is outdated when a tag changes: the lists of links, too, where links were given it or lost it by hand, elsewhere. */
function findOutdatedTags({ queryClient, userId }: LiveScope, change: TableChange): readonly QueryKey[] {
  const key = tagListKey(userId);
  const known = queryClient.getQueryData<readonly Tag[]>(key)?.find(({ id }) => id === change.id);
  if (change.operation === 'DELETE') return known ? [key, ['search'], ['search-totals']] : [];
  const { row } = change;
  const isTagged =
    known === undefined || Date.parse(known.tagged_at) !== Date.parse(String(row['tagged_at']));
  if (isTagged) return outdatedByTable('tags');
  const isSame = (['name', 'color', 'link_count'] as const).every((column) => known[column] === row[column]);
  return isSame ? [] : [key];
}

/** What is outdated of the lists of links when a change of one of them cannot be trusted. */
export function listsOfLink(change: TableChange): readonly QueryKey[] {
  const { category_id: categoryId } = newestOf(change);
  return [typeof categoryId === 'string' ? linkListKey(categoryId) : ['links']];
}

/** Whether a change is of whom the person invites, or may be: where a deletion tells the key alone, it may be of either kind. */
export function mayBe(change: TableChange, kind: 'invitation' | 'received', email: string): boolean {
  if (change.table !== 'shared_with') return false;
  const { email: invited } = newestOf(change);
  return typeof invited !== 'string' || (invited === email) === (kind === 'received');
}

/** Tells somebody else's categories from one's own. */
export function recogniseReceived({
  queryClient,
  userId,
  email,
}: LiveScope): (change: TableChange) => boolean {
  const known = queryClient.getQueryData<readonly ReceivedShare[]>(receivedSharesKey(email)) ?? [];
  const folders = queryClient.getQueryData<readonly ReceivedFolder[]>(receivedFoldersKey(email)) ?? [];
  const ids = new Set([...known, ...folders.flatMap(({ categories }) => categories)].map(({ id }) => id));
  return (change: TableChange) => {
    // A deletion may tell no more than the key.
    const { user_id: owner } = newestOf(change);
    return typeof owner === 'string' ? owner !== userId : ids.has(change.id);
  };
}
