import { SEARCH } from '@linkoteca/domain/limits';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { columnsOfTaggedLinks, type FoundLink, type Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { findLinks } from './find-links.ts';

interface FoundLinksRequest {
  readonly userId: string;
  /** Without blanks around it; '' stands for all links. */
  readonly term: string;
  /** From 1. */
  readonly page: number;
}

/** A page, and whether the search filled it: then another may follow. */
interface FoundPage {
  readonly links: readonly FoundLink[];
  readonly isFull: boolean;
}

type NamedLink = Link & { readonly categories: { readonly name: string } };

/** One page of the caller's links that contain the term, newest first; of all links when there is no term. */
async function listFoundLinks(
  database: DatabaseClient,
  { userId, term, page }: FoundLinksRequest,
  signal: AbortSignal,
): Promise<FoundPage> {
  const size = SEARCH.serviceCap;
  const links = database
    .from('links')
    .select<string, NamedLink>(`${columnsOfTaggedLinks()},categories(name)`);
  if (term === '') {
    const { data } = await links
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range((page - 1) * size, page * size - 1)
      .abortSignal(signal)
      .throwOnError();
    return { links: data.map(withCategoryName), isFull: data.length === size };
  }
  const found = await findLinks(database, term, { max_results: size, page }, signal);
  if (found.length === 0) return { links: [], isFull: false };
  // What was found is what a list shows; who changes a link needs its whole row. One that went in between is left out.
  const ids = found.map(({ id }) => id);
  const { data } = await links.in('id', ids).abortSignal(signal).throwOnError();
  const rows = new Map(data.map((row) => [row.id, withCategoryName(row)]));
  return { links: ids.flatMap((id) => rows.get(id) ?? []), isFull: found.length === size };
}

function withCategoryName({ categories, ...link }: NamedLink): FoundLink {
  return { ...link, category_name: categories.name };
}

const pagesKey = (userId: string) => ['search', userId, 'page'] as const;

function foundLinksQuery(database: DatabaseClient, request: FoundLinksRequest) {
  const { userId, term, page } = request;
  return queryOptions({
    queryKey: [...pagesKey(userId), term, page],
    queryFn: ({ signal }) => listFoundLinks(database, request, signal),
    // Shown at once when someone comes back, and asked again: links come and go elsewhere.
    staleTime: 0,
  });
}

/** A page of results, and whether another follows; that one is fetched ahead, so that it opens at once. */
export function useFoundLinks(term: string, page: number) {
  const database = useDatabase();
  const request = { userId: useUserId(), term, page };
  const query = useQuery(foundLinksQuery(database, request));
  const isFull = query.data?.isFull === true;
  const next = useQuery({
    ...foundLinksQuery(database, { ...request, page: page + 1 }),
    enabled: isFull,
    staleTime: 60_000,
  });
  return { query, hasNext: isFull && next.data?.links.length !== 0 };
}

/** Keeps the results true after writes anywhere: those on the screen are asked for again, those that wait are forgotten. */
export function useRenewFoundLinks(): void {
  const queryClient = useQueryClient();
  const userId = useUserId();
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        const queryKey = pagesKey(userId);
        queryClient.removeQueries({ queryKey, type: 'inactive' });
        void queryClient.invalidateQueries({ queryKey });
      }),
    [queryClient, userId],
  );
}
