import { describe, expect, it } from 'vitest';
import { keyOf, type Relationship } from '../schema-cache/schema-cache.ts';
import { findRelationship } from './find-relationship.ts';
import { WORKSHOP } from './test-support/plan-workshop.ts';

const find = (origin: string, target: string, hint?: string) =>
  findRelationship(WORKSHOP, 'workshop', origin, target, hint);

/** The one way that is found, or the code of the refusal. */
function wayOf(origin: string, target: string, hint?: string): string {
  const found = find(origin, target, hint);
  if (!found.ok) return found.failure.code;
  const { value } = found;
  if (value.kind === 'computed') return `${value.kind} ${value.function.name}`;
  return `${value.kind} ${value.kind === 'many-to-many' ? value.junction.name : value.constraint}`;
}

describe('an embed', () => {
  it.each([
    ['projects', 'clients', undefined, 'many-to-one projects_client_id_fkey'],
    ['projects', 'client_id', undefined, 'many-to-one projects_client_id_fkey'],
    ['projects', 'projects_client_id_fkey', undefined, 'many-to-one projects_client_id_fkey'],
    ['projects', 'clients', 'client_id', 'many-to-one projects_client_id_fkey'],
    ['projects', 'clients', 'id', 'many-to-one projects_client_id_fkey'],
    ['projects', 'clients', 'projects_client_id_fkey', 'many-to-one projects_client_id_fkey'],
    ['projects', 'clients', 'nope', 'PGRST200'],
    ['projects', 'client_id', 'client_id', 'PGRST200'],
    ['clients', 'projects', undefined, 'one-to-many projects_client_id_fkey'],
    ['clients', 'projects', 'client_id', 'one-to-many projects_client_id_fkey'],
    ['details', 'projects', undefined, 'one-to-one details_project_id_fkey'],
    ['orders', 'addresses', undefined, 'PGRST201'],
    ['orders', 'addresses', 'billing_id', 'many-to-one orders_billing_id_fkey'],
    ['orders', 'addresses', 'orders_shipping_id_fkey', 'many-to-one orders_shipping_id_fkey'],
    ['orders', 'shipping_id', undefined, 'many-to-one orders_shipping_id_fkey'],
    // A key's name and column lead to a table, never to a view that shares it.
    ['clients', 'busy', undefined, 'one-to-many busy_client_id_fkey'],
    ['clients', 'busy_client_id_fkey', undefined, 'PGRST200'],
    ['clients', 'projects_client_id_fkey', undefined, 'one-to-many projects_client_id_fkey'],
    // Of several columns none stands for the key.
    ['notes', 'addresses', undefined, 'many-to-one notes_place'],
    ['notes', 'notes_place', undefined, 'many-to-one notes_place'],
    ['notes', 'a', undefined, 'PGRST200'],
    ['notes', 'addresses', 'a', 'PGRST200'],
    ['notes', 'addresses', 'street', 'PGRST200'],
    ['people', 'tasks', undefined, 'many-to-many people_tasks'],
    ['people', 'tasks', 'people_tasks', 'many-to-many people_tasks'],
    ['people', 'tasks', 'person_id', 'PGRST200'],
    ['people', 'people_tasks', undefined, 'PGRST200'],
    ['people', 'people', undefined, 'one-to-many people_boss_id_fkey'],
    ['people', 'people', 'boss_id', 'one-to-many people_boss_id_fkey'],
    ['people', 'people', 'people_boss_id_fkey', 'PGRST200'],
    ['people', 'people', 'id', 'PGRST200'],
    ['people', 'people', 'friends', 'many-to-many friends'],
    ['people', 'boss_id', undefined, 'many-to-one people_boss_id_fkey'],
    ['people', 'id', undefined, 'PGRST200'],
    ['people', 'people_boss_id_fkey', undefined, 'PGRST200'],
    ['people', 'boss_id', 'boss_id', 'PGRST200'],
    ['projects', 'open_of', undefined, 'computed open_of'],
    ['projects', 'open_of', 'whatever', 'computed open_of'],
    ['projects', 'tasks', undefined, 'one-to-many tasks_project_id_fkey'],
    // Nothing leads into a schema that was not asked for.
    ['clients', 'elsewhere', undefined, 'PGRST200'],
  ])('from %s to %s by the hint %s is %s', (origin, target, hint, expected) => {
    expect(wayOf(origin, target, hint)).toBe(expected);
  });

  it('that is not found says what was looked for, and what may be meant', () => {
    const errorOf = (...words: Parameters<typeof find>) => {
      const found = find(...words);
      return found.ok ? undefined : found.failure;
    };
    expect(errorOf('projects', 'client')).toMatchObject({
      details:
        "Searched for a foreign key relationship between 'projects' and 'client' in the schema 'workshop', but no matches were found.",
      hint: "Perhaps you meant 'clients' instead of 'client'.",
    });
    expect(errorOf('projects', 'clients', 'nope')).toMatchObject({
      details: expect.stringContaining("using the hint 'nope'"),
      hint: null,
    });
    expect(errorOf('project', 'clients')?.hint).toBe("Perhaps you meant 'projects' instead of 'project'.");
    expect(errorOf('projects', 'zzz')?.hint).toBeNull();
    expect(errorOf('zzz', 'clients')?.hint).toBeNull();
    // A table that has no relationships is the one that was meant all the same.
    const alone = { ...WORKSHOP, relationships: new Map(WORKSHOP.relationships) };
    alone.relationships.delete(keyOf('workshop', 'projects'));
    const found = findRelationship(alone, 'workshop', 'projects', 'clients', undefined);
    expect(found.ok ? undefined : found.failure.hint).toBeNull();
  });

  it('that could be several names each of them', () => {
    const target = { schema: 'workshop', name: 'tasks' };
    const ways = [
      ...(WORKSHOP.relationships.get(keyOf('workshop', 'people')) ?? []).filter(
        (way) => way.kind === 'many-to-many' && way.junction.name === 'people_tasks',
      ),
      ...(WORKSHOP.relationships.get(keyOf('workshop', 'orders')) ?? []).slice(0, 1),
    ].map((way) => ({ ...way, origin: { schema: 'workshop', name: 'projects' }, target }));
    const relationships = new Map([[keyOf('workshop', 'projects'), ways]]);
    const found = findRelationship(
      { ...WORKSHOP, relationships },
      'workshop',
      'projects',
      'tasks',
      undefined,
    );
    expect(found.ok ? undefined : found.failure).toEqual({
      status: 300,
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'projects' and 'tasks'",
      details: [
        {
          cardinality: 'many-to-many',
          embedding: 'projects with tasks',
          relationship:
            'people_tasks using people_tasks_person_id_fkey(person_id) and people_tasks_task_id_fkey(task_id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'projects with tasks',
          relationship: 'orders_billing_id_fkey using projects(billing_id) and tasks(id)',
        },
      ],
      hint: "Try changing 'tasks' to one of the following: 'tasks!people_tasks', 'tasks!orders_billing_id_fkey'. Find the desired relationship in the 'details' key.",
    });
  });

  it('by a function of the name of its table goes through the function alone', () => {
    const key = keyOf('workshop', 'projects');
    const ways = WORKSHOP.relationships.get(key) ?? [];
    const overriding: Relationship = {
      kind: 'computed',
      origin: { schema: 'workshop', name: 'projects' },
      target: { schema: 'workshop', name: 'clients' },
      function: { schema: 'workshop', name: 'clients' },
      toOne: true,
    };
    const relationships = new Map([[key, [...ways, overriding]]]);
    const through = (target: string) =>
      findRelationship({ ...WORKSHOP, relationships }, 'workshop', 'projects', target, undefined);
    expect(through('clients')).toEqual({ ok: true, value: overriding });
    expect(through('client_id')).toMatchObject({ ok: true, value: { kind: 'many-to-one' } });
    // Of two schemas.
    const both = [overriding, { ...overriding, function: { schema: 'public', name: 'clients' } }];
    const found = findRelationship(
      { ...WORKSHOP, relationships: new Map([[key, [...ways, ...both]]]) },
      'workshop',
      'projects',
      'clients',
      undefined,
    );
    expect(found).toMatchObject({
      ok: false,
      failure: {
        code: 'PGRST201',
        details: [{ embedding: 'projects with clients' }, { embedding: 'projects with clients' }],
      },
    });
  });
});
