import type { DragLoad } from './drag-state.ts';

/** What travels beside the pointer. It lets the pointer through, so that the place below is found. */
export function createDragGhost({ label }: DragLoad): HTMLElement {
  const ghost = document.createElement('div');
  ghost.setAttribute('aria-hidden', 'true');
  ghost.dataset['dragGhost'] = '';
  ghost.className =
    'pointer-events-none fixed top-0 left-0 z-50 max-w-64 truncate rounded border border-accent bg-surface px-3 py-1.5 ' +
    'text-sm font-medium text-ink shadow-float';
  ghost.textContent = label;
  document.body.append(ghost);
  return ghost;
}

/** Gives the browser the picture of a drag; it takes it as it is drawn now, so the element may go right after. */
export function setDragPicture(transfer: DataTransfer, load: DragLoad): void {
  const ghost = createDragGhost(load);
  ghost.style.transform = 'translateY(-200vh)';
  transfer.setDragImage(ghost, -12, -8);
  setTimeout(() => ghost.remove());
}
