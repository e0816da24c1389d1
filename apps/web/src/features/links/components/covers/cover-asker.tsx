import { useEffect, useRef } from 'react';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import type { Link } from '../../../../shared/lib/rows.ts';
import { FullStorageError } from '../../../../shared/lib/supabase/file-storage.ts';
import { useCoverQueue } from '../../api/covers/use-cover.ts';
import { useMakeCover } from '../../api/covers/use-make-cover.ts';
import type { AfterCover } from '../../model/covers/cover-queue.ts';
import { useTellFullStorage } from './use-tell-full-storage.ts';

interface CoverAskerProps {
  readonly link: Link;
  readonly ownerId: string;
}

/** While it is there, the link waits for its turn to get a cover. Offline nobody asks, and what fails is not told: the letter stays. */
export function CoverAsker({ link, ownerId }: CoverAskerProps) {
  const online = useOnline();
  const queue = useCoverQueue();
  const { make } = useMakeCover(ownerId);
  const tellFull = useTellFullStorage();
  const ask = async (): Promise<AfterCover> => {
    try {
      const made = await make(link);
      if (made.kind === 'unavailable') throw new Error('covers are not to be had now');
      return made.kind === 'busy' ? { waitMs: made.waitMs } : 'go_on';
    } catch (error) {
      if (!(error instanceof FullStorageError)) throw error;
      tellFull(error, 'once');
      return 'stop';
    }
  };
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(
    () => (online ? queue.add(link.id, () => latest.current()) : undefined),
    [online, queue, link.id],
  );
  return null;
}
