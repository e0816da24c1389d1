import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

async function read(path: string): Promise<unknown> {
  const answer = await rest.ask('GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe('embedding follows foreign keys', () => {
  it('to one row, or null', async () => {
    expect(await read('/projects?select=id,clients(name)&id=in.(1,4)&order=id')).toEqual([
      { id: 1, clients: { name: 'Padaria Ação' } },
      { id: 4, clients: null },
    ]);
  });

  it('to many rows, or none, with their own filters, order and limits', async () => {
    expect(
      await read('/clients?select=name,projects(name)&projects.order=name.desc&projects.limit=1&order=id'),
    ).toEqual([
      { name: 'Padaria Ação', projects: [{ name: 'Vitrine' }] },
      { name: 'Livraria', projects: [{ name: 'Estante' }] },
      { name: 'Sem projeto', projects: [] },
    ]);
    expect(
      await read(
        '/clients?select=id,projects(name)&projects.order=name&projects.offset=1&id=in.(1,2)&order=id',
      ),
    ).toEqual([
      { id: 1, projects: [{ name: 'Vitrine' }] },
      { id: 2, projects: [] },
    ]);
    expect(
      await read(
        '/clients?select=id,p:projects(name)&p.or=(name.eq.Forno,budget.eq.70)&id=in.(1,2)&order=id',
      ),
    ).toEqual([
      { id: 1, p: [{ name: 'Forno' }] },
      { id: 2, p: [{ name: 'Estante' }] },
    ]);
  });

  it('to one row over a unique key, both ways', async () => {
    expect(await read('/projects?select=id,project_details(notes)&id=in.(1,2)&order=id')).toEqual([
      { id: 1, project_details: { notes: 'quente' } },
      { id: 2, project_details: null },
    ]);
    expect(await read('/project_details?select=projects(name)&project_id=eq.1')).toEqual([
      { projects: { name: 'Forno' } },
    ]);
  });

  it('to many through a junction, both ways', async () => {
    expect(await read('/tasks?select=id,people(name)&id=in.(1,3)&people.order=name&order=id')).toEqual([
      { id: 1, people: [{ name: 'Ana' }, { name: 'Bia' }] },
      { id: 3, people: [] },
    ]);
    expect(await read('/people?select=name,tasks!people_tasks(id)&id=eq.2&tasks.order=id.desc')).toEqual([
      { name: 'Bia', tasks: [{ id: 2 }, { id: 1 }] },
    ]);
  });

  it('within one table', async () => {
    expect(await read('/people?select=name,boss_id(name)&id=eq.2')).toEqual([
      { name: 'Bia', boss_id: { name: 'Ana' } },
    ]);
    expect(await read('/people?select=name,people(name)&id=eq.1')).toEqual([
      { name: 'Ana', people: [{ name: 'Bia' }, { name: 'Caio' }] },
    ]);
  });

  it('through several levels', async () => {
    expect(await read('/tasks?select=title,projects(name,clients(name,projects(id)))&id=eq.3')).toEqual([
      {
        title: 'limpar vidros',
        projects: { name: 'Vitrine', clients: { name: 'Padaria Ação', projects: [{ id: 1 }, { id: 2 }] } },
      },
    ]);
  });

  it('to the way that the hint chooses', async () => {
    expect(
      await read('/orders?select=b:addresses!orders_billing(id),s:addresses!shipping_id(id)&id=eq.1'),
    ).toEqual([{ b: { id: 1 }, s: { id: 2 } }]);
    expect(await read('/orders?select=billing_id(street)&id=eq.1')).toEqual([
      { billing_id: { street: 'Rua A' } },
    ]);
  });

  it('and functions of a row', async () => {
    expect(await read('/projects?select=id,open_of(title)&id=in.(1,3)&order=id')).toEqual([
      { id: 1, open_of: [{ title: 'acender' }] },
      { id: 3, open_of: [] },
    ]);
  });
});

