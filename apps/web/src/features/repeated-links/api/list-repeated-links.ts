import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type RepeatedGroup, type RepeatedPage, readPage } from '../model/repeated-groups.ts';

/** Addresses on a page. */
export const REPEATED_PAGE_SIZE = 20;

type Start = Pick<RepeatedGroup, 'newest' | 'address'> | null;

async function listRepeatedLinks(
  database: DatabaseClient,
  start: Start,
  signal: AbortSignal,
): Promise<RepeatedPage> {
  const { data } = await database
    .rpc('list_repeated_links', {
      max_addresses: REPEATED_PAGE_SIZE,
      ...(start === null ? {} : { before: start.newest, before_address: start.address }),
    })
    .abortSignal(signal)
    .throwOnError();
  return readPage(data);
}

/** How repeated links are read, those of the newest first: what is done elsewhere is not told, so they are never taken for fresh. */
export function repeatedLinksQuery(database: DatabaseClient, userId: string) {
  return infiniteQueryOptions({
    queryKey: ['repeated-links', userId],
    queryFn: ({ pageParam, signal }) => listRepeatedLinks(database, pageParam, signal),
    initialPageParam: null as Start,
    getNextPageParam: ({ groups }: RepeatedPage): Start | undefined =>
      groups.length < REPEATED_PAGE_SIZE ? undefined : groups.at(-1),
    staleTime: 0,
  });
}

/** The person's links whose address another of their links has, page after page. */
export function useRepeatedLinks() {
  return useInfiniteQuery(repeatedLinksQuery(useDatabase(), useUserId()));
}
