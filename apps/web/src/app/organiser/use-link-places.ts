import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReceivedFolder } from '../../features/categories/api/list-received-folders.ts';
import type { CategoryGroup } from '../../features/links/model/category-groups.ts';
import type { CreatePlace } from '../../features/links/model/new-category.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { loadReceived } from './received/load-received.ts';
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
  const scope = { database: useDatabase(), queryClient: useQueryClient(), userId: useUserId() };
  const shared = useMemo(
    () => folder && [{ folderId: folder.id, folderName: folder.name, categories: folder.categories }],
    [folder],
  );
  if (!shared) return { groups: own, createPlace: createOwn };
  const createShared: CreatePlace = async (place) => (await loadReceived()).createSharedPlace(scope, place);
  return { groups: shared, createPlace: createShared };
}
