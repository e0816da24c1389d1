import { useMemo } from 'react';
import type { ReceivedFolder } from '../../features/categories/api/list-received-folders.ts';
import type { CategoryGroup } from '../../features/links/model/category-groups.ts';
import type { CreatePlace } from '../../features/links/model/new-category.ts';
import { useCreateSharedPlace } from './received/use-create-shared-place.ts';
import { useCategoryGroups } from './use-category-groups.ts';
import { useCreatePlace } from './use-create-place.ts';

/**
 * Where links can go, and what makes a new category for them: in the person's own library, or within a shared folder, which they do not
 * leave.
 */
export function useLinkPlaces(folder: ReceivedFolder | undefined): {
  readonly groups: readonly CategoryGroup[];
  readonly createPlace: CreatePlace;
} {
  const own = useCategoryGroups();
  const createOwn = useCreatePlace();
  const createShared = useCreateSharedPlace();
  const shared = useMemo(
    () => folder && [{ folderId: folder.id, folderName: folder.name, categories: folder.categories }],
    [folder],
  );
  return shared ? { groups: shared, createPlace: createShared } : { groups: own, createPlace: createOwn };
}
