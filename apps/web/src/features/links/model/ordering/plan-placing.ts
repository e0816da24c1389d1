import type { Link } from '../../../../shared/lib/rows.ts';
import type { LinkPlacing } from './own-order.ts';

/** Steps that keys and the menu of a link offer. */
export type PlaceStep = 'first' | 'up' | 'down';

/** What is on the screen, which a filter may have made less than what there is. */
export interface OrderedLinks {
  readonly shown: readonly Link[];
  /** All that is loaded, in its order. */
  readonly loaded: readonly Link[];
  /** Nothing follows what is loaded. */
  readonly whole: boolean;
}

/** A link goes past its neighbour on the screen, or above all. Null where there is nothing to go past. */
export function planStep(
  { shown, loaded, whole }: OrderedLinks,
  id: string,
  step: PlaceStep,
): LinkPlacing | null {
  const at = shown.findIndex((link) => link.id === id);
  const above =
    step === 'first' ? (at > 0 ? loaded[0] : undefined) : step === 'up' ? shown[at - 1] : undefined;
  if (above) return { ids: [id], beforeId: above.id, step: true };
  const below = step === 'down' ? shown[at + 1] : undefined;
  return below ? placeBelow({ loaded, whole }, below.id, [id], true) : null;
}

/** Where a pointer is: beside which link, and on which side of it. */
export interface PlacePoint {
  readonly id: string;
  readonly side: 'before' | 'after';
}

/** Links are dropped there. Null where they would stay where they are. */
export function planDrop(
  links: OrderedLinks,
  { id, side }: PlacePoint,
  ids: readonly string[],
): LinkPlacing | null {
  const dragged = new Set(ids);
  if (dragged.has(id)) return null;
  const placing = side === 'before' ? { ids, beforeId: id, step: false } : placeBelow(links, id, ids, false);
  if (placing === null) return null;
  const order = links.loaded.map((link) => link.id);
  const others = order.filter((each) => !dragged.has(each));
  const at = placing.beforeId === null ? others.length : others.indexOf(placing.beforeId);
  const after = others.toSpliced(at, 0, ...ids);
  return after.every((each, index) => each === order[index]) ? null : placing;
}

/** Below a link is above the next that stays; null at the end of what is loaded while more is to come. */
function placeBelow(
  { loaded, whole }: Pick<OrderedLinks, 'loaded' | 'whole'>,
  id: string,
  ids: readonly string[],
  step: boolean,
): LinkPlacing | null {
  const dragged = new Set(ids);
  const at = loaded.findIndex((link) => link.id === id);
  const next = loaded.find((link, index) => index > at && !dragged.has(link.id));
  if (next === undefined && !whole) return null;
  return { ids, beforeId: next?.id ?? null, step };
}
