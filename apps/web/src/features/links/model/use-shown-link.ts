import { useEffect, useRef } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';
import type { FocusedLink } from './use-focused-link.ts';

/** A link that someone chose elsewhere, to be found here. */
export interface ShownLink {
  readonly id: string;
  /** Another one for each choice, so that the same link can be chosen again. */
  readonly choice: string;
}

interface LoadedLinks {
  readonly links: readonly Link[];
  /** Reads on; null when there is no more, or reading failed. */
  readonly loadMore: (() => void) | null;
}

/** How long the ring around the link fades, milliseconds. */
const RING_MS = 1600;

/** Brings a chosen link into view and under the keyboard, once, however far down the category it is. */
export function useShownLink(shown: ShownLink | null, focused: FocusedLink, loaded: LoadedLinks): void {
  const done = useRef<string | null>(null);
  useEffect(() => {
    if (shown === null || shown.choice === done.current) return;
    const index = loaded.links.findIndex((link) => link.id === shown.id);
    if (index === -1) {
      loaded.loadMore?.();
      return;
    }
    done.current = shown.choice;
    // The list is measured at the end of the frame that mounts it: its lines have their place in the one after.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        focused.goTo(index);
        ring(focused.element()?.closest('[data-link-id]'));
      }),
    );
  });
}

/** Focus alone shows no ring after a press with the mouse. */
function ring(item: Element | null | undefined): void {
  item?.animate?.(
    {
      boxShadow: ['inset 0 0 0 2px var(--accent)', 'inset 0 0 0 2px transparent'],
      borderRadius: ['var(--radius-lg)', 'var(--radius-lg)'],
      zIndex: ['1', '1'],
    },
    { duration: RING_MS, easing: 'ease-in' },
  );
}
