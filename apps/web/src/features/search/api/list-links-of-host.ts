import { SEARCH } from '@linkoteca/domain/limits';
import { queryOptions } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { findLinks } from './find-links.ts';

/** The person's newest links of a site, and where each is. A failure is nothing that anybody waits for. */
export function linksOfHostQuery(database: DatabaseClient, userId: string, host: string) {
  return queryOptions({
    queryKey: ['search', userId, 'host', host],
    queryFn: ({ signal }) => findLinks(database, `site:${host}`, { max_results: SEARCH.serviceCap }, signal),
    retry: false,
  });
}
