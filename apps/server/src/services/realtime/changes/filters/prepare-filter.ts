import pg from 'pg';
import type { Caller } from '../../../../kernel/caller.ts';
import { type Database, queryAsCaller } from '../../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../../kernel/is-database-unavailable.ts';
import type { PublishedColumn, PublishedTable } from '../catalogue/published-table.ts';
import { renderRowCheck } from '../checks/render-row-check.ts';
import type { Verdict } from '../policies/decide-by-policy.ts';
import type { Filter } from '../requests/parse-filter.ts';
import { type ComparableType, findComparableType } from './comparable-types.ts';
import { parseLikePattern } from './match-like.ts';
import { readFilterTest } from './read-filter-test.ts';
import { RefusedFilter } from './refused-filter.ts';
import { renderFilterCondition } from './render-filter-condition.ts';
import type { RowFilter } from './row-filter.ts';

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
