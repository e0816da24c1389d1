import { useMemo } from 'react';
import type { CategoryGroup } from '../../features/links/model/category-groups.ts';
import { useLibrary } from './use-library.ts';

/** The person's categories by folder, to choose from. */
export function useCategoryGroups(): readonly CategoryGroup[] {
  const { shelves } = useLibrary();
  return useMemo(
    () =>
      shelves.map(({ folder, categories }) => ({
        folderId: folder.id,
        folderName: folder.name,
        categories,
      })),
    [shelves],
  );
}
