import { foldText } from '@linkoteca/domain/fold-text';
import type { ReactNode } from 'react';

export interface PickOption {
  readonly id: string;
  readonly name: string;
  /** Stands behind the name: where it is, or why it cannot be picked. */
  readonly detail?: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
}

export interface PickGroup {
  /** Empty for a list without headings. No two groups have the same. */
  readonly label: string;
  readonly options: readonly PickOption[];
  /** A shortcut to options that stand in another group as well: left out while someone searches. */
  readonly shortcut?: boolean;
}

/** One more option for what is typed, after all others: 'Criar "x"'. Null where there is nothing to offer. */
export type OfferCreation = (term: string) => PickOption | null;

/** The same option may stand in two groups; each place has a key of its own. */
export function placeKey(group: PickGroup, option: PickOption): string {
  return group.shortcut ? `shortcut-${option.id}` : option.id;
}

/** The groups with the options whose 'group / name' holds every word; case and accents do not count, nor do slashes. */
export function narrowGroups(groups: readonly PickGroup[], term: string): readonly PickGroup[] {
  const words = foldText(term)
    .split(/[\s/]+/)
    .filter(Boolean);
  return groups.flatMap((group) => {
    if (words.length > 0 && group.shortcut) return [];
    const options = group.options.filter(({ name }) => {
      const text = foldText(`${group.label} ${name}`);
      return words.every((word) => text.includes(word));
    });
    return options.length === 0 ? [] : [{ ...group, options }];
  });
}

/** Where a key leads from one of `count` places; null for a key that does not walk. Past either end the list goes round. */
export function walkPlaces(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'PageDown':
      return Math.min(count - 1, at + PAGE);
    case 'PageUp':
      return Math.max(0, at - PAGE);
    default:
      return null;
  }
}

const PAGE = 8;
