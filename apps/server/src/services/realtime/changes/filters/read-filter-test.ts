import type { PublishedColumn } from '../catalogue/published-table.ts';
import type { Verdict } from '../policies/decide-by-policy.ts';
import type { Filter } from '../requests/parse-filter.ts';
import type { ComparableType } from './comparable-types.ts';
import { matchLike, parseLikePattern } from './match-like.ts';
import { RefusedFilter } from './refused-filter.ts';

type Test = (value: string | null) => Verdict;
const BOOLEAN = 16;

/**
 * What a filter says about a value in Postgres' text form, not negated.
 * @param literals the filter's values as Postgres writes them.
 * @returns undefined where the database must be asked about every row. @throws RefusedFilter
 */
export function readFilterTest(
  column: PublishedColumn,
  { operator, value }: Filter,
  type: ComparableType | undefined,
  literals: readonly (string | null)[] | undefined,
): Test | undefined {
  if (operator === 'is') return readIs(column, value.toLowerCase());
  const [literal = null] = literals ?? [];
  const compare = type?.compare;
  switch (operator) {
    case 'eq':
      return literals && ((given) => (given === null ? null : given === literal));
    case 'neq':
      return literals && ((given) => (given === null ? null : given !== literal));
    case 'isdistinct':
      return literals && ((given) => given !== literal);
    case 'in': {
      const known = new Set(literals);
      return (
        literals &&
        ((given) => (given === null ? null : known.has(given) || (known.has(null) ? null : false)))
      );
    }
    case 'like': {
      const pattern = parseLikePattern(value);
      const isText = type !== undefined && (column.baseOid === 25 || column.baseOid === 1043);
      return pattern && isText ? (given) => (given === null ? null : matchLike(pattern, given)) : undefined;
    }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const holds = ORDERS[operator];
      if (!compare || literal === null) return undefined;
      return (given) => (given === null ? null : holds(compare(given, literal)));
    }
    default:
      return undefined;
  }
}

const ORDERS: Readonly<Record<'lt' | 'lte' | 'gt' | 'gte', (order: number) => boolean>> = {
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

function readIs({ baseOid, typeName }: PublishedColumn, word: string): Test {
  if (word === 'null') return (value) => value === null;
  if (word === 'not_null') return (value) => value !== null;
  if (!['true', 'false', 'unknown'].includes(word))
    throw new RefusedFilter('22P02', `invalid value for operator is: "${word}"`);
  if (baseOid !== BOOLEAN)
    throw new RefusedFilter(
      '42804',
      `argument of IS ${word.toUpperCase()} must be type boolean, not type ${typeName}`,
    );
  if (word === 'unknown') return (value) => value === null;
  return (value) => value === (word === 'true' ? 't' : 'f');
}
