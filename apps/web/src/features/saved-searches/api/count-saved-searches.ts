import { toParameters } from '@linkoteca/domain/search-filters';
import { readQuestion } from '@linkoteca/domain/search-question';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { SavedSearch } from '../model/saved-search-rows.ts';

/** How many links each question finds. One that has not been counted yet is not among them. */
type Totals = Readonly<Record<string, number>>;

/** A library that changes is counted again after so long a silence, and at most this often. Milliseconds. */
const SETTLE_MS = 1_500;

const totalsKey = (userId: string) => ['search-totals', userId] as const;

/**
 * Counts all questions, as few calls as the service takes for it, one after the other.
 * @param before what was counted last: it stands for what is not counted this time.
 */
async function countQuestions(
  database: DatabaseClient,
  questions: readonly string[],
  before: Totals,
  signal: AbortSignal,
): Promise<Totals> {
  const totals = new Map<string, number>();
  // What asks for nothing finds nothing, as on the search page.
  for (const question of questions) if (toSearch(question) === null) totals.set(question, 0);
  const listLeft = () => questions.filter((question) => !totals.has(question));
  for (let left = listLeft(); left.length > 0; left = listLeft()) {
    const searches = left.map(toSearch);
    const { data } = await database.rpc('count_searches', { searches }).abortSignal(signal).throwOnError();
    if (data.length === 0) break;
    for (const { place, total } of data) totals.set(left[place - 1] ?? '', total);
  }
  return Object.fromEntries(
    questions.flatMap((question) => {
      const total = totals.get(question) ?? before[question];
      return total === undefined ? [] : [[question, total] as const];
    }),
  );
}

/** What the service is asked; null where a question asks for nothing. */
function toSearch(question: string) {
  const { words, filters, isFiltered } = readQuestion(question);
  return isFiltered || words !== '' ? { term: words, ...toParameters(filters) } : null;
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * The totals of saved searches, as far as known: those of the last time while they are counted again, and without a network.
 * @param wanted whether somebody sees them.
 */
export function useSearchTotals(searches: readonly SavedSearch[], wanted: boolean): Totals {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  // What others share is not counted: the service counts one's own.
  const questions = searches
    .map(({ question }) => question)
    .filter((question) => readQuestion(question).filters.owner === null);
  const queryKey = totalsKey(userId);
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Totals> => {
      const before = queryClient.getQueryData<Totals>(queryKey);
      // A change seldom comes alone: those that follow begin the wait anew. A question that is new is counted at once.
      if (before !== undefined && questions.every((question) => before[question] !== undefined))
        await delay(SETTLE_MS, signal);
      return await countQuestions(database, questions, before ?? {}, signal);
    },
    enabled: wanted && questions.length > 0,
  });
  const missing = data && questions.filter((question) => data[question] === undefined).join('\n');
  useEffect(() => {
    if (missing) void queryClient.invalidateQueries({ queryKey: totalsKey(userId) });
  }, [missing, queryClient, userId]);
  useRecount();
  return data ?? NONE;
}

const NONE: Totals = {};

/** What is written here changes what is found; what is written elsewhere comes by the change feed. */
function useRecount(): void {
  const queryClient = useQueryClient();
  const userId = useUserId();
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (event.mutation.options.mutationKey?.[0] === 'saved_searches') return;
        void queryClient.invalidateQueries({ queryKey: totalsKey(userId) });
      }),
    [queryClient, userId],
  );
}
