import { describeMissing, describeRepeated, describeWrong } from '@linkoteca/domain/messages/search-messages';
import type { SearchOperator } from '@linkoteca/domain/search-question';

/** Why an operator does not count; null where it does. */
export function describeProblem({ key, text, state, value }: SearchOperator): string | null {
  if (state === 'accepted') return null;
  if (state === 'repeated') return describeRepeated(text);
  return value === '' ? describeMissing(text) : describeWrong(key, text);
}
