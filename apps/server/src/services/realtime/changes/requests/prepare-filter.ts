import pg from 'pg';
import type { Caller } from '../../../../kernel/caller-context.ts';
import { type Database, queryAsCaller } from '../../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../../kernel/log-failure.ts';
import type { Verdict } from '../access/decide-by-policy.ts';
import { quote, type RowCheck, renderRowCheck } from '../access/render-row-check.ts';
import type { PublishedColumn, PublishedTable } from '../catalogue/publication.ts';
import { type ComparableType, findComparableType } from './comparable-types.ts';
import { matchLike, parseLikePattern } from './match-like.ts';
import type { Filter } from './parse-filter.ts';

/** One condition of a subscription's filter, ready to be held against rows. */
export type RowFilter = {
  readonly column: string;
  /** About the column's value, in Postgres' text form; undefined: `check` must be asked. */
  test(value: string | null): Verdict;
  readonly check: RowCheck;
  readonly values: readonly unknown[];
  /** The one value that a row must have, as Postgres writes it; null where there is no such thing. */
  readonly equals: string | null;
};

/**
 * Makes a filter ready for a table that has its column.
 * @throws RefusedFilter, in Postgres' words; what the database threw when it cannot be asked.
 */
export async function prepareFilter(
  db: Database,
  caller: Caller,
  table: PublishedTable,
  filter: Filter,
): Promise<RowFilter> {
  const column = table.columns.find(({ name }) => name === filter.column);
  if (column === undefined) throw new RefusedFilter('P0001', `invalid column for filter ${filter.column}`);
  const isPattern = filter.operator === 'like' || filter.operator === 'ilike';
  if (isPattern && parseLikePattern(filter.value) === undefined)
    throw new RefusedFilter('22025', 'LIKE pattern must not end with escape character');
  const { text, values } = renderFilterCondition(table, column, filter);
  const check = renderRowCheck(table, text);
  const ask = (statement: { readonly text: string; readonly name?: string }, given: readonly unknown[]) =>
    askForRefusal(db, caller, statement, given);
  const type = findComparableType(column);
  const literals = type && (await toCanonicals(ask, type, column, filter));
  const test = readFilterTest(column, filter, type, literals);
  if (test === undefined) {
    // On a row of nulls: what is wrong with operator, type or value comes to light; a pattern only where there is a text.
    await ask(check, ['[{}]', ...values]);
    const trial = PATTERN_TRIALS.get(filter.operator);
    if (trial !== undefined) await ask({ text: trial }, [filter.value]);
  }
  const isOneValue = test !== undefined && filter.operator === 'eq' && !filter.negated;
  return {
    column: column.name,
    check,
    values,
    equals: (isOneValue && literals?.[0]) || null,
    test: test === undefined ? () => undefined : filter.negated ? (value) => negate(test(value)) : test,
  };
}

const PATTERN_TRIALS: ReadonlyMap<string, string> = new Map([
  ['match', `select '' ~ $1::text`],
  ['imatch', `select '' ~* $1::text`],
]);

type Ask = (
  statement: { readonly text: string; readonly name?: string },
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The filter's values as Postgres writes them; null stays null. */
async function toCanonicals(
  ask: Ask,
  type: ComparableType,
  { sqlType }: PublishedColumn,
  { operator, value, items }: Filter,
): Promise<readonly (string | null)[] | undefined> {
  if (!['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'isdistinct'].includes(operator)) return undefined;
  const canonicals: (string | null)[] = [];
  for (const given of operator === 'in' ? items : [value]) {
    const known = given === null ? null : type.toCanonical(given);
    if (known !== undefined) canonicals.push(known);
    else {
      // By the type's own output function, like the log: a cast would write a boolean another way.
      const [row] = await ask({ text: `select concat($1::text::${sqlType}) as value` }, [given]);
      canonicals.push(row?.['value'] as string | null);
    }
  }
  return canonicals;
}

function negate(verdict: Verdict): Verdict {
  return typeof verdict === 'boolean' ? !verdict : verdict;
}

async function askForRefusal(
  db: Database,
  caller: Caller,
  statement: { readonly text: string; readonly name?: string },
  values: readonly unknown[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const { rows } = await queryAsCaller(db, caller, { ...statement, values }, { readOnly: true });
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isDatabaseUnavailable(error))
      throw new RefusedFilter(error.code ?? 'XX000', error.message);
    throw error;
  }
}

const SQL_OPERATORS: Readonly<Record<Exclude<Filter['operator'], 'in' | 'is'>, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
};
const ON_TEXT: ReadonlySet<string> = new Set(['like', 'ilike', 'match', 'imatch']);

/** The condition for rows that stand under the table's name. Values are parameters, always. */
function renderFilterCondition(
  table: PublishedTable,
  { name, sqlType }: PublishedColumn,
  { operator, negated, value, items }: Filter,
): { text: string; values: readonly unknown[] } {
  const subject = `${quote(table.name)}.${quote(name)}`;
  const wrap = (condition: string) => (negated ? `not (${condition})` : condition);
  if (operator === 'is') return { text: wrap(`${subject} is null`), values: [] };
  if (operator === 'in')
    return { text: wrap(`${subject} = any ($2::text[]::${sqlType}[])`), values: [items] };
  const type = ON_TEXT.has(operator) ? 'text' : sqlType;
  return { text: wrap(`${subject} ${SQL_OPERATORS[operator]} $2::text::${type}`), values: [value] };
}

type Test = (value: string | null) => Verdict;
const BOOLEAN = 16;

/**
 * What a filter says about a value in Postgres' text form, not negated.
 * @param literals the filter's values as Postgres writes them.
 * @returns undefined where the database must be asked about every row. @throws RefusedFilter
 */
function readFilterTest(
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

/** Postgres would refuse the filter. */
export class RefusedFilter extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
