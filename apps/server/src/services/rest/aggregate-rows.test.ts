import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestBench, startRestService } from './test-support/start-rest-service.ts';

let first: RestBench;
let rest: RestBench;
beforeAll(async () => {
  first = await startRestService(`
    create table workshop.notes (id int primary key, task_id int references workshop.tasks (id), body json);
    insert into workshop.notes values (1, 1, '{"a": 1}'), (2, 1, '{"a": 1}'), (3, 3, null);
    grant select on workshop.notes to anon;
  `);
  rest = await openRestService(first.database, { aggregates: true });
});
afterAll(async () => {
  await rest.stop();
  await first.stop();
});

async function read(path: string): Promise<unknown> {
  const answer = await rest.ask('GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe('an aggregate in a spread is taken over the rows of the parent', () => {
  it.each([
    [
      '/tasks?select=...projects(client_id,budget.sum())&order=projects(client_id)',
      [
        { client_id: 1, sum: 201 },
        { client_id: null, sum: null },
      ],
    ],
    ['/tasks?select=...projects(total:budget.sum()::text)', [{ total: '201.00' }]],
    ['/tasks?select=...projects(count())', [{ count: 3 }]],
    [
      '/tasks?select=n:count(),...projects(with_project:count(),...clients(with_client:count()))',
      [{ n: 4, with_project: 3, with_client: 3 }],
    ],
    [
      '/tasks?select=done,...projects(...clients(name.max()))&order=done.desc',
      [
        { done: true, max: 'Padaria Ação' },
        { done: false, max: 'Padaria Ação' },
      ],
    ],
    [
      '/tasks?select=...projects(clients(name),budget.max())&project_id=in.(1,2)',
      [{ clients: { name: 'Padaria Ação' }, max: 100.5 }],
    ],
    [
      '/clients?select=id,projects(...project_details(notes.max()))&id=lte.2&order=id',
      [
        { id: 1, projects: [{ max: 'quente' }] },
        { id: 2, projects: [{ max: null }] },
      ],
    ],
    [
      '/notes?select=...tasks(*,count())&task_id=eq.1',
      [
        {
          id: 1,
          title: 'comprar tijolos',
          project_id: 1,
          done: true,
          words: expect.any(String),
          listed: expect.any(String),
          count: 2,
        },
      ],
    ],
  ])('%s', async (path, expected) => {
    expect(await read(path)).toEqual(expected);
  });

  it('unless the spread has several rows itself', async () => {
    const refused = await rest.ask('GET', '/clients?select=...projects(budget.sum())');
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        code: 'PGRST127',
        message: 'Feature not implemented',
        details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
        hint: null,
      },
    ]);
  });

  it('and is refused where aggregates are', async () => {
    for (const path of ['/tasks?select=...projects(count())', '/clients?select=...projects(budget.sum())']) {
      const refused = await first.ask('GET', path);
      expect([refused.status, refused.json]).toMatchObject([400, { code: 'PGRST123' }]);
    }
  });
});

describe('what stands beside an aggregate groups it', () => {
  it.each([
    [
      'one row',
      '/projects?select=n:count(),clients(name)&client_id=eq.1',
      [{ n: 2, clients: { name: 'Padaria Ação' } }],
    ],
    [
      'one row that holds others',
      '/projects?select=n:count(),clients(name,projects(id))&client_id=eq.2',
      [{ n: 1, clients: { name: 'Livraria', projects: [{ id: 3 }] } }],
    ],
    [
      'several rows',
      '/tasks?select=project_id,n:count(),people(name)&id=in.(3,4)&order=project_id',
      [
        { project_id: 2, n: 1, people: [] },
        { project_id: null, n: 1, people: [] },
      ],
    ],
    [
      'several rows, spread',
      '/clients?select=n:count(),...projects(name)&id=eq.2',
      [{ n: 1, name: ['Estante'] }],
    ],
    [
      'a spread field of JSON',
      '/people_tasks?select=n:count(),...tasks(notes(id))&task_id=eq.1',
      [{ n: 2, notes: [{ id: 1 }, { id: 2 }] }],
    ],
    [
      'all columns',
      '/addresses?select=*,n:count()&order=id',
      [
        { id: 1, street: 'Rua A', n: 1 },
        { id: 2, street: 'Rua B', n: 1 },
      ],
    ],
  ])('%s', async (_name, path, expected) => {
    expect(await read(path)).toEqual(expected);
  });
});

