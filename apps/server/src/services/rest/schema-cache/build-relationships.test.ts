import { describe, expect, it } from 'vitest';
import { buildRelationships } from './build-relationships.ts';
import type { Catalogue } from './catalogue-queries.ts';
import { keyOf, type Relation, type Relationship } from './schema-cache.ts';
import type { ShownTable } from './view-columns.ts';

const IDS = ['a', 'b', 'link', 'hidden_link', 'c'];

const relation = (name: string, primaryKey: readonly string[] = ['id'], isView = false): Relation => ({
  schema: 'open',
  name,
  isView,
  hidesRows: false,
  columns: new Map(),
  primaryKey,
  comment: undefined,
});

/** From the second column of a table, or a further one, to the first of another. */
const foreignKey = (
  constraint: string,
  origin: string,
  column: string,
  target: string,
  more: { readonly isUnique?: boolean; readonly schema?: string; readonly position?: number } = {},
): Catalogue['foreignKeys'][number] => ({
  constraint,
  columns: [[column, 'id']],
  isUnique: more.isUnique ?? false,
  origin: {
    schema: more.schema ?? 'open',
    name: origin,
    id: IDS.indexOf(origin),
    positions: [more.position ?? 2],
  },
  target: { schema: 'open', name: target, id: IDS.indexOf(target), positions: [1] },
});

function build(
  relations: readonly Relation[],
  foreignKeys: Catalogue['foreignKeys'],
  shown: Readonly<Record<string, readonly ShownTable[]>> = {},
) {
  const ways = buildRelationships(
    { relations: [], foreignKeys, primaryKeys: [], views: [], routines: [] },
    new Map(relations.map((one) => [keyOf(one.schema, one.name), one])),
    new Map(Object.entries(shown).map(([table, views]) => [IDS.indexOf(table), views])),
  );
  return (name: string) => (ways.get(keyOf('open', name)) ?? []).map(describeWay);
}

function describeWay(way: Relationship): string {
  const via = way.kind === 'many-to-many' ? way.junction.name : way.kind === 'computed' ? '' : way.constraint;
  const columns = way.kind === 'many-to-many' || way.kind === 'computed' ? [] : way.columns.flat();
  return [way.kind, way.target.name, via, ...columns].join(' ');
}

const JUNCTION = [
  foreignKey('link_a', 'link', 'a_id', 'a'),
  foreignKey('link_b', 'link', 'b_id', 'b', { position: 3 }),
];

describe('ways between relations', () => {
  it('lead there and back, and through a junction whose key holds both', () => {
    const waysOf = build([relation('a'), relation('b'), relation('link', ['a_id', 'b_id'])], JUNCTION);
    expect(waysOf('a')).toEqual(['many-to-many b link', 'one-to-many link link_a id a_id']);
    expect(waysOf('link')).toEqual(['many-to-one a link_a a_id id', 'many-to-one b link_b b_id id']);
  });

  it('lead through no junction whose key leaves one out, or that has one row for each', () => {
    expect(build([relation('a'), relation('b'), relation('link')], JUNCTION)('a')).toEqual([
      'one-to-many link link_a id a_id',
    ]);
    const unique = build(
      [relation('a'), relation('b'), relation('link', ['a_id', 'b_id'])],
      JUNCTION.map((key) => ({ ...key, isUnique: key.constraint === 'link_b' })),
    );
    expect(unique('a')).toEqual(['one-to-many link link_a id a_id']);
    expect(unique('b')).toEqual(['one-to-one link link_b id b_id']);
  });

  it('lead through no junction that is not exposed, though both its ends are', () => {
    const hidden = JUNCTION.map((key) => ({ ...key, origin: { ...key.origin, schema: 'closed' } }));
    expect(build([relation('a'), relation('b')], hidden)('a')).toEqual([]);
  });

  it('are told in the order of target, kind and name', () => {
    const waysOf = build(
      [relation('a'), relation('b'), relation('c')],
      [
        foreignKey('z', 'a', 'z_id', 'b'),
        foreignKey('y', 'b', 'y_id', 'a'),
        foreignKey('x', 'a', 'x_id', 'b'),
        foreignKey('w', 'a', 'w_id', 'a'),
        foreignKey('v', 'c', 'v_id', 'a', { isUnique: true }),
      ],
    );
    expect(waysOf('a')).toEqual([
      'one-to-many a w id w_id',
      'many-to-one a w w_id id',
      'one-to-many b y id y_id',
      'many-to-one b x x_id id',
      'many-to-one b z z_id id',
      'one-to-one c v id v_id',
    ]);
  });
});

it('a view that shows a key is each end of it, beside the tables and other views', () => {
  const shows = (name: string, position: number, names: readonly string[]): ShownTable => ({
    view: { schema: 'open', name },
    names: new Map([[position, names]]),
  });
  const waysOf = build(
    [relation('a'), relation('c'), relation('va', [], true), relation('vc', [], true)],
    [foreignKey('c_a', 'c', 'a_id', 'a')],
    { a: [shows('va', 1, ['key'])], c: [shows('vc', 2, ['first', 'second'])] },
  );
  expect(waysOf('vc')).toEqual([
    'many-to-one a c_a first id',
    'many-to-one a c_a second id',
    'many-to-one va c_a first key',
    'many-to-one va c_a second key',
  ]);
  expect(waysOf('va')).toEqual([
    'one-to-many c c_a key a_id',
    'one-to-many vc c_a key first',
    'one-to-many vc c_a key second',
  ]);
});
