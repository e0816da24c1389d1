import { type DragLoad, setDragState } from './drag-state.ts';
import { type DropTarget, findDropTarget, findZoneScroller } from './drop-zones.ts';

/** One drag from its beginning to its end, whichever pointer makes it. */
export interface DragSession {
  /** The pointer is here now. @returns true where dropping would do something. */
  readonly moveTo: (x: number, y: number, element: Element | null) => boolean;
  /** The pointer is nowhere on the page. */
  readonly leave: () => void;
  /** Drops at the last place and ends. @returns true when the place took it. */
  readonly drop: () => boolean;
  readonly cancel: () => void;
}

/** Begins a drag: from now on `useDrag` tells of it. */
export function beginDragSession(load: DragLoad): DragSession {
  let target: DropTarget | null = null;
  let accepted = false;
  let stopScrolling: (() => void) | null = null;
  setDragState({ load, over: null });

  const look = (element: Element | null, x: number, y: number) => {
    const next = findDropTarget(element, x, y);
    if (next?.key === target?.key && next?.zone === target?.zone) return;
    target = next;
    accepted = next !== null && next.key !== load.homeKey && next.zone.accepts(load, next.key);
    setDragState({ load, over: next && { key: next.key, accepted } });
  };
  const end = () => {
    stopScrolling?.();
    stopScrolling = null;
    target = null;
    setDragState(null);
  };

  return {
    moveTo: (x, y, element) => {
      look(element, x, y);
      stopScrolling?.();
      stopScrolling = scrollNearEdge(findZoneScroller(element), y, () =>
        look(document.elementFromPoint(x, y), x, y),
      );
      return accepted;
    },
    leave: () => {
      stopScrolling?.();
      look(null, 0, 0);
    },
    drop: () => {
      const taker = accepted ? target : null;
      end();
      if (taker === null) return false;
      taker.zone.onDrop(load, taker.key);
      load.onDropped?.(taker.key);
      return true;
    },
    cancel: end,
  };
}

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