describe('embeds as conditions', () => {
  it.each([
    ['/projects?select=id,clients!inner(name)&clients.name=eq.Livraria', [3]],
    ['/clients?select=id,projects!inner(id)&projects.budget=gt.80', [1]],
    ['/clients?select=id,projects()&projects=is.null', [3]],
    ['/clients?select=id,projects()&projects=not.is.null&order=id', [1, 2]],
    ['/projects?select=id,clients()&clients=is.null', [4]],
    ['/projects?select=id,clients()&clients.city=eq.Recife&clients=not.is.null', [3]],
    ['/projects?select=id,client_id(name)&client_id.name=eq.Livraria&client_id=not.is.null', [3]],
    ['/projects?select=id,client_id(name)&client_id.name=eq.Livraria&client_id=is.null&order=id', [1, 2, 4]],
    ['/projects?select=id,client_id(name)&client_id=eq.2', [3]],
    ['/projects?select=id,clients()&or=(clients.is.null,id.eq.1)&order=id', [1, 4]],
    ['/projects?select=id,...clients(name)&clients=is.null', [4]],
    ['/projects?select=id,...clients(name)&clients=not.is.null&order=id', [1, 2, 3]],
    ['/clients?select=id,...projects(names:name)&projects=is.null', [3]],
    ['/clients?select=id,...projects(names:name)&projects=not.is.null&order=id', [1, 2]],
    ['/tasks?select=id,people!inner()&order=id', [1, 2]],
    ['/projects?select=id,clients(name)&order=clients(name).desc.nullslast,id', [1, 2, 3, 4]],
    ['/projects?select=id,c:clients(name)&order=c(name).nullslast,id', [3, 1, 2, 4]],
  ])('%s', async (path, expected) => {
    const rows = (await read(path)) as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it('count as many rows as they leave', async () => {
    for (const [path, total] of [
      ['/clients?select=id,projects()&projects=is.null', '0-0/1'],
      ['/tasks?select=id,people!inner()', '0-1/2'],
      ['/projects?select=id,...clients(name)&clients=is.null', '0-0/1'],
      ['/clients?select=id,...projects(name)&projects=not.is.null', '0-1/2'],
      ['/projects?select=id,clients!inner()&clients.name=eq.Livraria', '0-0/1'],
      ['/projects?select=id,client_id(name)&client_id.name=eq.Livraria&client_id=not.is.null', '0-0/1'],
    ] as const) {
      const answer = await rest.ask('GET', path, { headers: { prefer: 'count=exact' } });
      expect(answer.headers['content-range']).toBe(total);
    }
  });

  it('count through a junction what the caller sees of it', async () => {
    const { admin } = rest.database;
    await admin.query(`alter table workshop.people_tasks enable row level security;
      create policy of_second_task on workshop.people_tasks for select to anon using (task_id = 2)`);
    try {
      for (const [path, total, rows] of [
        ['/tasks?select=id,people!inner()', '0-0/1', [{ id: 2 }]],
        ['/tasks?select=id,people()&people=not.is.null', '0-0/1', [{ id: 2 }]],
        ['/tasks?select=id,people()&people=is.null&order=id', '0-2/3', [{ id: 1 }, { id: 3 }, { id: 4 }]],
        ['/people?select=id,tasks!people_tasks!inner()', '0-0/1', [{ id: 2 }]],
        ['/tasks?select=id,people!inner()&people.name=eq.Ana', '*/0', []],
      ] as const)
        for (const method of ['GET', 'HEAD']) {
          const answer = await rest.ask(method, path, { headers: { prefer: 'count=exact' } });
          expect([method, path, answer.headers['content-range']]).toEqual([method, path, total]);
          if (method === 'GET') expect(answer.json).toEqual(rows);
        }
      expect(await read('/tasks?select=id,people(count)&id=in.(1,2)&order=id')).toEqual([
        { id: 1, people: [{ count: 0 }] },
        { id: 2, people: [{ count: 1 }] },
      ]);
      await admin.query('revoke select on workshop.people_tasks from anon');
      const refused = await rest.ask('GET', '/tasks?select=id,people!inner()', {
        headers: { prefer: 'count=exact' },
      });
      expect([refused.status, refused.json, refused.headers['content-range']]).toMatchObject([
        401,
        { code: '42501' },
        undefined,
      ]);
    } finally {
      await admin.query(`grant select on workshop.people_tasks to anon;
        drop policy of_second_task on workshop.people_tasks;
        alter table workshop.people_tasks disable row level security`);
    }
  });

  it('leave nothing of themselves when they select nothing', async () => {
    expect(await read('/projects?select=id,clients()&id=eq.1')).toEqual([{ id: 1 }]);
  });
});

describe('counts and spreads', () => {
  it('counts embedded rows', async () => {
    expect(await read('/clients?select=id,projects(count)&order=id')).toEqual([
      { id: 1, projects: [{ count: 2 }] },
      { id: 2, projects: [{ count: 1 }] },
      { id: 3, projects: [{ count: 0 }] },
    ]);
    expect(await read('/clients?select=id,projects(n:count)&projects.budget=gt.80&id=eq.1')).toEqual([
      { id: 1, projects: [{ n: 1 }] },
    ]);
  });

  it('spreads one row into its parent, and many into lists', async () => {
    expect(await read('/projects?select=id,...clients(client:name,city)&id=in.(1,4)&order=id')).toEqual([
      { id: 1, client: 'Padaria Ação', city: 'São Paulo' },
      { id: 4, client: null, city: null },
    ]);
    expect(await read('/clients?select=id,...projects(names:name)&projects.order=id&order=id')).toEqual([
      { id: 1, names: ['Forno', 'Vitrine'] },
      { id: 2, names: ['Estante'] },
      { id: 3, names: [] },
    ]);
    expect(await read('/tasks?select=id,...projects(...clients(name))&id=eq.1')).toEqual([
      { id: 1, name: 'Padaria Ação' },
    ]);
  });

  it('aggregates only where the operator allows it', async () => {
    const refused = await rest.ask('GET', '/projects?select=budget.sum()');
    expect([refused.status, refused.json]).toMatchObject([400, { code: 'PGRST123' }]);
    const open = await openRestService(rest.database, { aggregates: true });
    try {
      const answer = await open.ask(
        'GET',
        '/projects?select=client_id,total:budget.sum(),n:count()&order=client_id.nullslast',
      );
      expect(answer.json).toEqual([
        { client_id: 1, total: 100.5, n: 2 },
        { client_id: 2, total: 70, n: 1 },
        { client_id: null, total: 5, n: 1 },
      ]);
      const spread = await open.ask(
        'GET',
        '/projects?select=total:budget.sum(),n:count(),...clients(city)&order=clients(city).nullslast',
      );
      expect(spread.json).toEqual([
        { total: 70, n: 1, city: 'Recife' },
        { total: 100.5, n: 2, city: 'São Paulo' },
        { total: 5, n: 1, city: null },
      ]);
    } finally {
      await open.stop();
    }
  });
});

describe('a function of the name of a table', () => {
  it('replaces the foreign key that leads there, and leaves the others', async () => {
    // A database of its own: the function would change what every other test is answered.
    const own = await startRestService();
    await own.database.admin.query(`create function workshop.clients(workshop.projects) returns setof workshop.clients rows 1
      language sql stable as 'select * from workshop.clients where id = 3'`);
    const open = await openRestService(own.database, {});
    try {
      const answer = await open.ask('GET', '/projects?select=clients(id),client_id(id)&id=eq.1');
      expect([answer.status, answer.json]).toEqual([200, [{ clients: { id: 3 }, client_id: { id: 1 } }]]);
    } finally {
      await open.stop();
      await own.stop();
    }
  });
});

describe('embeds that cannot be', () => {
  it('names the ways when there are several', async () => {
    const { status, json } = await rest.ask('GET', '/orders?select=id,addresses(street)');
    expect(status).toBe(300);
    expect(json).toEqual({
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'orders' and 'addresses'",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'orders with addresses',
          relationship: 'orders_billing using orders(billing_id) and addresses(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'orders with addresses',
          relationship: 'orders_shipping using orders(shipping_id) and addresses(id)',
        },
      ],
      hint: "Try changing 'addresses' to one of the following: 'addresses!orders_billing', 'addresses!orders_shipping'. Find the desired relationship in the 'details' key.",
    });
  });

  it.each([
    [
      '/projects?select=id,client(name)',
      400,
      { code: 'PGRST200', hint: "Perhaps you meant 'clients' instead of 'client'." },
    ],
    ['/projects?select=id,clients!nope(name)', 400, { code: 'PGRST200' }],
    // A junction leads nobody back by the key that they came by.
    ['/people?select=id,people!people_tasks(name)', 400, { code: 'PGRST200' }],
    ['/projects?select=id&clients.name=eq.x', 400, { code: 'PGRST108' }],
    ['/projects?select=id&clients.order=name', 400, { code: 'PGRST108' }],
    ['/projects?select=id&order=clients(name)', 400, { code: 'PGRST108' }],
    ['/clients?select=id,projects(id)&order=projects(id)', 400, { code: 'PGRST118' }],
    [
      '/projects?select=clients(id),clients(name)',
      400,
      { code: '42712', message: 'table name "projects_clients_1" specified more than once' },
    ],
    ['/projects?select=c:clients(id),c:tasks(id)', 400, { code: '42712' }],
    ['/clients?select=projects(tasks(id),tasks(title))', 400, { code: '42712' }],
    ['/projects?select=id,clients(id)&clients=eq.1', 400, { code: 'PGRST120' }],
    [
      '/projects?select=id,clients(nope)',
      400,
      { code: '42703', message: 'column clients_1.nope does not exist' },
    ],
  ])('%s', async (path, status, body) => {
    const answer = await rest.ask('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject(body);
    expect(Object.keys(answer.json as object)).toEqual(['code', 'message', 'details', 'hint']);
  });
});