describe('what a function or a change gave', () => {
  it('is aggregated like the rows of a table', async () => {
    expect(
      await read('/rpc/find_projects?term=&select=client_id,budget.sum(),n:count()&order=client_id'),
    ).toEqual([
      { client_id: 1, sum: 100.5, n: 2 },
      { client_id: 2, sum: 70, n: 1 },
      { client_id: null, sum: 5, n: 1 },
    ]);
    expect(await read('/rpc/find_projects?term=o&select=...clients(name.max())')).toEqual([
      { max: 'Padaria Ação' },
    ]);
    const changed = await rest.ask('PATCH', '/stock?select=amount.sum(),n:count()', {
      body: { amount: 4 },
      headers: { prefer: 'return=representation' },
    });
    expect([changed.status, changed.json]).toEqual([200, [{ sum: 8, n: 2 }]]);
  });

  it('by views as well', async () => {
    expect(await read('/open_tasks?select=project_id,n:count()&order=project_id')).toEqual([
      { project_id: 1, n: 1 },
      { project_id: 2, n: 1 },
      { project_id: null, n: 1 },
    ]);
    expect(await read('/open_tasks?select=...projects(...clients(n:id.count()))')).toEqual([{ n: 2 }]);
  });
});

/** A step along the to-one ways from tasks, with the columns that can be asked of it. */
const STEPS = [
  { table: 'tasks', columns: ['id', 'project_id', 'done'] },
  { table: 'projects', columns: ['id', 'budget', 'started', 'client_id'] },
  { table: 'clients', columns: ['id', 'city', 'name'] },
] as const;

type Asked = { readonly step: number; readonly column: string; readonly aggregate: string | undefined };

const asked: fc.Arbitrary<Asked> = fc
  .integer({ min: 0, max: STEPS.length - 1 })
  .chain((step) =>
    fc.record({
      step: fc.constant(step),
      column: fc.constantFrom(...(STEPS[step]?.columns ?? [])),
      aggregate: fc.constantFrom(undefined, 'count', 'max', 'min'),
    }),
  )
  // Postgres knows no greatest boolean.
  .map((one) =>
    one.column === 'done' && one.aggregate !== 'count' ? { ...one, aggregate: undefined } : one,
  );

it('an aggregate at any depth of spreads is that of a join by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 5 }), async (items) => {
      fc.pre(items.some(({ aggregate }) => aggregate !== undefined));
      const named = items.map((item, index) => ({ ...item, name: `f${index}` }));
      const select = STEPS.reduceRight((inner, { table }, step) => {
        const own = named
          .filter((item) => item.step === step)
          .map(({ name, column, aggregate }) => `${name}:${column}${aggregate ? `.${aggregate}()` : ''}`);
        const all = [...own, ...(inner === '' ? [] : [inner])].join(',');
        return step === 0 || all === '' ? all : `...${table}(${all})`;
      }, '');
      const list = named.map(({ step, column, aggregate, name }) => {
        const field = `${STEPS[step]?.table}.${column}`;
        return `${aggregate ? `${aggregate}(${field})` : field} as ${name}`;
      });
      const groups = named
        .filter(({ aggregate }) => aggregate === undefined)
        .map(({ step, column }) => `${STEPS[step]?.table}.${column}`);
      const { rows } = await rest.database.admin.query<{ row: unknown }>(`
        select to_json(r) as row from (
          select ${list.join(', ')} from workshop.tasks
          left join workshop.projects on projects.id = tasks.project_id
          left join workshop.clients on clients.id = projects.client_id
          ${groups.length === 0 ? '' : `group by ${groups.join(', ')}`}
        ) r`);
      const sorted = (all: readonly unknown[]) =>
        all.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();
      expect(sorted((await read(`/tasks?select=${select}`)) as unknown[])).toEqual(
        sorted(rows.map(({ row }) => row)),
      );
    }),
    { numRuns: 100 },
  );
});
