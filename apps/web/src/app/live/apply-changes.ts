import type { Folder } from '@linkoteca/domain/entities';
import { shiftLibraryCounts } from '../../features/account/model/count-library.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import { indexLinkHomes } from '../../features/links/model/apply-link-changes.ts';
import { ownWritesOf } from '../../shared/lib/own-writes.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import { applyToLists } from './apply-to-lists.ts';
import { countLinkChanges } from './count-link-changes.ts';
import { isRestored, judgeChange } from './judge-change.ts';
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
