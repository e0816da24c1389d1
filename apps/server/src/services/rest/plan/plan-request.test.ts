import { describe, expect, it } from 'vitest';
import { type PlanOptions, planWorkshop } from './test-support/plan-workshop.ts';

function plan(line: string, options?: PlanOptions) {
  const planned = planWorkshop(line, options);
  return planned.ok ? planned.value : planned.failure;
}
const prefer = (...words: string[]) => ({ headers: { prefer: words.join(', ') } });
const ONE = { accept: 'application/vnd.pgrst.object+json' };

describe('a method', () => {
  it.each([
    ['OPTIONS /', { kind: 'options', allow: 'OPTIONS,GET,HEAD' }],
    ['GET /', { kind: 'description', headersOnly: false }],
    ['HEAD /', { kind: 'description', headersOnly: true }],
    ['OPTIONS /clients', { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' }],
    ['OPTIONS /notes', { allow: 'OPTIONS,GET,HEAD,POST,PATCH,DELETE' }],
    ['OPTIONS /busy', { allow: 'OPTIONS,GET,HEAD,POST,PATCH,DELETE' }],
    ['OPTIONS /rpc/now', { allow: 'OPTIONS,POST' }],
    ['OPTIONS /rpc/first', { allow: 'OPTIONS,POST' }],
    ['OPTIONS /rpc/nope', { code: 'PGRST202' }],
    ['OPTIONS /nope', { code: 'PGRST205' }],
    ['GET /client', { code: 'PGRST205', hint: expect.stringContaining("'workshop.clients'") }],
    ['GET /elsewheres', { code: 'PGRST205', hint: null }],
    ['GET /clients', { kind: 'read', headersOnly: false, singular: false, maxRows: 1_000 }],
    ['HEAD /clients', { kind: 'read', headersOnly: true }],
  ])('%s', (line, expected) => {
    expect(plan(line)).toMatchObject(expected);
  });
});

it('the description of the service cannot be written', () => {
  expect(plan('POST /', { body: {} })).toMatchObject({ code: 'PGRST117' });
});

describe('a count', () => {
  it.each([
    ['/clients', 'planned', 'planned'],
    ['/clients', 'estimated', 'estimated'],
    ['/clients', 'exact', 'exact'],
    ['/projects', 'planned', 'exact'],
    ['/projects', 'estimated', 'exact'],
    ['/projects', 'exact', 'exact'],
    ['/clients?select=id,busy(id)', 'planned', 'planned'],
    ['/clients?select=id,projects(id)', 'planned', 'exact'],
    ['/clients?select=id,busy(id,clients(id,projects(id)))', 'planned', 'exact'],
    ['/tasks?select=id,people(id)', 'planned', 'exact'],
    ['/projects?select=id,open_of(id)', 'planned', 'exact'],
  ])(
    'of %s that is asked for as %s is %s: an estimate tells nothing of hidden rows',
    (path, wanted, count) => {
      expect(plan(`GET ${path}`, prefer(`count=${wanted}`))).toMatchObject({ count });
    },
  );

  it('is none where nobody asks', () => {
    expect(plan('GET /projects')).toMatchObject({ count: undefined });
  });
});

describe('a read', () => {
  const readOf = (query: string, options?: PlanOptions) => {
    const planned = plan(`GET /clients?${query}`, options);
    return 'read' in planned ? planned.read : planned;
  };

  it.each([
    ['', {}, 1_000, 0],
    ['limit=5', {}, 5, 0],
    ['limit=0', {}, 0, 0],
    ['limit=5000', {}, 1_000, 0],
    ['limit=5&offset=7', {}, 5, 7],
    ['limit=5&offset=2', { range: '3-4' }, 2, 3],
    ['', { range: '10-19' }, 10, 10],
  ])('by %j and %j is limited to %i from %i', (query, headers, limit, offset) => {
    expect(readOf(query, { headers })).toMatchObject({ limit, offset });
  });

  it('names each part once, however long its name and however often it is asked for', () => {
    const read = readOf('limit=1&select=id,a:projects(id,tasks(id,people(id))),b:projects(id)');
    const names = [...JSON.stringify(read).matchAll(/"alias":"(\w+_\d+(?:_\d+)?)"/g)].map(
      ([, alias]) => alias,
    );
    expect([...new Set(names)].sort()).toEqual([
      ...['people_3', 'people_tasks_3', 'pgrst_embed_1', 'pgrst_embed_1_2', 'pgrst_embed_2'],
      ...['pgrst_embed_3', 'projects_1', 'projects_1_2', 'tasks_2'],
    ]);
  });

  it('joins by keys, through a junction, and by functions of the row', () => {
    const embedOf = (line: string) => {
      const planned = plan(line);
      return 'read' in planned && planned.read ? planned.read.embeds[0] : planned;
    };
    expect(embedOf('GET /projects?select=clients(id)')).toMatchObject({
      ...{
        key: 'clients',
        toOne: true,
        inner: false,
        spread: false,
        visible: true,
        parentColumns: ['client_id'],
      },
      read: {
        source: { kind: 'relation', relation: { name: 'clients' } },
        joins: [{ alias: 'clients_1', column: 'id', otherAlias: 'projects', otherColumn: 'client_id' }],
        junction: undefined,
      },
    });
    expect(embedOf('GET /people?select=t:tasks!inner(id)')).toMatchObject({
      ...{ key: 't', toOne: false, inner: true, parentColumns: ['id'] },
      read: {
        joins: [
          { alias: 'people_tasks_1', column: 'person_id', otherAlias: 'people', otherColumn: 'id' },
          { alias: 'people_tasks_1', column: 'task_id', otherAlias: 'tasks_1', otherColumn: 'id' },
        ],
        junction: { relation: { name: 'people_tasks' }, alias: 'people_tasks_1' },
      },
    });
    expect(embedOf('GET /projects?select=open_of(id)')).toMatchObject({
      ...{ toOne: false, parentColumns: undefined },
      read: {
        source: {
          kind: 'computed',
          function: { name: 'open_of' },
          argumentAlias: 'projects',
          argumentType: { name: 'projects' },
        },
        joins: [],
      },
    });
    expect(embedOf('GET /projects?select=first_of(id)')).toMatchObject({ toOne: true });
    expect(embedOf('GET /projects?select=details(id)')).toMatchObject({ toOne: true });
    expect(embedOf('GET /projects?select=clients()')).toMatchObject({ visible: false });
    expect(embedOf('GET /projects?select=clients(busy(id))')).toMatchObject({ visible: true });
    expect(embedOf('GET /projects?select=clients(busy())')).toMatchObject({ visible: false });
  });

  it('spreads the names that its parts have', () => {
    const spread = (items: string) => {
      const planned = plan(`GET /projects?select=...clients(${items})`, { aggregates: true });
      return 'read' in planned && planned.read
        ? planned.read.embeds[0]?.spreadFields.map(({ name }) => name)
        : planned;
    };
    expect(spread('a:name,city,id::text')).toEqual(['a', 'city', 'id']);
    expect(spread('*')).toEqual(['id', 'name', 'city']);
    expect(spread('id.max(),n:id.min(),count()')).toEqual(['max', 'n', 'count']);
    expect(spread('id,busy(id),projects(),...orders(id)')).toMatchObject({ code: 'PGRST200' });
    expect(spread('id,busy(id),p:projects(id),none:projects(),...projects(name)')).toEqual([
      'id',
      'busy',
      'p',
      'name',
    ]);
    expect(plan('GET /projects?select=clients(id)')).toMatchObject({
      read: { embeds: [{ spreadFields: [] }] },
    });
  });

  it('leaves the aggregates of one row to the first resource above that has several', () => {
    const planned = plan('GET /tasks?select=...projects(...clients(id.max()::text,count()))', {
      aggregates: true,
    });
    expect(planned).toMatchObject({
      read: {
        embeds: [
          {
            spreadFields: [
              { name: 'max', aggregate: { name: 'max', cast: 'text' } },
              { name: 'count', aggregate: { name: 'count' } },
            ],
            read: {
              embeds: [
                {
                  spreadFields: [{ aggregate: undefined }, { aggregate: undefined }],
                  read: {
                    select: [
                      { alias: 'max', aggregate: undefined, marksRow: false },
                      { alias: 'count', aggregate: undefined, marksRow: true },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    });
    const ofMany = 'GET /clients?select=...projects(budget.sum())';
    expect(plan(ofMany)).toMatchObject({ code: 'PGRST123' });
    expect(plan(ofMany, { aggregates: true })).toMatchObject({
      code: 'PGRST127',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    });
    expect(
      plan('GET /clients?select=...tasks(...projects(budget.sum()))', { aggregates: true }),
    ).toMatchObject({ code: 'PGRST200' });
    expect(
      plan('GET /projects?select=...tasks(...projects(budget.sum()))', { aggregates: true }),
    ).toMatchObject({ code: 'PGRST127' });
  });

  it('calls what it reaches into by the last name on the way', () => {
    const aliases = (select: string) => {
      const planned = plan(`GET /projects?select=${select}`, { aggregates: true });
      return 'read' in planned && planned.read ? planned.read.select.map(({ alias }) => alias) : planned;
    };
    expect(aliases('data,data->a->>b,data->tags->0,data->0,x:data->a,data->a.max()')).toEqual([
      ...[undefined, 'b', 'tags', 'data', 'x', undefined],
    ]);
  });

  it('aggregates where that is allowed, and orders by one row at most', () => {
    expect(plan('GET /projects?select=budget.sum()')).toMatchObject({ code: 'PGRST123' });
    expect(plan('GET /projects?select=clients(id.max())')).toMatchObject({ code: 'PGRST123' });
    const order = (query: string) => plan(`GET /projects?select=id,clients(id),tasks(id)&order=${query}`);
    expect(order('name.desc,clients(name).nullsfirst')).toMatchObject({
      read: {
        order: [
          { owner: 'projects', field: { name: 'name', type: 'text' }, direction: 'desc' },
          { owner: 'pgrst_embed_1', field: { name: 'name', type: undefined }, nulls: 'first' },
        ],
      },
    });
    expect(order('tasks(id)')).toMatchObject({
      code: 'PGRST118',
      details: "'projects' and 'tasks' do not form a many-to-one or one-to-one relationship",
    });
    expect(order('nope(id)')).toMatchObject({ code: 'PGRST108' });
  });

  it('takes filters, order and limits to the part that they name, by its name or its own', () => {
    const query =
      'select=id,c:clients(id,busy(id))&clients.name=eq.a&c.order=name&c.busy.limit=3&clients.busy.offset=2';
    expect(plan(`GET /projects?${query}`)).toMatchObject({
      read: {
        where: [],
        order: [],
        embeds: [
          {
            read: {
              where: [{ field: { name: 'name' } }],
              order: [{ field: { name: 'name' } }],
              limit: 1_000,
              embeds: [{ read: { limit: 3, offset: 2 } }],
            },
          },
        ],
      },
    });
    for (const nowhere of ['busy.name=eq.a', 'clients.nope.order=id', 'nope.limit=1', 'nope.offset=1'])
      expect(plan(`GET /projects?select=id,clients(id)&${nowhere}`), nowhere).toMatchObject({
        code: 'PGRST108',
        message: expect.stringContaining(nowhere.startsWith('busy') ? "'busy'" : "'nope'"),
      });
  });
});

describe('a change', () => {
  const mutate = (line: string, options: PlanOptions = {}) => plan(line, { body: { name: 'x' }, ...options });

  it.each([
    ['POST /clients', { kind: 'insert', onConflict: undefined, bodyFilters: [] }],
    ['PATCH /clients?id=eq.1', { kind: 'update', where: [{ field: { name: 'id' } }], fillDefaults: false }],
    ['DELETE /clients?id=eq.1', { kind: 'delete', where: [{ field: { name: 'id' } }] }],
  ])('%s', (line, mutation) => {
    expect(mutate(line)).toMatchObject({
      ...{ kind: 'mutation', mutation, returning: [], read: undefined, location: false },
      expectation: { singular: false, maxAffected: undefined, matchesAddress: false },
    });
  });

  it('goes by the filters of the root alone, and refuses what a filter may not ask', () => {
    const back = prefer('return=representation');
    expect(mutate('PATCH /projects?id=eq.1&clients.name=eq.a&select=id,clients(id)', back)).toMatchObject({
      mutation: { where: [{ field: { name: 'id' } }] },
      read: { where: [], limit: undefined, embeds: [{ read: { where: [{ field: { name: 'name' } }] } }] },
    });
    for (const line of ['PATCH /clients?name=match.(?=a)', 'DELETE /clients?name=match.(?=a)'])
      expect(mutate(line)).toMatchObject({ code: '2201B' });
  });

  it('merges or keeps what is there already, by the key or by the columns that are named', () => {
    const conflict = (line: string, ...words: string[]) => {
      const planned = mutate(line, prefer(...words));
      return 'mutation' in planned && planned.mutation.kind === 'insert'
        ? planned.mutation.onConflict
        : planned;
    };
    expect(conflict('POST /clients', 'resolution=merge-duplicates')).toEqual({
      merge: true,
      columns: ['id'],
    });
    expect(conflict('POST /clients', 'resolution=ignore-duplicates')).toEqual({
      merge: false,
      columns: ['id'],
    });
    expect(conflict('POST /clients?on_conflict=name', 'resolution=merge-duplicates')).toEqual({
      ...{ merge: true, columns: ['name'] },
    });
    expect(conflict('POST /notes', 'resolution=merge-duplicates')).toMatchObject({ code: 'PGRST204' });
    const keyless = mutate('POST /notes', { body: { text: 'x' }, ...prefer('resolution=merge-duplicates') });
    expect(keyless).toMatchObject({ mutation: { onConflict: undefined } });
  });

  it('fills in defaults where that is asked for, and knows every column of its body', () => {
    expect(mutate('POST /clients', prefer('missing=default'))).toMatchObject({
      mutation: { fillDefaults: true },
    });
    expect(mutate('POST /clients')).toMatchObject({
      mutation: { fillDefaults: false, columns: [{ name: 'name' }] },
    });
    for (const method of ['POST', 'PATCH'])
      expect(mutate(`${method} /clients`, { body: { nope: 1 } })).toMatchObject({ code: 'PGRST204' });
  });

  it('tells where a new row is, if it has a key', () => {
    const location = (line: string, body: object, ...words: string[]) => {
      const planned = mutate(line, { body, ...prefer(...words) });
      return 'location' in planned ? [planned.location, planned.returning.map(({ name }) => name)] : planned;
    };
    expect(location('POST /clients', { name: 'x' }, 'return=headers-only')).toEqual([true, ['id']]);
    expect(location('POST /people_tasks', {}, 'return=headers-only')).toEqual([
      true,
      ['person_id', 'task_id'],
    ]);
    expect(location('POST /notes', { text: 'x' }, 'return=headers-only')).toEqual([false, []]);
    expect(location('PATCH /clients?id=eq.1', { name: 'x' }, 'return=headers-only')).toEqual([false, []]);
    expect(location('POST /clients', { name: 'x' }, 'return=minimal')).toEqual([false, []]);
  });

  it('gives back the columns that its answer needs, and no others', () => {
    const returning = (query: string) => {
      const planned = mutate(`PATCH /projects?id=eq.1&${query}`, prefer('return=representation'));
      return 'returning' in planned ? planned.returning.map(({ name }) => name) : planned;
    };
    expect(returning('select=name,id')).toEqual(['name', 'id']);
    expect(returning('select=name,label')).toEqual(['*']);
    expect(returning('select=name&order=budget')).toEqual(['name', 'budget']);
    expect(returning('select=name,clients(city)&order=clients(name)')).toEqual(['name', 'client_id']);
    expect(returning('select=name,*')).toEqual(['*']);
    expect(returning('select=name,open_of(id)')).toEqual(['*']);
    expect(mutate('PATCH /projects?select=label', prefer('return=representation'))).toMatchObject({
      returning: [{ name: '*' }],
      read: { select: [{ field: { name: 'label', computedBy: { name: 'label' } } }] },
    });
    expect(mutate('PATCH /projects?select=nope(id)', prefer('return=representation'))).toMatchObject({
      code: 'PGRST200',
    });
  });

  it.each([
    ['PATCH /clients', ['handling=strict', 'max-affected=3'], 3],
    ['DELETE /clients', ['handling=strict', 'max-affected=3'], 3],
    ['PATCH /clients', ['max-affected=3'], undefined],
    ['POST /clients', ['handling=strict', 'max-affected=3'], undefined],
  ])('%s with %j may change %s rows', (line, words, maxAffected) => {
    expect(mutate(line, prefer(...words))).toMatchObject({ expectation: { maxAffected } });
  });

  it('must fit one row where one is asked for', () => {
    expect(mutate('PATCH /clients', { headers: ONE })).toMatchObject({ expectation: { singular: true } });
    expect(mutate('PATCH /clients', { headers: { accept: 'text/csv' } })).toMatchObject({
      expectation: { singular: false },
    });
  });
});

describe('PUT', () => {
  const put = (query: string, table = 'people_tasks', body: object = { person_id: 1, task_id: 2 }) =>
    plan(`PUT /${table}?${query}`, { body });
  const WHOLE = 'person_id=eq.1&task_id=eq.2';

  it('writes the row that its address names', () => {
    expect(put(WHOLE)).toMatchObject({
      mutation: {
        kind: 'insert',
        onConflict: { merge: true, columns: ['person_id', 'task_id'] },
        bodyFilters: [{ field: { name: 'person_id' } }, { field: { name: 'task_id' } }],
      },
      expectation: { matchesAddress: true },
    });
    expect(put(WHOLE, 'people_tasks', { nope: 1 })).toMatchObject({ code: 'PGRST204' });
  });

  it.each([
    'person_id=eq.1',
    'person_id=eq.1&person_id=eq.2',
    'person_id=eq.1&nope=eq.2',
    `${WHOLE}&nope=eq.3`,
    'person_id=eq.1&task_id=gt.2',
    'person_id=eq.1&task_id=not.eq.2',
    'person_id=eq.1&task_id=in.(2)',
    'person_id=eq.1&task_id->>a=eq.2',
    'person_id=eq.1&task_id=eq(any).{2}',
    'and=(person_id.eq.1,task_id.eq.2)',
    `${WHOLE}&or=(person_id.eq.1)`,
    '',
  ])('names its row by all of its key and nothing else: not %s', (query) => {
    expect(put(query)).toMatchObject({ status: 405, code: 'PGRST105' });
  });

  it('has no row where there is no key, and no range', () => {
    expect(put('', 'notes', { text: 'x' })).toMatchObject({ code: 'PGRST105' });
    for (const range of ['limit=1', 'offset=1'])
      expect(put(`${WHOLE}&${range}`)).toMatchObject({ code: 'PGRST114' });
  });
});

describe('a call', () => {
  const call = (line: string, options?: PlanOptions) => plan(line, options);
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each<[string, PlanOptions, object]>([
    ['POST /rpc/now', { body: {} }, { kind: 'none' }],
    ['POST /rpc/now', {}, { kind: 'none' }],
    ['GET /rpc/now', {}, { kind: 'none' }],
    ['POST /rpc/greet', { body: { name: 'a' } }, { kind: 'json', text: '{"name":"a"}', names: ['name'] }],
    ['GET /rpc/greet?name=a&name=b', {}, { kind: 'pairs', pairs: [['name', 'b']] }],
    ['POST /rpc/greet', { headers: FORM, body: 'name=a' }, { kind: 'pairs', pairs: [['name', 'a']] }],
    ['GET /rpc/sum?values=1&values=2&values=3', {}, { kind: 'pairs', pairs: [['values', ['1', '2', '3']]] }],
    ['GET /rpc/sum?values=1', {}, { kind: 'pairs', pairs: [['values', ['1']]] }],
    ['POST /rpc/keep', { body: { a: 1 } }, { kind: 'single', type: 'jsonb', value: '{"a":1}' }],
    [
      'POST /rpc/take',
      { headers: { 'content-type': 'text/plain' }, body: 'olá' },
      { kind: 'single', type: 'text', value: 'olá' },
    ],
  ])('%s %j', (line, options, args) => {
    expect(call(line, options)).toMatchObject({ kind: 'call', arguments: args });
  });

  it.each([
    ['GET /rpc/greet?name=a', true, false],
    ['HEAD /rpc/greet?name=a', true, true],
    ['POST /rpc/greet', true, false],
    ['POST /rpc/search', true, false],
    ['POST /rpc/now', false, false],
    ['GET /rpc/now', true, false],
  ])('%s only reads: %s; answers with headers alone: %s', (line, readOnly, headersOnly) => {
    const body = { greet: { name: 'a' }, search: { words: 'a' } }[/rpc\/(\w+)/.exec(line)?.[1] ?? ''] ?? {};
    expect(call(line, line.startsWith('POST') ? { body } : {})).toMatchObject({ readOnly, headersOnly });
  });

  it('shapes the rows of a relation like any others, and a bare value not at all', () => {
    const query = 'words=a&select=name,label,clients(id)&budget=gt.1&order=name&limit=3&offset=1';
    expect(
      call(`GET /rpc/search?${query}`, { headers: { prefer: 'count=exact', range: '2-2' } }),
    ).toMatchObject({
      count: 'exact',
      read: {
        alias: 'projects',
        source: { kind: 'result' },
        select: [{ field: { name: 'name' } }, { field: { name: 'label', computedBy: { name: 'label' } } }],
        where: [{ field: { name: 'budget', type: 'text' } }],
        embeds: [{ key: 'clients' }],
        limit: 1,
        offset: 2,
      },
    });
    expect(call('GET /rpc/twice?value=1&select=nope')).toMatchObject({ code: 'PGRST203' });
    expect(call('GET /rpc/greet?name=a&select=nope')).toMatchObject({
      read: { alias: 'greet', select: [{ field: { name: '*' } }] },
    });
    expect(call('GET /rpc/search?words=a&select=nope(id)')).toMatchObject({ code: 'PGRST200' });
    expect(call('GET /rpc/search?words=a&name=match.(?=a)')).toMatchObject({ code: '2201B' });
    expect(call('GET /rpc/search?words=a&select=tasks(people(tasks(people(id))))')).toMatchObject({
      code: '54001',
    });
  });

  it('must fit a number of rows only where it gives rows', () => {
    const strict = { prefer: 'handling=strict, max-affected=2' };
    expect(call('GET /rpc/search?words=a', { headers: strict })).toMatchObject({
      expectation: { maxAffected: 2 },
    });
    expect(call('GET /rpc/search?words=a', { headers: { prefer: 'max-affected=2' } })).toMatchObject({
      expectation: { maxAffected: undefined },
    });
    expect(call('GET /rpc/first', { headers: strict })).toMatchObject({ code: 'PGRST128' });
    expect(call('GET /rpc/first', { headers: { prefer: 'max-affected=2' } })).toMatchObject({ kind: 'call' });
    expect(call('GET /rpc/first', { headers: { prefer: 'handling=strict' } })).toMatchObject({
      kind: 'call',
    });
    for (const [line, singular] of [
      ['GET /rpc/search?words=a', true],
      ['GET /rpc/first', false],
    ] as const)
      expect(call(line, { headers: ONE })).toMatchObject({
        expectation: { singular, matchesAddress: false },
      });
    expect(call('GET /rpc/search?words=a', { headers: { accept: 'text/csv' } })).toMatchObject({
      expectation: { singular: false },
    });
  });
});
