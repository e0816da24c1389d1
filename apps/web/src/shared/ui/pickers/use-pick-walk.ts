import { useMemo, useState } from 'react';
import { narrowGroups, type OfferCreation, type PickGroup, placeKey, walkPlaces } from './pick-options.ts';

/** An option at its place in the list. */
export interface PickPlace {
  readonly id: string;
  readonly key: string;
}

interface PickWalkOptions {
  readonly groups: readonly PickGroup[];
  readonly term: string;
  /** The option that the walk starts on; the first that can be picked where it is not in the list. */
  readonly startId?: string;
  readonly offerCreation?: OfferCreation | undefined;
}

/** What of a list matches, and the place in it that the keys have come to. */
export function usePickWalk({ groups, term, startId, offerCreation }: PickWalkOptions) {
  const [walked, setWalked] = useState<string | null>(null);
  const narrowed = useMemo(() => narrowGroups(groups, term), [groups, term]);
  const creation = offerCreation?.(term) ?? null;
  const shown = creation === null ? narrowed : [...narrowed, { label: '', options: [creation] }];
  const places = listPlaces(shown);
  const start = () => Math.max(0, term === '' ? places.findIndex(({ id }) => id === startId) : 0);
  const found = places.findIndex(({ key }) => key === walked);
  const at = found === -1 ? start() : found;

  return {
    shown,
    /** Where it is; null while nothing can be picked. */
    active: places[at] ?? null,
    /** Goes to a place, or back to the start. */
    walkTo: setWalked,
    /** Follows a key; false for one that does not walk. */
    walk: (key: string): boolean => {
      const next = places.length === 0 ? null : walkPlaces(key, at, places.length);
      if (next !== null) setWalked(places[next]?.key ?? null);
      return next !== null;
    },
  };
}

/** What can be picked, from top to bottom. */
function listPlaces(groups: readonly PickGroup[]): readonly PickPlace[] {
  return groups.flatMap((group) =>
    group.options
      .filter((option) => !option.disabled)
      .map((option) => ({ id: option.id, key: placeKey(group, option) })),
  );
}
