import type { PlacePoint } from '../../model/ordering/plan-placing.ts';

/**
 * Beside which link of a list a point is, and on which side: above or below its middle where links are stacked, else left or right of it.
 * @param x of the window. @param y of the window.
 */
export function findPlacePoint(container: Element | null, x: number, y: number): PlacePoint | null {
  let nearest: { readonly id: string; readonly box: DOMRect; readonly distance: number } | null = null;
  for (const item of container?.querySelectorAll<HTMLElement>('[data-link-id]') ?? []) {
    const box = item.getBoundingClientRect();
    // The line first: behind the last card is beside it, however near one of the line above is.
    const distance = outside(y, box.top, box.bottom) * 10_000 + outside(x, box.left, box.right);
    if (nearest === null || distance < nearest.distance)
      nearest = { id: item.dataset['linkId'] ?? '', box, distance };
  }
  if (container === null || nearest === null) return null;
  const { id, box } = nearest;
  const before = isStacked(container, box) ? y < box.top + box.height / 2 : x < box.left + box.width / 2;
  return { id, side: before ? 'before' : 'after' };
}

/** Whether each link has a line of its own: in a list, and among cards where the window holds one beside the other no more. */
export function isStacked(container: Element, item: DOMRect): boolean {
  return item.width > container.getBoundingClientRect().width / 2;
}

/** How far a number is from a span; 0 within it. */
function outside(at: number, from: number, to: number): number {
  return Math.max(from - at, 0, at - to);
}
