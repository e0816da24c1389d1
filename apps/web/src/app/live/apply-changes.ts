import type { Folder } from '@linkoteca/domain/entities';
import { shiftLibraryCounts } from '../../features/account/model/count-library.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import { indexLinkHomes } from '../../features/links/model/apply-link-changes.ts';
import { type OwnWrites, ownWritesOf } from '../../shared/lib/own-writes.ts';
import { newestOf, type TableChange } from '../../shared/lib/realtime/table-change.ts';
import { applyToLists } from './apply-to-lists.ts';
import type { LiveScope } from './live-scope.ts';
import { type SortedChanges, sortChanges } from './sort-changes.ts';

/** What is left to do once the screens show the changes. */
export interface Outcome {
  /** Not this tab's own doing. */
  readonly news: readonly TableChange[];
  /** Categories whose number of links the service should confirm. */
  readonly recount: ReadonlySet<string>;
  /** First words of the keys of reads that only the service can complete. */
  readonly askAgain: ReadonlySet<string>;
}

/** Shows changes on every screen at once: lists, counts and results in the cache. Own writes count once. */
export function applyChanges(scope: LiveScope, changes: readonly TableChange[]): Outcome {
  const own = ownWritesOf(scope.queryClient);
  const judged = changes.map((change) => ({ change, verdict: judgeChange(own, change) }));
  const current = judged.filter(({ verdict }) => verdict !== 'stale').map(({ change }) => change);
  const news = judged.filter(({ verdict }) => verdict === 'news').map(({ change }) => change);
  const sortedNews = sortChanges(scope, news);
  let homes: ReadonlyMap<string, string> | null = null;
  const { gains, unsure } = countLinkChanges(sortedNews.ownLinks, (id) => {
    homes ??= indexLinkHomes(scope.queryClient);
    return homes.get(id);
  });

  const before = measure(scope);
  applyToLists(scope, sortChanges(scope, current), gains);
  const after = measure(scope);
  shiftLibraryCounts(scope.queryClient, scope.userId, {
    folders: after.folders - before.folders,
    categories: after.categories - before.categories,
    links: after.links - before.links,
  });
  const restored = sortedNews.categories.filter(isRestored).map(({ id }) => id);
  return {
    // One's own invitations come back without telling whose doing they were.
    news: news.filter((change) => !sortedNews.invitations.includes(change)),
    recount: new Set([...gains.keys(), ...restored]),
    askAgain: new Set([...listOpenQuestions(sortedNews), ...(unsure ? ['categories'] : [])]),
  };
}

/** How much the cached lists hold. */
function measure({ queryClient, userId }: LiveScope) {
  const folders = queryClient.getQueryData<readonly Folder[]>(folderListKey(userId)) ?? [];
  const categories = queryClient.getQueryData<readonly ListedCategory[]>(categoryListKey(userId)) ?? [];
  return {
    folders: folders.length,
    categories: categories.length,
    links: categories.reduce((sum, { link_count: count }) => sum + count, 0),
  };
}

function listOpenQuestions(changes: SortedChanges) {
  const { folders, categories, links, received, invitations, subscriptions, ownLinks } = changes;
  const names: string[] = [];
  const counted = [...folders, ...categories, ...ownLinks];
  if (counted.some(({ operation }) => operation !== 'UPDATE')) names.push('library-counts');
  // Who moves up after the last of ten, and what a term finds now.
  if (ownLinks.some(({ operation }) => operation === 'DELETE')) names.push('recent-links');
  if (links.some(({ operation }) => operation !== 'DELETE')) names.push('search', 'link-places');
  // Whether anybody is left on the list. The list itself is on the screen while it is edited.
  if (invitations.length > 0) names.push('categories', 'sharing');
  if (subscriptions.length > 0) names.push('subscription');
  if (received.length > 0 || subscriptions.length > 0) names.push('received-shares');
  return names;
}

/**
 * `news`: somebody else did it, here or elsewhere. `echo`: this tab did it, and has counted it already; the row may have
 * got values that only the service knows. `stale`: the screen is further on.
 */
type Verdict = 'news' | 'echo' | 'stale';

const KINDS = { INSERT: 'add', UPDATE: 'change', DELETE: 'drop' } as const;

/** A row that is so much older than its insertion was deleted once and has come back. Milliseconds. */
const RESTORED_MS = 2_000;

/** Tells this tab's own writes, which the feed brings back, from those of others. Each is recognised once. */
function judgeChange(own: OwnWrites, change: TableChange): Verdict {
  const { table, operation, id } = change;
  const echo = own.takeEcho(table, KINDS[operation], id);
  if (own.isDropped(table, id) || (operation === 'DELETE' && echo)) return 'stale';
  const place = table === 'links' ? newestOf(change)['category_id'] : undefined;
  if (typeof place === 'string') {
    // Links go and come back with their category, without being named.
    if (own.isDropped('categories', place)) return 'stale';
    if (operation === 'INSERT' && isRestored(change) && own.isAdded('categories', place)) return 'echo';
  }
  return echo ? 'echo' : 'news';
}

/** Whether an inserted row is one that had been deleted. */
function isRestored({ operation, row, committedAt }: TableChange): boolean {
  const createdAt = row['created_at'];
  if (operation !== 'INSERT' || typeof createdAt !== 'string') return false;
  return Date.parse(committedAt) - Date.parse(createdAt) > RESTORED_MS;
}

interface LinkCounting {
  /** How many links each category gains; below zero it loses. */
  readonly gains: ReadonlyMap<string, number>;
  /** True when a link left a category that nobody knows: the service did not say, and no list had it. */
  readonly unsure: boolean;
}

/**
 * What changes of links mean for the counts of their categories.
 * @param findHome where a link stood, as far as the browser knows. Only asked when the change does not tell.
 */
export function countLinkChanges(
  changes: readonly TableChange[],
  findHome: (linkId: string) => string | undefined,
): LinkCounting {
  const gains = new Map<string, number>();
  /** Where links stand after the changes so far. */
  const homes = new Map<string, string>();
  let unsure = false;
  const gain = (categoryId: string, by: 1 | -1) => gains.set(categoryId, (gains.get(categoryId) ?? 0) + by);
  for (const { operation, id, row, before } of changes) {
    const from = operation === 'INSERT' ? null : (text(before) ?? homes.get(id) ?? findHome(id));
    const to = operation === 'DELETE' ? null : text(row);
    if (to) homes.set(id, to);
    if (from === undefined) unsure = true;
    if (from === to || from === undefined) continue;
    if (from) gain(from, -1);
    if (to) gain(to, 1);
  }
  return { gains, unsure };
}

function text({ category_id: categoryId }: TableChange['row']): string | undefined {
  return typeof categoryId === 'string' ? categoryId : undefined;
}
