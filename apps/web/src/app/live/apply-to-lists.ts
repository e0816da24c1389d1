import type { Folder } from '@linkoteca/domain/entities';
import { type ReceivedShare, receivedSharesKey } from '../../features/categories/api/list-received-shares.ts';
import { applyCategoryNews } from '../../features/categories/model/apply-category-changes.ts';
import { applyReceivedChanges } from '../../features/categories/model/apply-received-changes.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import type { LinkCountChange } from '../../features/categories/model/count-links.ts';
import { type RecentLink, recentLinksKey } from '../../features/dashboard/api/list-recent-links.ts';
import { applyRecentChanges } from '../../features/dashboard/model/apply-recent-changes.ts';
import { applyFolderChanges } from '../../features/folders/model/apply-folder-changes.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import { applyLinkChanges } from '../../features/links/model/apply-link-changes.ts';
import { applySearchChanges } from '../../features/search/model/apply-search-changes.ts';
import type { LiveScope } from './live-scope.ts';
import type { SortedChanges } from './sort-changes.ts';

/**
 * Puts changes into every cached list they concern. Doing it twice, or over a newer answer, changes nothing more.
 * @param gains how many links each category gains besides.
 */
export function applyToLists(scope: LiveScope, sorted: SortedChanges, gains: LinkCountChange): void {
  const { queryClient, userId, email } = scope;
  const goneFolderIds = new Set(idsOfDeleted(sorted.folders));
  const edit = <Data>(queryKey: readonly unknown[], change: (data: Data) => Data) => {
    const data = queryClient.getQueryData<Data>(queryKey);
    const next = data === undefined ? undefined : change(data);
    // The very same data would count as read anew.
    if (next !== data) queryClient.setQueryData<Data>(queryKey, next);
  };
  edit<readonly Folder[]>(folderListKey(userId), (rows) => applyFolderChanges(rows, sorted.folders));
  edit<readonly ListedCategory[]>(categoryListKey(userId), (rows) =>
    applyCategoryNews(rows, { changes: sorted.categories, goneFolderIds, linkCounts: gains }),
  );
  edit<readonly ReceivedShare[]>(receivedSharesKey(email), (shares) =>
    applyReceivedChanges(shares, sorted.received),
  );
  applyLinkChanges(queryClient, sorted.links);
  edit<readonly RecentLink[]>([recentLinksKey, userId], (links) =>
    applyRecentChanges(links, sorted.ownLinks),
  );
  applySearchChanges(queryClient, sorted.ownLinks, sorted.categories);
  // What nobody may open any more need not be kept; a page that shows it leaves by itself.
  for (const id of idsOfDeleted([...sorted.categories, ...sorted.received]))
    queryClient.removeQueries({ queryKey: ['links', id], type: 'inactive' });
}

function idsOfDeleted(changes: SortedChanges['folders']): readonly string[] {
  return changes.filter(({ operation }) => operation === 'DELETE').map(({ id }) => id);
}
