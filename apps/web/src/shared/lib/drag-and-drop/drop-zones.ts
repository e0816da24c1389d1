import type { DragLoad } from './drag-state.ts';

/** A part of the page that holds places to drop on: elements with `data-drop-key`. */
export interface DropZone {
  readonly accepts: (load: DragLoad, key: string) => boolean;
  readonly onDrop: (load: DragLoad, key: string) => void;
  /** The key of a place that is no element: between two, say. Null where there is none. Window coordinates. */
  readonly locate?: (x: number, y: number) => string | null;
}

/** A place to drop on and the zone that decides about it. */
export interface DropTarget {
  readonly key: string;
  readonly zone: DropZone;
}

const zones = new Map<Element, DropZone>();

/** Opens a zone; returns the way to close it. */
export function openDropZone(element: Element, zone: DropZone): () => void {
  zones.set(element, zone);
  return () => zones.delete(element);
}

/** The place that an element belongs to, or that a zone finds at a point; null outside of every zone. */
export function findDropTarget(element: Element | null, x: number, y: number): DropTarget | null {
  const place = element?.closest<HTMLElement>('[data-drop-key]');
  const key = place?.dataset['dropKey'];
  for (const [container, zone] of zones) {
    if (place && key !== undefined && container.contains(place)) return { key, zone };
    const found = container.contains(element) ? zone.locate?.(x, y) : null;
    if (found != null) return { key: found, zone };
  }
  return null;
}

/** The scrolled part of the page that holds a zone and the given element; null when nothing there scrolls. */
export function findZoneScroller(element: Element | null): Element | null {
  for (const container of zones.keys()) {
    const scroller = closestScroller(container);
    if (scroller?.contains(element)) return scroller;
  }
  return null;
}

function closestScroller(from: Element): Element | null {
  for (let element: Element | null = from; element; element = element.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY);
    if (scrolls && element.scrollHeight > element.clientHeight) return element;
  }
  return null;
}
