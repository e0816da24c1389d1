import { describeMissing, describeRepeated, describeWrong } from '@linkoteca/domain/messages/search-messages';
import type { SearchOperator } from '@linkoteca/domain/search-question';

/** Of days all hold, of anything else the last. */
const ONCE: readonly string[] = ['site', 'folder', 'category', 'kind', 'owner'];

/** Why one of the operators of a search does not count; null where it does. */
export function describeProblem(
  operator: SearchOperator,
  operators: readonly SearchOperator[],
): string | null {
  const { key, text, start, state, value } = operator;
  if (state !== 'accepted') return value === '' ? describeMissing(text) : describeWrong(key, text);
  const isFollowed = operators.some(
    (other) => other.key === key && other.start > start && other.state === 'accepted',
  );
  return ONCE.includes(key) && isFollowed ? describeRepeated(text) : null;
}
