import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import type { OfferCreation, PickGroup } from '../../../shared/ui/pickers/pick-options.ts';
import { PlanLockMark } from '../../../shared/ui/plan-lock.tsx';
import { type CategoryGroup, findPlace } from '../model/category-groups.ts';
import { findNameFault, readNewPlace } from '../model/new-category.ts';
import { RECENT_CHOICES, readRecentCategories } from '../model/recent-categories.ts';

/** The option that makes a category; no other has such an id. */
export const NEW_CATEGORY = 'new';

/**
 * Categories to choose from by folder, those used last before them.
 * @param closedId one that links are in already, and cannot be moved to.
 */
export function useCategoryChoices(
  groups: readonly CategoryGroup[],
  closedId: string | null,
): readonly PickGroup[] {
  const userId = useUserId();
  const [recentIds] = useState(() => readRecentCategories(userId));
  return useMemo(() => {
    const recent = recentIds.flatMap((id) => {
      const place = id === closedId ? undefined : findPlace(groups, id);
      return place
        ? [
            {
              id,
              name: place.name,
              detail: place.folderName,
              icon: <FolderSpine folderId={place.folderId} />,
            },
          ]
        : [];
    });
    const byFolder = groups.map(({ folderId, folderName, categories }) => ({
      label: folderName,
      options: categories.map(({ id, name }) => ({
        id,
        name,
        icon: <FolderSpine folderId={folderId} />,
        ...(id === closedId ? { disabled: true, detail: 'Categoria atual' } : {}),
      })),
    }));
    return [
      { label: 'Recentes', shortcut: true, options: recent.slice(0, RECENT_CHOICES) },
      ...byFolder,
    ].filter(({ options }) => options.length > 0);
  }, [groups, recentIds, closedId]);
}

/**
 * Offers the category that what is typed would make, and says where, or why not.
 * @param lock how full the plan is, where it has no room for one.
 */
export function offerNewCategory(
  groups: readonly CategoryGroup[],
  nearId: string | null,
  lock: string | null = null,
): OfferCreation {
  return (term) => {
    const place = readNewPlace(term, groups, nearId);
    if (place === null) return null;
    const fault = findNameFault(place.name);
    return {
      id: NEW_CATEGORY,
      name: `Criar "${place.name}"`,
      detail: fault ?? lock ?? `em ${place.folderName}`,
      disabled: fault !== null,
      icon:
        lock === null ? (
          <Plus aria-hidden className="-mx-1.5 size-4 shrink-0 text-ink-faint" />
        ) : (
          <PlanLockMark />
        ),
    };
  };
}
