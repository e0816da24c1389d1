import { parseRequest } from '../../parse/parse-request.ts';
import type { Outcome } from '../../rest-error.ts';
import { NO_FORMS } from '../../schema-cache/forms.ts';
import {
  type ForeignKeyRelationship,
  keyOf,
  type Parameter,
  type Relation,
  type Relationship,
  type Routine,
  type SchemaCache,
} from '../../schema-cache/schema-cache.ts';
import { planRequest } from '../plan-request.ts';
import type { Plan } from '../plan-types.ts';

const at = (name: string, schema = 'workshop') => ({ schema, name });

function relation(name: string, columns: readonly string[], more: Partial<Relation> = {}): Relation {
  return {
    ...at(name),
    isView: false,
    hidesRows: false,
    columns: new Map(
      columns.map((column) => [
        column,
        {
          name: column,
          type: column.endsWith('id') ? 'integer' : 'text',
          nullable: true,
          defaultExpression: undefined,
        },
      ]),
    ),
    primaryKey: ['id'],
    comment: undefined,
    ...more,
  };
}

/** Both ways of a foreign key from `origin` to the `id` of `target`. */
function key(
  origin: string,
  column: string,
  target: string,
  toOne = false,
): readonly ForeignKeyRelationship[] {
  const constraint = `${origin}_${column}_fkey`;
  return [
    {
      kind: toOne ? 'one-to-one' : 'many-to-one',
      ...{ origin: at(origin), target: at(target), constraint, columns: [[column, 'id']] },
    },
    {
      kind: toOne ? 'one-to-one' : 'one-to-many',
      ...{ origin: at(target), target: at(origin), constraint, columns: [['id', column]] },
    },
  ];
}

const junction = (
  origin: string,
  target: string,
  table: string,
  own: string,
  other: string,
): Relationship => ({
  kind: 'many-to-many',
  ...{ origin: at(origin), target: at(target), junction: at(table) },
  ...{ originConstraint: `${table}_${own}_fkey`, targetConstraint: `${table}_${other}_fkey` },
  ...{ originColumns: [['id', own]], targetColumns: [['id', other]] },
});

export const parameter = (name: string, type = 'text', more: Partial<Parameter> = {}): Parameter => ({
  name,
  type,
  required: true,
  variadic: false,
  ...more,
});

function routine(name: string, parameters: readonly Parameter[], more: Partial<Routine> = {}): Routine {
  return {
    ...at(name),
    parameters,
    returns: 'value',
    returnsSet: false,
    returnsRelation: undefined,
    volatility: 'volatile',
    comment: undefined,
    ...more,
  };
}

const RELATIONS: readonly Relation[] = [
  relation('clients', ['id', 'name', 'city']),
  relation('projects', ['id', 'name', 'client_id', 'budget', 'data', 'secret'], { hidesRows: true }),
  relation('tasks', ['id', 'title', 'project_id']),
  relation('people', ['id', 'name', 'boss_id']),
  relation('people_tasks', ['person_id', 'task_id'], {
    primaryKey: ['person_id', 'task_id'],
    hidesRows: true,
  }),
  relation('orders', ['id', 'billing_id', 'shipping_id']),
  relation('addresses', ['id', 'street']),
  relation('details', ['id', 'project_id']),
  relation('notes', ['text'], { primaryKey: [] }),
  relation('busy', ['id', 'client_id'], { isView: true, primaryKey: [] }),
  relation('elsewhere', ['id'], { schema: 'other' }),
];

const RELATIONSHIPS: readonly Relationship[] = [
  ...key('projects', 'client_id', 'clients'),
  ...key('tasks', 'project_id', 'projects'),
  ...key('people', 'boss_id', 'people'),
  ...key('orders', 'billing_id', 'addresses'),
  ...key('orders', 'shipping_id', 'addresses'),
  ...key('details', 'project_id', 'projects', true),
  ...key('busy', 'client_id', 'clients'),
  junction('people', 'tasks', 'people_tasks', 'person_id', 'task_id'),
  junction('tasks', 'people', 'people_tasks', 'task_id', 'person_id'),
  junction('people', 'people', 'friends', 'one_id', 'other_id'),
  {
    kind: 'many-to-one',
    ...{ origin: at('notes'), target: at('addresses'), constraint: 'notes_place' },
    columns: [
      ['a', 'id'],
      ['b', 'street'],
    ],
  },
  {
    kind: 'many-to-one',
    origin: at('clients'),
    target: at('elsewhere', 'other'),
    constraint: 'x',
    columns: [['id', 'id']],
  },
  { kind: 'computed', origin: at('projects'), target: at('tasks'), function: at('open_of'), toOne: false },
  { kind: 'computed', origin: at('projects'), target: at('tasks'), function: at('first_of'), toOne: true },
];

const ROUTINES: readonly Routine[] = [
  routine('greet', [parameter('name'), parameter('loud', 'boolean', { required: false })], {
    volatility: 'stable',
  }),
  routine('twice', [parameter('value', 'integer')], { volatility: 'immutable' }),
  routine('twice', [parameter('value')]),
  routine('now', []),
  routine('sum', [parameter('values', 'integer', { variadic: true, required: false })]),
  routine('take', [parameter('', 'json')]),
  routine('take', [parameter('', 'text')]),
  routine('keep', [parameter('', 'jsonb')]),
  routine('shout', [parameter('', 'text')]),
  routine('pair', [parameter('', 'text'), parameter('', 'text')]),
  routine('odd', [parameter('body', 'json')]),
  routine('search', [parameter('words')], {
    ...{ returns: 'row', returnsSet: true, volatility: 'stable', returnsRelation: at('projects') },
  }),
  routine('first', [], { returns: 'row', returnsRelation: at('projects') }),
];

const groupBy = <T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(all, nameOf);

/** What a server would know of a workshop's schema. */
export const WORKSHOP: SchemaCache = {
  version: 1,
  relations: new Map(RELATIONS.map((one) => [keyOf(one.schema, one.name), one])),
  relationships: groupBy(RELATIONSHIPS, ({ origin }) => keyOf(origin.schema, origin.name)),
  computedColumns: new Map([
    [keyOf('workshop', 'projects'), new Map([['label', { ...at('label'), relation: at('projects') }]])],
  ]),
  functions: groupBy(ROUTINES, ({ schema, name }) => keyOf(schema, name)),
  forms: NO_FORMS,
};

export type PlanOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly aggregates?: boolean;
};

/** Plans a request as it comes over the wire: `planWorkshop('GET /clients?id=eq.1')`. */
export function planWorkshop(
  line: string,
  { headers = {}, body, aggregates = false }: PlanOptions = {},
): Outcome<Plan> {
  const [method = '', address = ''] = line.split(' ');
  const [path = '', ...rest] = address.split('?');
  const queryString = rest.join('?');
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
  const raw = { method, path, queryString, headers, body: Buffer.from(text) };
  const request = parseRequest(raw, ['workshop']);
  return request.ok ? planRequest(WORKSHOP, { maxRows: 1_000, aggregates }, request.value) : request;
}
