import { formatCount } from '@linkoteca/domain/formats';
import type { DragLoad } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import type { Link } from '../../../shared/lib/rows.ts';

/** Links on their way to another category; the category they are in is their home. */
export const LINK_DRAG = 'links';

interface LinkDragSource {
  readonly categoryId: string;
  readonly links: readonly Link[];
  readonly selectedIds: ReadonlySet<string>;
  /** @param key of the place where they went. */
  readonly onDropped: (ids: ReadonlySet<string>, key: string) => void;
}

/** How the keys of places within a list begin; those of categories are ids. */
export const PLACE_KEY = 'place ';

/** What a drag that begins on an element takes along: the link there, or all that are selected if it is one of them. */
export function pickLinkDrag(target: Element, source: LinkDragSource): DragLoad | null {
  // A press on an item's own buttons is for them; the box that picks it covers the whole item.
  if (target.closest('button:not([role=checkbox])')) return null;
  const id = target.closest<HTMLElement>('[data-link-id]')?.dataset['linkId'];
  if (id === undefined) return null;
  const { links, selectedIds } = source;
  const dragged = links.filter((link) => (selectedIds.has(id) ? selectedIds.has(link.id) : link.id === id));
  const [first] = dragged;
  if (first === undefined) return null;
  const ids = dragged.map((link) => link.id);
  return {
    kind: LINK_DRAG,
    ids,
    label: dragged.length === 1 ? first.title : formatCount(dragged.length, 'link', 'links'),
    homeKey: source.categoryId,
    urls: dragged.map((link) => link.url),
    onDropped: (key) => source.onDropped(new Set(ids), key),
  };
}
