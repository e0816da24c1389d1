import { type RefObject, useEffect, useState } from 'react';
import { useDrag } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import { useDragSource } from '../../../shared/lib/drag-and-drop/use-drag-source.ts';
import { useDropZone } from '../../../shared/lib/drag-and-drop/use-drop-zone.ts';
import {
  CATEGORY_DRAG,
  findNode,
  pickCategoryDrag,
  type RowDrop,
  type TreeDrops,
} from '../model/tree-drops.ts';
import type { TreeFolder, TreeNode } from '../model/tree-nodes.ts';

/** How long a drag rests on a folder until it opens, milliseconds. */
const OPEN_AFTER_MS = 600;

const NOTHING: ReadonlySet<string> = new Set();

interface TreeDrag {
  /** Folders that a resting drag has opened, besides the one that is open anyway; they close when it ends. */
  readonly openedIds: ReadonlySet<string>;
  readonly dropOf: (node: TreeNode) => RowDrop;
}

/** Categories are dragged out of the tree; what `drops` accepts may be dropped on it. */
export function useTreeDrag(
  tree: RefObject<HTMLElement | null>,
  folders: readonly TreeFolder[],
  drops: TreeDrops,
): TreeDrag {
  const drag = useDrag();
  useDragSource(tree, (target) => pickCategoryDrag(target, folders));
  useDropZone(tree, {
    accepts: (load, key) => {
      const node = findNode(folders, key);
      return node !== null && drops.accepts(load, node);
    },
    onDrop: (load, key) => {
      const node = findNode(folders, key);
      if (node) drops.onDrop(load, node);
    },
  });
  const over = drag?.over ? findNode(folders, drag.over.key) : null;
  const openedIds = useOpenedByResting(drag === null, over?.kind === 'folder' ? over.id : null);
  if (drag === null) return { openedIds, dropOf: () => 'idle' };

  const { load } = drag;
  const overId = drag.over?.accepted && over ? (load.kind === CATEGORY_DRAG ? over.folderId : over.id) : null;
  return {
    openedIds,
    dropOf: (node) => {
      if (node.id === overId) return 'over';
      if (node.kind === 'category' && load.kind === CATEGORY_DRAG) return 'idle';
      if (drops.accepts(load, node)) return 'possible';
      return node.id === load.homeKey ? 'closed' : 'idle';
    },
  };
}

/** The folders on which a drag has rested. */
function useOpenedByResting(none: boolean, folderId: string | null): ReadonlySet<string> {
  const [opened, setOpened] = useState(NOTHING);
  if (none && opened.size > 0) setOpened(NOTHING);
  useEffect(() => {
    if (folderId === null) return undefined;
    const timer = setTimeout(() => setOpened((before) => new Set(before).add(folderId)), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [folderId]);
  return opened;
}
