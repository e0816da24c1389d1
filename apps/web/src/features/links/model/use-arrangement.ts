import { useEffect, useMemo, useState } from 'react';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { type Arrangement, LINK_ORDERS, type LinkOrder } from './arrange-links.ts';
import type { OwnOrder } from './ordering/own-order.ts';

interface ArrangementChoice {
  readonly arrangement: Arrangement;
  readonly setOrder: (order: LinkOrder) => void;
  readonly setFilter: (filter: string) => void;
}

/**
 * How the person wants to see a category's links. An order of its own goes with the category; another is remembered in this browser, and
 * the filter goes with the visit. Who reads someone else's category may look at it in another order, as long as it is open.
 * @param shown another choice of a link to see ends the filter: it could hide that link.
 */
export function useArrangement(own: OwnOrder, shown: string | undefined): ArrangementChoice {
  const [stored, setStored] = useStoredChoice<(typeof LINK_ORDERS)[number]>(
    'linkoteca-link-order',
    LINK_ORDERS,
  );
  const [aside, setAside] = useState(false);
  const [filter, setFilter] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each choice
  useEffect(() => setFilter(''), [shown]);
  const order: LinkOrder = own.on && !aside ? 'manual' : stored;
  const arrangement = useMemo(() => ({ order, filter }), [order, filter]);
  const setOrder = (next: LinkOrder) => {
    if (next !== 'manual') setStored(next);
    if (own.set === null) setAside(next !== 'manual');
    else if (own.on !== (next === 'manual')) own.set(next === 'manual');
  };
  return { arrangement, setOrder, setFilter };
}
