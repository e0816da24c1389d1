import { dayBegins } from '@linkoteca/domain/search-period';
import { readQuestion, type SearchFilters } from '@linkoteca/domain/search-question';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

interface Wanted {
  readonly max_results: number;
  /** From 1, which is the default. */
  readonly page?: number;
}

/**
 * The caller's links that what was typed finds, without regard to case and accents: its words in title, address and description,
 * narrowed by its operators. Nothing where it asks for nothing, as an operator does that is not whole yet.
 */
export async function findLinks(
  database: DatabaseClient,
  typed: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const { words, filters, isFiltered } = readQuestion(typed);
  if (!isFiltered && words === '') return [];
  const { data } = await (isFiltered
    ? database.rpc('search_links_by', { term: words, ...toParameters(filters), ...wanted })
    : database.rpc('search_links', { term: words, ...wanted })
  )
    .abortSignal(signal)
    .throwOnError();
  return data;
}

/** Days begin where the viewer is. What is not asked for is left out. */
function toParameters({ site, folder, category, kind, before, after, favorite }: SearchFilters) {
  return {
    ...(site === null ? {} : { site }),
    ...(folder === null ? {} : { folder }),
    ...(category === null ? {} : { category }),
    ...(kind === null ? {} : { kind }),
    ...(before === null ? {} : { saved_before: dayBegins(before).toISOString() }),
    ...(after === null ? {} : { saved_since: dayBegins(after).toISOString() }),
    ...(favorite ? { favorite } : {}),
  };
}
