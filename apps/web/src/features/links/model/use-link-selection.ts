import { useMemo, useRef, useState } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';

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

type Ids = ReadonlySet<string>;

/** Which links are picked. */
interface LinkPicks {
  readonly ids: Ids;
  /** Where a range would start, and what was picked before it; null when nothing was touched yet. */
  readonly anchor: { readonly id: string; readonly before: Ids } | null;
}

const NOTHING_PICKED: LinkPicks = { ids: new Set(), anchor: null };

/** Adds or removes one link. */
function toggleLink({ ids }: LinkPicks, id: string): LinkPicks {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: { id, before: next } };
}

/**
 * Gives every link between the one touched last and this one the state of the former. Reaching back makes the range
 * smaller again.
 * @param startId where the range starts when none was touched yet.
 */
function extendTo(
  { ids, anchor }: LinkPicks,
  links: readonly Link[],
  startId: string,
  id: string,
): LinkPicks {
  const from = anchor ?? { id: startId, before: new Set([...ids, startId]) };
  const picks = from.before.has(from.id);
  const next = new Set(from.before);
  for (const each of spanOf(links, from.id, id)) {
    if (picks) next.add(each);
    else next.delete(each);
  }
  return { ids: next, anchor: from };
}

// Of ten thousand links the set is made once, and known to be exactly what is displayed.
const everyIdOf = new WeakMap<readonly Link[], Ids>();

/** Picks every displayed link. */
function pickAll(links: readonly Link[]): LinkPicks {
  const ids = everyIdOf.get(links) ?? new Set(links.map((link) => link.id));
  everyIdOf.set(links, ids);
  return { ids, anchor: null };
}

/** What is picked of the displayed links: one that leaves the list leaves the selection. */
function keepShown(ids: Ids, links: readonly Link[]): Ids {
  if (ids.size === 0 || ids === everyIdOf.get(links)) return ids;
  const shown = new Set<string>();
  for (const { id } of links) if (ids.has(id)) shown.add(id);
  return shown.size === ids.size ? ids : shown;
}

/** The ids from one link to another, both included, in whichever order they stand. */
function spanOf(links: readonly Link[], fromId: string, toId: string): readonly string[] {
  const from = links.findIndex((link) => link.id === fromId);
  const to = links.findIndex((link) => link.id === toId);
  if (from === -1 || to === -1) return [toId];
  return links.slice(Math.min(from, to), Math.max(from, to) + 1).map((link) => link.id);
}
