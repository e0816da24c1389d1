import type { Link } from '@linkoteca/domain/entities';

type Ids = ReadonlySet<string>;

/** Which links are picked. */
export interface LinkPicks {
  readonly ids: Ids;
  /** Where a range would start, and what was picked before it; null when nothing was touched yet. */
  readonly anchor: { readonly id: string; readonly before: Ids } | null;
}

export const NOTHING_PICKED: LinkPicks = { ids: new Set(), anchor: null };

/** Adds or removes one link. */
export function toggleLink({ ids }: LinkPicks, id: string): LinkPicks {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: { id, before: next } };
}

/**
 * Gives every link between the one touched last and this one the state of the former. Reaching back makes the range
 * smaller again.
 * @param startId where the range starts when none was touched yet.
 */
export function extendTo(
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
export function pickAll(links: readonly Link[]): LinkPicks {
  const ids = everyIdOf.get(links) ?? new Set(links.map((link) => link.id));
  everyIdOf.set(links, ids);
  return { ids, anchor: null };
}

/** What is picked of the displayed links: one that leaves the list leaves the selection. */
export function keepShown(ids: Ids, links: readonly Link[]): Ids {
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
