import type { Link } from '@linkoteca/domain/entities';
import { useMemo, useRef, useState } from 'react';
import {
  extendTo,
  keepShown,
  type LinkPicks,
  NOTHING_PICKED,
  pickAll,
  toggleLink,
} from './link-selection.ts';

export interface LinkSelection {
  readonly active: boolean;
  readonly ids: ReadonlySet<string>;
  readonly start: () => void;
  /** Leaves selection mode, which clears the selection. */
  readonly leave: () => void;
  /** Adds or removes one link; starts selection mode if it is not on. */
  readonly toggle: (id: string) => void;
  /** Picks from the link touched last, or from `startId` when none was, to this one; starts selection mode. */
  readonly extend: (startId: string, id: string) => void;
  /** Picks every displayed link; starts selection mode. */
  readonly pickAll: () => void;
  /** Picks every displayed link, or none when all are picked. */
  readonly toggleAll: () => void;
}

/** Selection mode of a list of links. */
export function useLinkSelection(links: readonly Link[]): LinkSelection {
  const [active, setActive] = useState(false);
  const [picks, setPicks] = useState(NOTHING_PICKED);
  const shown = useRef(links);
  shown.current = links;
  const ids = useMemo(() => keepShown(picks.ids, links), [picks, links]);

  return useMemo(() => {
    const pick = (change: (before: LinkPicks) => LinkPicks) => {
      setActive(true);
      setPicks(change);
    };
    return {
      active,
      ids,
      start: () => setActive(true),
      leave: () => {
        setActive(false);
        setPicks(NOTHING_PICKED);
      },
      toggle: (id) => pick((before) => toggleLink(before, id)),
      extend: (startId, id) => pick((before) => extendTo(before, shown.current, startId, id)),
      pickAll: () => pick(() => pickAll(shown.current)),
      toggleAll: () =>
        pick(() => (ids.size === shown.current.length ? NOTHING_PICKED : pickAll(shown.current))),
    };
  }, [active, ids]);
}
