import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { listCachedLinks } from '../../features/links/model/list-cached-links.ts';
import type { HeldLibrary } from '../../features/search/model/held-library.ts';
import { useLibrary } from './use-library.ts';

/** What the browser holds of one's own library, for the search. What others share is not searched. */
export function useHeldLibrary(): HeldLibrary {
  const queryClient = useQueryClient();
  const { shelves, categories } = useLibrary();
  const folders = useMemo(
    () => shelves.map(({ folder, categories }) => ({ id: folder.id, name: folder.name, categories })),
    [shelves],
  );
  const listLinks = useCallback(
    () => listCachedLinks(queryClient, new Set(categories.map(({ id }) => id))),
    [queryClient, categories],
  );
  return useMemo(() => ({ folders, listLinks }), [folders, listLinks]);
}
