/** How near to an edge scrolling begins, pixels. */
const BAND = 44;

/** Pixels a frame at the very edge; less further inside. */
const FASTEST = 14;

/**
 * Scrolls on, frame after frame, while the pointer rests near the upper or lower edge.
 * @param y of the pointer in the window. @param onScrolled other things lie under the pointer now.
 * @returns the way to stop; null when the pointer is not near an edge.
 */
export function scrollNearEdge(
  scroller: Element | null,
  y: number,
  onScrolled: () => void,
): (() => void) | null {
  const speed = scroller ? speedAt(scroller.getBoundingClientRect(), y) : 0;
  if (!scroller || speed === 0) return null;
  let frame = 0;
  const step = () => {
    const before = scroller.scrollTop;
    scroller.scrollTop += speed;
    if (scroller.scrollTop === before) return;
    onScrolled();
    frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** Pixels a frame; below zero upwards. */
function speedAt({ top, bottom }: DOMRect, y: number): number {
  const depth = (distance: number) => Math.min(1, Math.max(0, (BAND - distance) / BAND));
  const up = depth(y - top);
  const down = depth(bottom - y);
  return Math.round((down > up ? down : -up) * FASTEST);
}
