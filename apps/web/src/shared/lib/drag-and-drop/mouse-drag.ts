import { setDragPicture } from './drag-ghost.ts';
import { beginDragSession, type DragSession } from './drag-session.ts';
import type { DragLoad } from './drag-state.ts';

/**
 * Joins the drag that the browser itself has begun: the addresses still reach its tabs and other programs, and on this
 * page the drop zones answer.
 */
export function joinMouseDrag(start: DragEvent, load: DragLoad): void {
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
