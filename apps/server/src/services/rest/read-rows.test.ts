import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

const OBJECT = { accept: 'application/vnd.pgrst.object+json' };
const ids = (json: unknown) => (json as { id: number }[]).map(({ id }) => id);

describe('filters', () => {
  it.each([
    ['/projects?id=eq.1', [1]],
    ['/projects?id=neq.1&order=id', [2, 3, 4]],
    ['/projects?id=gt.2&id=lte.4&order=id', [3, 4]],
    ['/projects?budget=gte.70&budget=lt.100.50', [3]],
    ['/projects?name=like.*t*&order=id', [2, 3]],
    ['/projects?name=ilike.%25FORNO%25', [1]],
    ['/projects?name=like(any).{F*,V*}&order=id', [1, 2]],
    ['/projects?name=ilike(all).{*o*,f*}', [1]],
    ['/projects?id=eq(any).{1,3}&order=id', [1, 3]],
    ['/projects?id=in.(1,2)&order=id', [1, 2]],
    ['/projects?id=not.in.(1,2)&order=id', [3, 4]],
    ['/projects?id=in.()', []],
    ['/projects?name=in.("Forno","x,y")', [1]],
    ['/projects?budget=is.null', [2]],
    ['/projects?budget=not.is.null&order=id', [1, 3, 4]],
    ['/projects?client_id=isdistinct.1&order=id', [3, 4]],
    ['/tasks?done=is.true', [1]],
    ['/projects?tags=cs.{b}&order=id', [1, 2]],
    ['/projects?tags=cd.{a,b,z}&order=id', [1, 2, 3]],
    ['/projects?tags=ov.{c,a}&order=id', [1, 4]],
    ['/projects?data=cs.{"level":2}', [2]],
    ['/projects?span=adj.[9,10)', [2]],
    ['/projects?span=sl.[5,6)&order=id', [1, 4]],
    ['/projects?data->>level=eq.1', [1]],
    ['/projects?data->owner->>name=eq.Ana', [1]],
    ['/projects?data->list->0=eq.1', [1]],
    ['/projects?tags->>0=eq.c', [4]],
    ['/tasks?words=fts(portuguese).tijolo', [1]],
    ['/tasks?listed=fts(portuguese).tijolo', [1]],
    ['/tasks?title_words=fts(portuguese).tijolo', [1]],
    ['/tasks?title_words=not.wfts(portuguese).tijolo&order=id', [2, 3, 4]],
    ['/tasks?title=plfts(portuguese).vidro', [3]],
    ['/tasks?title=wfts(portuguese).limpar -x', [3]],
    ['/projects?or=(id.eq.1,name.eq.Estante)&order=id', [1, 3]],
    ['/projects?or=(id.eq.1,and(budget.gt.60,name.not.eq.Forno))&order=id', [1, 3]],
    ['/projects?not.or=(id.eq.1,id.eq.2)&order=id', [3, 4]],
    ['/projects?and=(id.gt.1,or(name.eq.Vitrine,tags.cs.{c}))&order=id', [2, 4]],
    ['/projects?or=(id.in.(1,4),name.eq."Vitrine")&order=id', [1, 2, 4]],
    ['/projects?or=(data->>level.eq.2,data->owner->>name.eq.Ana)&order=id', [1, 2]],
    ["/projects?name=eq.'; drop table workshop.projects; --", []],
    ["/projects?name=ilike.%25'); drop table x", []],
  ])('%s', async (path, expected) => {
    const { status, json } = await rest.ask('GET', path.replaceAll(' ', '%20').replaceAll('"', '%22'));
    expect(status).toBe(200);
    expect(ids(json)).toEqual(expected);
  });

  it.each([
    ['/projects?name=match.%5EF', [1]],
    ['/projects?name=imatch.%5Ef', [1]],
    ['/projects?name=imatch(any).{%5Ef,x$}', [1]],
    ['/projects?or=(name.match.%5EF,id.eq.2)&order=id', [1, 2]],
  ])('%s, for signed-in callers alone', async (path, expected) => {
    const authorization = `Bearer ${await rest.tokenFor({ sub: '0d9c3f6e-0000-4000-8000-000000000001' })}`;
    expect(ids((await rest.ask('GET', path, { headers: { authorization } })).json)).toEqual(expected);
    const visitor = await rest.ask('GET', path);
    expect([visitor.status, visitor.json]).toEqual([401, expect.objectContaining({ code: '42501' })]);
  });
});

it('an empty select asks for all columns', async () => {
  const [empty, all] = await Promise.all([
    rest.ask('GET', '/projects?select=&order=id'),
    rest.ask('GET', '/projects?order=id'),
  ]);
  expect([empty.status, empty.json]).toEqual([200, all.json]);
});

