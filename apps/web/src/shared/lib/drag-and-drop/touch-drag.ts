import { createDragGhost } from './drag-ghost.ts';
import { beginDragSession, type DragSession } from './drag-session.ts';
import type { DragLoad } from './drag-state.ts';

/** How long a finger rests until it drags, milliseconds. */
const HOLD_MS = 400;

/** How far a resting finger may stray, pixels; whoever moves further scrolls. */
const SLACK = 10;

/** How far above the finger the ghost floats, pixels: below it nobody could read. */
const LIFT = 52;

/**
 * Watches one finger from its touch on: resting, it picks up what `pick` finds; moving before that, it scrolls as ever.
 * Every event is taken from the touched element, which stays the target of its finger even when the page loses it.
 */
export function watchTouch(start: TouchEvent, pick: (target: Element) => DragLoad | null): void {
  const { target } = start;
  const finger = start.touches[0];
  if (!(target instanceof HTMLElement) || !finger || start.touches.length > 1) return;
  const over = new AbortController();
  const { signal } = over;
  let drag: TouchDrag | null = null;
  const hold = setTimeout(() => pickUp(), HOLD_MS);
  const end = () => {
    clearTimeout(hold);
    over.abort();
    drag?.cancel();
  };
  const pickUp = () => {
    clearTimeout(hold);
    const load = drag ? null : pick(target);
    if (load) drag = beginTouchDrag(load, finger);
    else if (!drag) end();
  };
  const move = (event: TouchEvent) => {
    const at = event.touches[0];
    if (!at || event.touches.length > 1) return end();
    if (drag) {
      event.preventDefault();
      drag.moveTo(at);
    } else if (distance(at, finger) > SLACK) end();
  };
  const lift = (event: TouchEvent) => {
    // Else the browser makes a click of it, which opens what was dragged.
    if (drag) event.preventDefault();
    drag?.drop();
    end();
  };
  // What the browser itself would do with a resting finger: its menu, its own drag. It may come before our time is up.
  const takeOver = (event: Event) => {
    pickUp();
    if (drag) event.preventDefault();
  };

  target.addEventListener('touchmove', move, { signal, passive: false });
  target.addEventListener('touchend', lift, { signal, passive: false });
  target.addEventListener('touchcancel', end, { signal });
  window.addEventListener('contextmenu', takeOver, { signal, capture: true });
  window.addEventListener('dragstart', takeOver, { signal, capture: true });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal });
  window.addEventListener('blur', end, { signal });
}

interface TouchDrag {
  readonly moveTo: (at: Touch) => void;
  readonly drop: () => void;
  readonly cancel: () => void;
}

function beginTouchDrag(load: DragLoad, from: Touch): TouchDrag {
  const session: DragSession = beginDragSession(load);
  const ghost = createDragGhost(load);
  const place = ({ clientX, clientY }: Touch) => {
    const x = Math.max(
      8,
      Math.min(clientX - ghost.offsetWidth / 2, window.innerWidth - ghost.offsetWidth - 8),
    );
    ghost.style.transform = `translate(${x}px, ${Math.max(8, clientY - LIFT)}px)`;
  };
  place(from);
  navigator.vibrate?.(10);
  let moved = false;
  return {
    moveTo: (at) => {
      place(at);
      // A finger that only rests must not drop on what has appeared below it.
      moved ||= distance(at, from) > SLACK;
      if (moved) session.moveTo(at.clientX, at.clientY, document.elementFromPoint(at.clientX, at.clientY));
    },
    drop: () => session.drop(),
    cancel: () => {
      ghost.remove();
      session.cancel();
    },
  };
}

function distance(a: Touch, b: Touch): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
