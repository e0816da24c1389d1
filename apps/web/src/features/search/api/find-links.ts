import { readQuestion } from '@linkoteca/domain/search-question';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** Few searches have operators: what compares and carries them is no part of the first download. */
export const loadFilters = () => import('@linkoteca/domain/search-filters');

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
  // What others share is found by findReceivedLinks.
  if ((!isFiltered && words === '') || filters.owner !== null) return [];
  const operators = isFiltered ? await loadFilters() : null;
  const { data } = await (operators
    ? database.rpc('search_links_by', { term: words, ...operators.toParameters(filters), ...wanted })
    : database.rpc('search_links', { term: words, ...wanted })
  )
    .abortSignal(signal)
    .throwOnError();
  return data;
}
