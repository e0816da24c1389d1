import { type RefObject, useEffect, useRef } from 'react';
import { setDragPicture } from './drag-ghost.ts';
import { beginDragSession, type DragSession } from './drag-session.ts';
import type { DragLoad } from './drag-state.ts';
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

/**
 * Joins the drag that the browser itself has begun: the addresses still reach its tabs and other programs, and on this
 * page the drop zones answer.
 */
function joinMouseDrag(start: DragEvent, load: DragLoad): void {
  const transfer = start.dataTransfer;
  if (transfer === null) return;
  describeTransfer(transfer, load);

  let session: DragSession | null = null;
  // Chromium gives a drag up when the page changes within its first event.
  const begin = setTimeout(() => {
    session = beginDragSession(load);
  });
  const over = new AbortController();
  const { signal } = over;
  const end = () => {
    clearTimeout(begin);
    over.abort();
    session?.cancel();
  };

  const follow = (event: DragEvent) => {
    if (session === null) return;
    if (isTextField(event.target)) return session.leave();
    const takes = session.moveTo(event.clientX, event.clientY, asElement(event.target));
    // Taken also where nothing may be dropped: Firefox would open the address in place of the page.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = takes ? 'move' : 'none';
  };
  const drop = (event: DragEvent) => {
    if (!isTextField(event.target)) {
      event.preventDefault();
      session?.drop();
    }
    end();
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) session?.leave();
  };

  document.addEventListener('dragenter', follow, { signal });
  document.addEventListener('dragover', follow, { signal });
  document.addEventListener('dragleave', leave, { signal });
  document.addEventListener('drop', drop, { signal });
  // The dragged element may be gone by now, and then its end does not rise to the window.
  start.target?.addEventListener('dragend', end, { signal });
  window.addEventListener('dragend', end, { signal });
  // A free pointer moves only when no drag is under way any more.
  window.addEventListener('pointermove', (event) => event.buttons === 0 && end(), { signal });
}

function describeTransfer(transfer: DataTransfer, load: DragLoad): void {
  if (load.urls) {
    transfer.setData('text/uri-list', load.urls.join('\r\n'));
    transfer.setData('text/plain', load.urls.join('\n'));
  }
  transfer.effectAllowed = 'all';
  setDragPicture(transfer, load);
}

function isTextField(target: EventTarget | null): boolean {
  return asElement(target)?.closest('input,textarea') != null;
}

function asElement(target: EventTarget | null): Element | null {
  return target instanceof Element ? target : null;
}
