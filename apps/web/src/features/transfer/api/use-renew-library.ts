import { useQueryClient } from '@tanstack/react-query';
import { lastImportKey } from './use-last-import.ts';

/** First words of the keys of what an import changes. */
const CHANGED: ReadonlySet<unknown> = new Set([
  'folders',
  'categories',
  'links',
  'recent-links',
  'library-counts',
  'link-places',
  'search',
  'search-totals',
  'tags',
  lastImportKey,
]);

/** Has everything that an import touches asked for anew, once it is over. */
export function useRenewLibrary(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => CHANGED.has(queryKey[0]) });
}
