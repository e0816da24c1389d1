import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useDatabase } from '../../../../shared/lib/supabase/backend-context.tsx';
import { type CoverQueue, createCoverQueue } from '../../model/covers/cover-queue.ts';
import { COVER_IMAGE_KEY, useCoverFiles } from './cover-files.ts';
import { type CoverOf, coverQuery, isDue } from './read-covers.ts';

const queues = new WeakMap<QueryClient, CoverQueue>();

/** The one queue of all who look with the same cache. */
export function useCoverQueue(): CoverQueue {
  const queryClient = useQueryClient();
  const queue = queues.get(queryClient) ?? createCoverQueue(COVER_LIMITS.atOnce);
  queues.set(queryClient, queue);
  return queue;
}

export interface ShownCover {
  /** An address to show; undefined while it is on its way, and where there is none. */
  readonly address: string | undefined;
  /** Whether the page is to be asked for its image. */
  readonly due: boolean;
  /** It is being asked right now. */
  readonly asking: boolean;
}

/** The cover of a link, as whoever looks may see it. */
export function useCover(of: CoverOf): ShownCover {
  const queryClient = useQueryClient();
  const files = useCoverFiles();
  const queue = useCoverQueue();
  const { data: cover } = useQuery(coverQuery(useDatabase(), queryClient, of));
  const image = useQuery({
    queryKey: [COVER_IMAGE_KEY, cover?.path, cover?.triedAt],
    queryFn: ({ signal }) => {
      if (cover === undefined) throw new TypeError('no cover is known');
      return files.read(cover, signal);
    },
    enabled: typeof cover?.path === 'string',
    // Each has a moment of its own, so what is there does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asking = useSyncExternalStore(queue.subscribe, () => queue.isRunning(of.linkId));
  return {
    address: cover?.path ? (image.data ?? undefined) : undefined,
    due: cover !== undefined && (image.data === null || isDue(cover, Date.now())),
    asking,
  };
}