describe('order', () => {
  it.each([
    ['budget.desc', [2, 1, 3, 4]],
    ['budget.desc.nullslast', [1, 3, 4, 2]],
    ['budget.nullsfirst', [2, 4, 3, 1]],
    ['client_id.desc.nullslast,id.desc', [3, 2, 1, 4]],
    ['data->level.desc.nullslast,id', [2, 1, 4, 3]],
  ])('%s', async (order, expected) => {
    const { json } = await rest.ask('GET', `/projects?order=${order}`);
    expect(ids(json)).toEqual(expected);
  });

  it.each([
    ['/projects?order=budget.desc.nullslast&order=id.desc', [1, 3, 4, 2]],
    ['/projects?order=id&limit=1&limit=3', [1, 2, 3]],
    ['/projects?order=id&offset=3&offset=1&limit=1&limit=2', [2, 3]],
  ])('said twice, as some clients do, is the first one, and a limit the last: %s', async (path, expected) => {
    expect(ids((await rest.ask('GET', path)).json)).toEqual(expected);
  });

  it('said twice of an embed is the first one, too, and a limit the last', async () => {
    const embedded = async (more: string) =>
      (await rest.ask('GET', `/clients?select=projects(id)&id=eq.1&projects.order=id.desc&${more}`)).json;
    expect(await embedded('projects.order=id')).toEqual([{ projects: [{ id: 2 }, { id: 1 }] }]);
    expect(await embedded('projects.limit=2&projects.limit=1')).toEqual([{ projects: [{ id: 2 }] }]);
  });
});

describe('select', () => {
  it('renames, casts, and reaches into JSON', async () => {
    const { json } = await rest.ask(
      'GET',
      '/projects?id=eq.1&select=nome:name,budget::text,data->owner->>name,data->list->1,nivel:data->level,tags->0',
    );
    expect(json).toEqual([{ nome: 'Forno', budget: '100.50', name: 'Ana', list: 2, nivel: 1, tags: 'a' }]);
  });

  it('finds odd names', async () => {
    const { json } = await rest.ask(
      'GET',
      `/odd%20name?select=${encodeURIComponent('"the \\"id\\"","a.b","c,d"," e "')}&%22a.b%22=eq.ponto`,
    );
    expect(json).toEqual([{ 'the "id"': 1, 'a.b': 'ponto', 'c,d': 'vírgula', ' e ': 'espaços' }]);
  });

  it('gives computed columns and views', async () => {
    const { json } = await rest.ask(
      'GET',
      '/tasks?select=title_and_state&title_and_state=like.*✓'.replace('✓', '%E2%9C%93'),
    );
    expect(json).toEqual([{ title_and_state: 'comprar tijolos ✓' }]);
    expect(ids((await rest.ask('GET', '/open_tasks?order=id')).json)).toEqual([2, 3, 4]);
  });

  it('writes numbers as Postgres does, without losing digits', async () => {
    const { text } = await rest.ask('GET', '/projects?id=eq.1&select=budget');
    expect(text).toBe('[{"budget":100.50}]');
  });

  it('leaves nulls out when asked', async () => {
    const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
    const { json } = await rest.ask('GET', '/projects?id=eq.2&select=id,budget', { headers: { accept } });
    expect(json).toEqual([{ id: 2 }]);
  });

  it('writes CSV', async () => {
    const { text, headers } = await rest.ask('GET', '/projects?select=id,name,tags&order=id&limit=2', {
      headers: { accept: 'text/csv' },
    });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text).toBe('id,name,tags\n1,Forno,"{a,b}"\n2,Vitrine,{b}');
  });
});

