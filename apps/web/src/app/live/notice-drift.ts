import type { Folder } from '@linkoteca/domain/entities';
import type { LibraryCounts } from '../../features/account/api/use-library-counts.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import type { LiveScope } from './live-scope.ts';

/**
 * Compares the lists with the counters whenever those have been read: where they disagree, something came or went that
 * nobody told of, and the list is asked for. So the look at the counters every 15 s stands in for a silent change feed.
 * @param isQuiet false while changes arrive: an answer may be ahead of them.
 * @returns ends it.
 */
export function noticeDrift({ queryClient, userId }: LiveScope, isQuiet: () => boolean): () => void {
  const ask = (name: string) =>
    void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'active' });
  const compare = ({ folders, categories, links }: LibraryCounts) => {
    const folderList = queryClient.getQueryData<readonly Folder[]>(folderListKey(userId));
    const categoryList = queryClient.getQueryData<readonly ListedCategory[]>(categoryListKey(userId));
    if (folderList && folderList.length !== folders) ask('folders');
    const listed = categoryList?.reduce((sum, { link_count: count }) => sum + count, 0);
    if (categoryList && (categoryList.length !== categories || listed !== links)) ask('categories');
    if (listed === undefined || listed === links) return;
    for (const name of ['links', 'recent-links']) ask(name);
  };
  return queryClient.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (query.queryKey[0] !== 'library-counts' || queryClient.isMutating() > 0 || !isQuiet()) return;
    // A list that is just being read may know better than this answer.
    const reading = queryClient.isFetching({
      predicate: ({ queryKey }) => queryKey[0] === 'folders' || queryKey[0] === 'categories',
    });
    if (reading === 0) compare(query.state.data as LibraryCounts);
  });
}
