import { useEffect, useMemo } from 'react';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { useCoverQueue } from '../../api/covers/use-cover.ts';
import { planCovers } from '../../model/covers/plan-covers.ts';
import { VirtualLinks, type VirtualLinksProps } from '../virtual-links.tsx';
import { CoverCard } from './cover-card.tsx';
import { CoverSourceContext } from './cover-source.ts';

interface CoverLinksProps extends Omit<VirtualLinksProps, 'view' | 'Item' | 'plan'> {
  readonly categoryId: string;
  /** The viewer, where the links are their own; null for who looks at somebody else's. */
  readonly ownerId: string | null;
}

/** The list of links as covers. Those that are missing are fetched while it is open, a few at a time, and nobody waits for them. */
export function CoverLinks({ categoryId, ownerId, ...list }: CoverLinksProps) {
  const source = useMemo(() => ({ categoryId, ownerId }), [categoryId, ownerId]);
  const online = useOnline();
  const queue = useCoverQueue();
  useEffect(() => {
    if (online) queue.resume();
  }, [online, queue]);
  return (
    <CoverSourceContext value={source}>
      <VirtualLinks {...list} view="covers" Item={CoverCard} plan={planCovers} />
    </CoverSourceContext>
  );
}
