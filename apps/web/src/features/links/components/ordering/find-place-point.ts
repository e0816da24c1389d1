import type { PlacePoint } from '../../model/ordering/plan-placing.ts';

/**
 * Beside which link of a list a point is, and on which side: above or below its middle in a list, left or right of it among cards.
 * @param x of the window. @param y of the window.
 */
export function findPlacePoint(
  container: Element | null,
  x: number,
  y: number,
  view: 'grid' | 'list',
): PlacePoint | null {
  let nearest: { readonly id: string; readonly box: DOMRect; readonly distance: number } | null = null;
  for (const item of container?.querySelectorAll<HTMLElement>('[data-link-id]') ?? []) {
    const box = item.getBoundingClientRect();
    const distance = Math.hypot(outside(x, box.left, box.right), outside(y, box.top, box.bottom));
    if (nearest === null || distance < nearest.distance)
      nearest = { id: item.dataset['linkId'] ?? '', box, distance };
  }
  if (nearest === null) return null;
  const { id, box } = nearest;
  const before = view === 'list' ? y < box.top + box.height / 2 : x < box.left + box.width / 2;
  return { id, side: before ? 'before' : 'after' };
}

/** How far a number is from a span; 0 within it. */
function outside(at: number, from: number, to: number): number {
  return Math.max(from - at, 0, at - to);
}
