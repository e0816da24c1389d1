import { describe, expect, it } from 'vitest';
import type { Relation } from './schema-cache.ts';
import { nameKey, readColumnOrigins, traceViews } from './view-columns.ts';

const entry = (resno: number, table: number, column: number, expression = '{VAR :varno 1}') =>
  `{TARGETENTRY :expr ${expression} :resno ${resno} :resname a :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`;
const rule = (...entries: readonly string[]) =>
  `({QUERY :commandType 1 :rtable ({RANGETBLENTRY :rtekind 1 :subquery {QUERY :targetList (${entry(1, 99, 9)})}}) :targetList (${entries.join(' ')}) :limitOffset <>})`;

const seen = (text: string) =>
  [...readColumnOrigins(text)].map(([position, origin]) => [position, origin.relation, origin.position]);

describe('readColumnOrigins', () => {
  it('reads what the query itself selects, and nothing of the queries within', () => {
    const nested = `{SUBLINK :subselect {QUERY :targetList (${entry(1, 88, 8)})}}`;
    expect(seen(rule(entry(1, 5, 2), entry(2, 0, 0, nested), entry(3, 6, 1, nested)))).toEqual([
      [1, 5, 2],
      [3, 6, 1],
    ]);
  });

  it('takes brackets in names for names', () => {
    const odd = entry(1, 5, 2).replace(':resname a', ':resname \\{TARGETENTRY\\ \\}\\ :resno\\ 7\\ \\\\');
    expect(seen(rule(odd, entry(2, 5, 3)))).toEqual([
      [1, 5, 2],
      [2, 5, 3],
    ]);
  });

  it('finds nothing in a query that selects nothing', () => {
    expect(seen('({QUERY :commandType 1 :targetList <>})')).toEqual([]);
  });
});

const relation = (name: string, columns: readonly string[]): [string, Relation] => [
  `s\0${name}`,
  {
    schema: 's',
    name,
    isView: true,
    hidesRows: true,
    columns: new Map(
      columns.map((column) => [
        column,
        { name: column, type: 'integer', nullable: true, defaultExpression: undefined },
      ]),
    ),
    primaryKey: [],
    comment: undefined,
  },
];

describe('traceViews', () => {
  it('ends where views show each other', () => {
    const views = [
      { id: 1, schema: 's', name: 'a', rule: rule(entry(1, 2, 1), entry(2, 7, 4)) },
      { id: 2, schema: 's', name: 'b', rule: rule(entry(1, 1, 1), entry(2, 1, 2)) },
    ];
    const shown = traceViews(views, new Map([relation('a', ['x', 'y']), relation('b', ['v', 'w'])]));
    expect([...shown.keys()]).toEqual([7]);
    expect(shown.get(7)?.map(({ view, names }) => [view.name, [...names]])).toEqual([
      ['a', [[4, ['y']]]],
      ['b', [[4, ['w']]]],
    ]);
  });
});

describe('nameKey', () => {
  const shown = (names: readonly (readonly [number, readonly string[]])[]) => ({
    view: { schema: 's', name: 'v' },
    names: new Map(names),
  });

  it('chooses every name for every column', () => {
    const view = shown([
      [1, ['a', 'b']],
      [2, ['c', 'd']],
    ]);
    expect(nameKey(view, [2, 1])).toEqual([
      ['c', 'a'],
      ['c', 'b'],
      ['d', 'a'],
      ['d', 'b'],
    ]);
    expect(nameKey(view, [1, 3])).toEqual([]);
  });

  it('does not grow with a hostile view', () => {
    const many = Array.from({ length: 100 }, (_, index) => `c${index}`);
    const view = shown([1, 2, 3, 4].map((position) => [position, many] as const));
    expect(nameKey(view, [1, 2, 3, 4])).toHaveLength(64);
  });
});
