import { samePageKey } from '@linkoteca/domain/same-address';
import { createId } from '../../../../shared/lib/writes/create-id.ts';
import type { LinkPlace, LinkPlaces } from '../link-places.ts';
import type { PastedLink } from './pasted-links.ts';

/** One line of a pasted list. */
export interface PastedEntry {
  /** The id the link gets when it is saved: a second attempt cannot save it twice. */
  readonly id: string;
  readonly link: PastedLink;
  /** The same address stands further up. */
  readonly repeated: boolean;
}

/** Gives each line what it needs to be chosen and saved. */
export function listEntries(links: readonly PastedLink[]): readonly PastedEntry[] {
  const seen = new Set<string>();
  return links.map((link) => {
    const key = link.kind === 'link' ? samePageKey(link.url) : null;
    const repeated = key !== null && seen.has(key);
    if (key !== null) seen.add(key);
    return { id: createId(), link, repeated };
  });
}

/** Where the address of a line is already. */
export function placesOf(entry: PastedEntry, places: LinkPlaces): readonly LinkPlace[] {
  if (entry.link.kind !== 'link') return [];
  return places.get(samePageKey(entry.link.url)) ?? [];
}

interface Suggestion {
  readonly entries: readonly PastedEntry[];
  readonly places: LinkPlaces;
  /** Links the plan has room for; null is unlimited. */
  readonly remaining: number | null;
}

/**
 * The ids of the lines that are chosen until the person decides otherwise, all that are new, as many as fit, from the top;
 * and how many do not fit.
 */
export function suggestEntries({ entries, places, remaining }: Suggestion) {
  const fresh = entries.filter(
    (entry) => entry.link.kind === 'link' && !entry.repeated && placesOf(entry, places).length === 0,
  );
  const ids: ReadonlySet<string> = new Set(fresh.slice(0, remaining ?? fresh.length).map(({ id }) => id));
  return { ids, leftOut: fresh.length - ids.size };
}
