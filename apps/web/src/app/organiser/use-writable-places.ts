import { describeFolderOf } from '@linkoteca/domain/messages/folder-sharing-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReceivedFolders } from '../../features/categories/api/list-received-folders.ts';
import type { CategoryGroup } from '../../features/links/model/category-groups.ts';
import type { CreatePlace } from '../../features/links/model/new-category.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import { loadReceived } from './received/load-received.ts';
import { useCategoryGroups } from './use-category-groups.ts';
import { useCreatePlace } from './use-create-place.ts';
import { useLibrary } from './use-library.ts';

/** Everywhere that captures can go. */
export interface WritablePlaces {
  /** The person's own categories, then those of folders that others share and in which the person may write. */
  readonly groups: readonly CategoryGroup[];
  /** Whether these are all: false while they are being read, and where they cannot be. */
  readonly isKnown: boolean;
  readonly createPlace: CreatePlace;
  /** The shared folder of a category; undefined for the person's own. */
  readonly sharedFolderOf: (categoryId: string | null) => string | undefined;
}

/** @param nearId the category that is chosen: a new one is made beside it, and takes a place of that library's plan. */
export function useWritablePlaces(nearId: string): WritablePlaces {
  const own = useCategoryGroups();
  const { loading, failed } = useLibrary();
  const createOwn = useCreatePlace();
  const folders = useReceivedFolders().data;
  const scope = { database: useDatabase(), queryClient: useQueryClient(), userId: useUserId() };
  const shared = useMemo<readonly CategoryGroup[]>(
    () =>
      (folders ?? [])
        .filter(({ mayWrite }) => mayWrite)
        .map(({ id, name, ownerName, categories }) => ({
          folderId: id,
          folderName: describeFolderOf(name, ownerName),
          categories,
        })),
    [folders],
  );
  const groups = useMemo(() => [...own, ...shared], [own, shared]);
  const sharedFolderOf = (categoryId: string | null) =>
    shared.find(({ categories }) => categories.some(({ id }) => id === categoryId))?.folderId;
  const create: CreatePlace = async (place) =>
    shared.some(({ folderId }) => folderId === place.folderId)
      ? (await loadReceived()).createSharedPlace(scope, place)
      : createOwn(place);
  const createPlace = Object.assign(create, { lock: sharedFolderOf(nearId) ? null : createOwn.lock });
  const isKnown = !loading && failed === null && folders !== undefined;
  return { groups, isKnown, createPlace, sharedFolderOf };
}