describe('pages and counts', () => {
  it.each([
    ['/projects?limit=2', {}, 200, '0-1/*', 2],
    ['/projects?limit=2&offset=1', { prefer: 'count=exact' }, 206, '1-2/4', 2],
    ['/projects', { prefer: 'count=exact' }, 200, '0-3/4', 4],
    ['/projects?id=eq.99', { prefer: 'count=exact' }, 200, '*/0', 0],
    ['/projects?limit=0', {}, 200, '*/*', 0],
    ['/projects', { range: '1-2' }, 200, '1-2/*', 2],
    ['/projects?limit=3', { range: '2-9', prefer: 'count=exact' }, 206, '2-2/4', 1],
    ['/projects?offset=4', { prefer: 'count=exact' }, 206, '*/4', 0],
    ['/projects', { prefer: 'count=estimated' }, 200, '0-3/4', 4],
    ['/clients?select=*,projects!inner(id)', { prefer: 'count=exact' }, 200, '0-1/2', 2],
  ])('GET %s %j', async (path, headers, status, range, rows) => {
    const answer = await rest.ask('GET', path, { headers });
    expect([answer.status, answer.headers['content-range']]).toEqual([status, range]);
    expect(answer.json).toHaveLength(rows);
  });

  it.each([
    ['/projects?select=id', '0-3/4', 200],
    ['/projects?select=id&limit=2&offset=3', '3-3/4', 206],
    ['/projects?id=gt.2&select=id', '0-1/2', 200],
  ])('HEAD %s counts without a body', async (path, range, status) => {
    const answer = await rest.ask('HEAD', path, { headers: { prefer: 'count=exact' } });
    expect([answer.status, answer.headers['content-range'], answer.text]).toEqual([status, range, '']);
    expect(answer.headers['preference-applied']).toBe('count=exact');
  });

  it('takes the planner at its word when asked for a planned count', async () => {
    const answer = await rest.ask('GET', '/projects', { headers: { prefer: 'count=planned' } });
    expect(String(answer.headers['content-range'])).toMatch(/^0-3\/\d+$/);
  });

  it('refuses an offset behind the last row, when the count is known', async () => {
    const answer = await rest.ask('GET', '/projects?offset=10', { headers: { prefer: 'count=exact' } });
    expect(answer.status).toBe(416);
    expect(answer.json).toEqual({
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'An offset of 10 was requested, but there are only 4 rows.',
      hint: null,
    });
    expect((await rest.ask('GET', '/projects?offset=10')).json).toEqual([]);
  });

  it('never gives more rows than the cap', async () => {
    const small = await openRestService(rest.database, { maxRows: 2 });
    try {
      const answer = await small.ask('GET', '/projects?limit=100&select=id,tasks(id)');
      expect(answer.json).toHaveLength(2);
      const counted = await small.ask('GET', '/projects', { headers: { prefer: 'count=exact' } });
      expect([counted.status, counted.headers['content-range']]).toEqual([206, '0-1/4']);
    } finally {
      await small.stop();
    }
  });
});

describe('one row', () => {
  it('is an object', async () => {
    const { status, json, headers } = await rest.ask('GET', '/clients?id=eq.2', { headers: OBJECT });
    expect([status, json]).toEqual([200, { id: 2, name: 'Livraria', city: 'Recife' }]);
    expect(headers['content-type']).toBe('application/vnd.pgrst.object+json; charset=utf-8');
  });

  it.each([
    ['/clients?id=eq.99', 0],
    ['/clients', 3],
  ])('is an error for %s', async (path, rows) => {
    const { status, json } = await rest.ask('GET', path, { headers: OBJECT });
    expect(status).toBe(406);
    expect(json).toEqual({
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: `The result contains ${rows} rows`,
      hint: null,
    });
  });

  it.each([
    ['/clients?id=eq.2', 200, undefined],
    ['/clients?id=eq.99', 406, 'PostgREST; error=PGRST116'],
    ['/clients', 406, 'PostgREST; error=PGRST116'],
  ])('is asked for without its body: %s', async (path, status, error) => {
    for (const counted of [{}, { prefer: 'count=exact' }]) {
      const answer = await rest.ask('HEAD', path, { headers: { ...OBJECT, ...counted } });
      expect([answer.status, answer.headers['proxy-status'], answer.text]).toEqual([status, error, '']);
    }
  });
});

describe('schemas', () => {
  it('answers which one it used, and refuses those that are not exposed', async () => {
    expect((await rest.ask('GET', '/clients?limit=1')).headers['content-profile']).toBe('workshop');
    const other = await rest.ask('GET', '/clients', { headers: { 'accept-profile': 'public' } });
    expect(other.json).toMatchObject({ code: 'PGRST205' });
    const hidden = await rest.ask('GET', '/users', { headers: { 'accept-profile': 'auth' } });
    expect(hidden.status).toBe(406);
    expect(hidden.json).toEqual({
      code: 'PGRST106',
      message: 'Invalid schema: auth',
      details: null,
      hint: 'Only the following schemas are exposed: workshop, public',
    });
  });

  it('describes what the caller may ask for', async () => {
    const { json, headers } = await rest.ask('GET', '/');
    expect(headers['content-type']).toBe('application/openapi+json; charset=utf-8');
    const { paths, definitions } = json as Record<string, Record<string, object>>;
    expect(Object.keys(paths ?? {})).toEqual(expect.arrayContaining(['/projects', '/rpc/add']));
    expect(paths).not.toHaveProperty('/secrets');
    expect(definitions?.['clients']).toMatchObject({ required: ['id', 'name'] });
  });

  it('tells which methods a resource takes', async () => {
    expect((await rest.ask('OPTIONS', '/clients')).headers['allow']).toBe(
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    );
    expect((await rest.ask('OPTIONS', '/rpc/nothing')).headers['allow']).toBe('OPTIONS,POST');
  });
});
