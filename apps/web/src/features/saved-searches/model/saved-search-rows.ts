import type { Database } from '@linkoteca/database-types/database';
import type { QueryClient } from '@tanstack/react-query';
import { optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';

type Row = Database['public']['Tables']['saved_searches']['Row'];

/** A question that a person keeps, as typed, under a name. */
export type SavedSearch = Readonly<Pick<Row, 'id' | 'name' | 'question' | 'created_at'>>;

/** As many characters as the table takes. */
export const SAVED_SEARCH_LIMITS = { name: 100, question: 500 } as const;

/** Cache key of a person's saved searches. */
export function savedSearchListKey(userId: string) {
  return ['saved_searches', userId] as const;
}

/** The cached saved searches of a person, to be changed ahead of the server. */
export function savedSearchRows(queryClient: QueryClient, userId: string) {
  return optimisticRowList<SavedSearch>(queryClient, savedSearchListKey(userId));
}

/** By name, as people count: 'Bolo 2' before 'Bolo 10'. */
export function sortByName(searches: readonly SavedSearch[]): readonly SavedSearch[] {
  const { compare } = new Intl.Collator('pt-BR', { numeric: true });
  return searches.toSorted((one, other) => compare(one.name, other.name) || compare(one.id, other.id));
}

/** The name that a question gets by itself: the question, as far as a name goes. */
export function nameOfQuestion(question: string): string {
  return [...question].slice(0, SAVED_SEARCH_LIMITS.name).join('').trim();
}
