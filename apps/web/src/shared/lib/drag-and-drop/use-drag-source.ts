import { type RefObject, useEffect, useRef } from 'react';
import type { DragLoad } from './drag-state.ts';
import { joinMouseDrag } from './mouse-drag.ts';
import { watchTouch } from './touch-drag.ts';

/**
 * Lets things be dragged out of a container, by mouse and by a resting finger. It listens once for all that is inside,
 * so that a list of thousands pays nothing per row.
 * @param pick finds what the touched element stands for; null for what is not to be dragged. Null turns dragging off.
 */
export function useDragSource(
  container: RefObject<HTMLElement | null>,
  pick: ((target: Element) => DragLoad | null) | null,
): void {
  const latest = useRef(pick);
  useEffect(() => {
    latest.current = pick;
  });
  const enabled = pick !== null;
  useEffect(() => {
    const element = container.current;
    return element && enabled ? listen(element, (target) => latest.current?.(target) ?? null) : undefined;
  }, [container, enabled]);
}

function listen(element: HTMLElement, pick: (target: Element) => DragLoad | null): () => void {
  const over = new AbortController();
  const { signal } = over;
  const startMouse = (event: DragEvent) => {
    const load = event.target instanceof Element && !event.defaultPrevented ? pick(event.target) : null;
    if (load) joinMouseDrag(event, load);
  };
  element.addEventListener('dragstart', startMouse, { signal });
  element.addEventListener('touchstart', (event) => watchTouch(event, pick), { signal, passive: true });
  // Only a listener that was there before the touch, and may refuse, lets a finger later drag instead of scroll.
  element.addEventListener('touchmove', () => undefined, { signal, passive: false });
  return () => over.abort();
}
