import type { PublishedColumn, PublishedTable } from '../catalogue/published-table.ts';
import { quote } from '../checks/render-row-check.ts';
import type { Filter } from '../requests/parse-filter.ts';

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
export function renderFilterCondition(
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
