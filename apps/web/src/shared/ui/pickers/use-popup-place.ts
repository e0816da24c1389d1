import { type RefObject, useLayoutEffect } from 'react';

/** Between the field and its list, and between the list and the edge of what is seen. Pixels. */
const GAP = 4;
/** What a list may take at most, and what it needs to be of use. Pixels. */
const MOST = 320;
const LEAST = 180;

/**
 * Puts a list over everything else, dialogs too, below its field or, where there is more room, above it, inside what the
 * keyboard of a phone leaves to be seen. Where neither side has room, the field is scrolled up first.
 * @param popup is fixed, and stands there while it is mounted.
 */
export function usePopupPlace(
  field: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const [anchor, list] = [field.current, popup.current];
    if (anchor === null || list === null) return undefined;
    if ('showPopover' in list) {
      list.popover = 'manual';
      list.showPopover();
    }
    const place = () => Object.assign(list.style, placeBeside(anchor.getBoundingClientRect(), readSight()));
    if (roomOf(anchor) < LEAST) anchor.scrollIntoView?.({ block: 'start' });
    place();
    const stop = new AbortController();
    const { signal } = stop;
    // Captured: it is the dialog that scrolls, and scrolling does not bubble.
    addEventListener('scroll', place, { capture: true, passive: true, signal });
    addEventListener('resize', place, { signal });
    window.visualViewport?.addEventListener('resize', place, { signal });
    window.visualViewport?.addEventListener('scroll', place, { signal });
    return () => stop.abort();
  }, [field, popup]);
}

interface Sight {
  readonly top: number;
  readonly bottom: number;
}

/** What of the window is seen: not what a keyboard covers. */
function readSight(): Sight {
  const seen = window.visualViewport;
  if (!seen) return { top: 0, bottom: window.innerHeight };
  return { top: seen.offsetTop, bottom: seen.offsetTop + seen.height };
}

function roomOf(anchor: HTMLElement): number {
  const { top, bottom } = anchor.getBoundingClientRect();
  const sight = readSight();
  return Math.max(sight.bottom - bottom, top - sight.top) - 2 * GAP;
}

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'width'>;

/** Where a list stands beside its field, as CSS. */
export function placeBeside({ top, bottom, left, width }: Box, sight: Sight) {
  const below = sight.bottom - bottom - 2 * GAP;
  const above = top - sight.top - 2 * GAP;
  const up = below < LEAST && above > below;
  const room = Math.max(0, Math.min(MOST, up ? above : below));
  return {
    left: `${left}px`,
    width: `${width}px`,
    maxHeight: `${room}px`,
    top: up ? 'auto' : `${bottom + GAP}px`,
    // From the bottom of the window, whatever the keyboard covers of it.
    bottom: up ? `calc(100% - ${top - GAP}px)` : 'auto',
  };
}
