import type { Link } from '@linkoteca/domain/entities';
import { useCallback, useRef, useState } from 'react';

export interface LinkSelection {
  readonly active: boolean;
  readonly ids: ReadonlySet<string>;
  readonly start: () => void;
  /** Leaves selection mode, which clears the selection. */
  readonly leave: () => void;
  /** Adds or removes one link; with `range`, everything from the one toggled before takes its new state. */
  readonly toggle: (id: string, range: boolean) => void;
  /** Picks every displayed link, or none when all are picked. */
  readonly toggleAll: () => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Selection mode of a list of links. Links that leave the list leave the selection. */
export function useLinkSelection(links: readonly Link[]): LinkSelection {
  const [active, setActive] = useState(false);
  const [picked, setPicked] = useState(NOTHING);
  const lastId = useRef<string | null>(null);
  const shown = useRef(links);
  shown.current = links;

  const ids = active && picked.size > 0 ? keepShown(picked, links) : NOTHING;

  // Stable, so that ten thousand memoised rows do not render again with each press.
  const toggle = useCallback((id: string, range: boolean) => {
    const from = range ? lastId.current : null;
    lastId.current = id;
    setPicked((before) => {
      const next = new Set(before);
      const on = !before.has(id);
      for (const each of spanOf(shown.current, from ?? id, id)) {
        if (on) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  }, []);

  return {
    active,
    ids,
    start: () => setActive(true),
    leave: () => {
      setActive(false);
      setPicked(NOTHING);
      lastId.current = null;
    },
    toggle,
    toggleAll: () => setPicked(ids.size === links.length ? NOTHING : new Set(links.map((link) => link.id))),
  };
}

function keepShown(picked: ReadonlySet<string>, links: readonly Link[]): ReadonlySet<string> {
  return new Set(links.flatMap((link) => (picked.has(link.id) ? [link.id] : [])));
}

/** The ids from one link to another, both included, in whichever order they stand. */
function spanOf(links: readonly Link[], fromId: string, toId: string): readonly string[] {
  const from = links.findIndex((link) => link.id === fromId);
  const to = links.findIndex((link) => link.id === toId);
  if (from === -1 || to === -1) return [toId];
  return links.slice(Math.min(from, to), Math.max(from, to) + 1).map((link) => link.id);
}
