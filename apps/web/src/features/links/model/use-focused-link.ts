import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Link } from '../../../shared/lib/rows.ts';

/** The one link of a list that Tab reaches, and the keyboard's place among ten thousand. */
export interface FocusedLink {
  readonly list: RefObject<HTMLUListElement | null>;
  /** The place of the keyboard; 0 before it was ever here. */
  readonly index: number;
  /** True once a link had focus or was pressed. */
  readonly known: boolean;
  /** Focus has come to this link by itself. */
  readonly note: (id: string) => void;
  /** Brings focus and view to a link, whether it is drawn or not. */
  readonly goTo: (index: number) => void;
  /** Puts focus back without moving the page. */
  readonly restore: () => void;
  /** Moves the place off links that are about to go: to the nearest one after, else before. */
  readonly stepAside: (goingIds: ReadonlySet<string>) => void;
  /** As stepAside, and focus goes along if these links or what `act` takes off the screen would lose it. */
  readonly handOver: (goingIds: ReadonlySet<string>, act: () => void) => void;
  /** The link's element; null while there is no link, or none but these that are about to go. */
  readonly element: (goingIds?: ReadonlySet<string>) => HTMLElement | null;
}

interface Place {
  readonly id: string;
  readonly index: number;
}

/** Keeps the keyboard's place by the link's id, so that links coming and going around it do not move it. */
export function useFocusedLink(links: readonly Link[]): FocusedLink {
  const list = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const index = locate(links, place);
  const latest = useRef({ links, index });
  latest.current = { links, index };

  const put = (next: number) => {
    const link = latest.current.links[next];
    setPlace(link ? { id: link.id, index: next } : null);
  };
  const element = (goingIds?: ReadonlySet<string>) =>
    goingIds && latest.current.links.every((link) => goingIds.has(link.id))
      ? null
      : (findItem(list.current, latest.current)?.querySelector<HTMLElement>('a') ?? null);
  const stepAside = (goingIds: ReadonlySet<string>) => {
    const stays = (link: Link) => !goingIds.has(link.id);
    const { links: all, index: at } = latest.current;
    const after = all.findIndex((link, each) => each >= at && stays(link));
    put(after === -1 ? all.findLastIndex((link, each) => each < at && stays(link)) : after);
  };
  return {
    list,
    index,
    known: place !== null,
    note: (id) => {
      const at = latest.current.links.findIndex((link) => link.id === id);
      if (at !== -1 && id !== place?.id) put(at);
    },
    goTo: (next) => {
      // The list draws the line of its tab stop wherever that is: after this the element exists.
      flushSync(() => put(next));
      element()?.focus({ preventScroll: true });
      findItem(list.current, latest.current)?.scrollIntoView({ block: 'nearest' });
    },
    restore: () => element()?.focus({ preventScroll: true }),
    stepAside,
    handOver: (goingIds, act) => {
      const held = document.activeElement;
      const page = list.current?.closest<HTMLElement>('#page');
      const inside = list.current?.contains(held) ?? false;
      flushSync(() => {
        stepAside(goingIds);
        act();
      });
      if (!inside && held?.isConnected) return;
      (element(goingIds) ?? page)?.focus({ preventScroll: true });
    },
    element,
  };
}

function locate(links: readonly Link[], place: Place | null): number {
  if (place === null) return 0;
  if (links[place.index]?.id === place.id) return place.index;
  const found = links.findIndex((link) => link.id === place.id);
  return found === -1 ? Math.max(0, Math.min(place.index, links.length - 1)) : found;
}

function findItem(
  list: HTMLUListElement | null,
  { links, index }: { readonly links: readonly Link[]; readonly index: number },
): HTMLElement | null {
  const id = links[index]?.id;
  const items = list?.querySelectorAll<HTMLElement>('[data-link-id]') ?? [];
  return [...items].find((item) => item.dataset['linkId'] === id) ?? null;
}
