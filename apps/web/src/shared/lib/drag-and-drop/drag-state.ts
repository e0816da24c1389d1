import { useSyncExternalStore } from 'react';

/** What is being dragged. */
export interface DragLoad {
  /** What sort of thing; drop zones decide by it. */
  readonly kind: string;
  readonly ids: readonly string[];
  /** Stands beside the pointer: '3 links'. */
  readonly label: string;
  /** The drop key of the place where it already is. */
  readonly homeKey: string;
  /** Addresses that other windows and programs receive. */
  readonly urls?: readonly string[];
  /** Called after it was dropped in a place that takes it, with the key of that. */
  readonly onDropped?: (key: string) => void;
}

/** The place under the pointer. */
interface DragPlace {
  readonly key: string;
  /** False where dropping does nothing. */
  readonly accepted: boolean;
}

export interface DragState {
  readonly load: DragLoad;
  readonly over: DragPlace | null;
}

let state: DragState | null = null;
const listeners = new Set<() => void>();

/** Replaces what is known of the drag under way; null when there is none. A page has one pointer, so it has one drag. */
export function setDragState(next: DragState | null): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const read = () => state;

/** The drag under way, for whoever shows where things may go. Null most of the time. */
export function useDrag(): DragState | null {
  return useSyncExternalStore(subscribe, read, read);
}
