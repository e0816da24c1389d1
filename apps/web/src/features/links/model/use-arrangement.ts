import { useEffect, useMemo, useState } from 'react';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import {
  type Arrangement,
  arrangeLinks,
  LINK_ORDERS,
  type LinkOrder,
  needsWholeList,
} from './arrange-links.ts';

export interface ArrangedLinks {
  readonly links: readonly Link[];
  readonly arrangement: Arrangement;
  /** More links may belong here than are loaded: reading on has to go on by itself. */
  readonly needsWhole: boolean;
  readonly setOrder: (order: LinkOrder) => void;
  readonly setFilter: (filter: string) => void;
}

/**
 * A category's links as the person wants to see them: the order is remembered in this browser, the filter goes with the visit.
 * @param shown another choice of a link to see ends the filter: it could hide that link.
 */
export function useArrangement(loaded: readonly Link[], shown: string | undefined): ArrangedLinks {
  const [order, setOrder] = useStoredChoice<LinkOrder>('linkoteca-link-order', LINK_ORDERS);
  const [filter, setFilter] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each choice
  useEffect(() => setFilter(''), [shown]);
  const arrangement = useMemo(() => ({ order, filter }), [order, filter]);
  const links = useMemo(() => arrangeLinks(loaded, arrangement), [loaded, arrangement]);
  return { links, arrangement, needsWhole: needsWholeList(arrangement), setOrder, setFilter };
}
