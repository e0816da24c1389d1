import { useQueryClient } from '@tanstack/react-query';
import { CATEGORY_DRAG, type TreeDrops } from '../../../features/folders/model/tree-drops.ts';
import { LINK_DRAG } from '../../../features/links/model/link-drag.ts';
import { findLoadedLinks } from '../../../features/links/model/link-rows.ts';
import type { DragLoad } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import { useCategoryMoving } from './use-category-moving.ts';
import { useLinkMoving } from './use-link-moving.ts';

/** What dropping means here: links go into categories, a category goes into the folder of the row it lands on. */
export function useLibraryDrops(): TreeDrops & {
  readonly dropLinks: (load: DragLoad, categoryId: string) => void;
} {
  const queryClient = useQueryClient();
  const moveLinks = useLinkMoving();
  const moveCategory = useCategoryMoving();
  const dropLinks = (load: DragLoad, categoryId: string) =>
    void moveLinks(findLoadedLinks(queryClient, load.homeKey, load.ids), categoryId);
  return {
    dropLinks,
    accepts: (load, node) => {
      if (load.kind === LINK_DRAG) return node.kind === 'category' && node.id !== load.homeKey;
      return load.kind === CATEGORY_DRAG && node.folderId !== load.homeKey;
    },
    onDrop: (load, node) => {
      if (load.kind === LINK_DRAG) return dropLinks(load, node.id);
      for (const id of load.ids) void moveCategory(id, node.folderId);
    },
  };
}
