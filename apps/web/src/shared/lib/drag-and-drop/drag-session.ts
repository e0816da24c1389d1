import { scrollNearEdge } from './auto-scroll.ts';
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

  const look = (element: Element | null) => {
    const next = findDropTarget(element);
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
      look(element);
      stopScrolling?.();
      stopScrolling = scrollNearEdge(findZoneScroller(element), y, () =>
        look(document.elementFromPoint(x, y)),
      );
      return accepted;
    },
    leave: () => {
      stopScrolling?.();
      look(null);
    },
    drop: () => {
      const taker = accepted ? target : null;
      end();
      if (taker === null) return false;
      taker.zone.onDrop(load, taker.key);
      load.onDropped?.();
      return true;
    },
    cancel: end,
  };
}
