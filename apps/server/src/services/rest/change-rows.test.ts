import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
beforeEach(() => rest.reset());
afterAll(() => rest.stop());

const REPRESENTATION = { prefer: 'return=representation' };
const OBJECT = 'application/vnd.pgrst.object+json';

const ask: RestBench['ask'] = (method, path, options) => rest.ask(method, path, options);

describe('insert', () => {
  it('says nothing of the row unless asked', async () => {
    const answer = await ask('POST', '/clients', { body: { name: 'Nova' } });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([201, '', '*/*']);
    expect(answer.headers['location']).toBeUndefined();
  });

  it('names the schema of rows that it gives back, and of nothing else', async () => {
    const body = { name: 'Nova' };
    const shown = await ask('POST', '/clients', { body, headers: REPRESENTATION });
    const hidden = await ask('POST', '/clients', { body });
    expect([shown, hidden].map(({ headers }) => headers['content-profile'])).toEqual(['workshop', undefined]);
  });

  it('gives the row back, shaped by select, with what it embeds', async () => {
    const answer = await ask('POST', '/projects?select=name,clients(name)', {
      body: { name: 'Balcão', client_id: 1, data: { a: [1] }, tags: ['x'] },
      headers: { ...REPRESENTATION, accept: OBJECT },
    });
    expect([answer.status, answer.json]).toEqual([
      201,
      { name: 'Balcão', clients: { name: 'Padaria Ação' } },
    ]);
    expect(answer.headers['preference-applied']).toBe('return=representation');
  });

  it('takes many rows at once', async () => {
    const answer = await ask('POST', '/clients?columns="name","city"&select=name,city', {
      body: [{ name: 'A', city: 'X' }, { name: 'B' }],
      headers: { prefer: 'return=representation,count=exact' },
    });
    expect(answer.json).toEqual([
      { name: 'A', city: 'X' },
      { name: 'B', city: null },
    ]);
    expect(answer.headers['content-range']).toBe('*/2');
  });

  it('fills what is missing with nulls, or with defaults when asked', async () => {
    const body = [{ shelf: 'Z', slot: 1 }];
    const path = '/stock?columns=shelf,slot,item';
    const refused = await ask('POST', path, { body });
    expect([refused.status, refused.json]).toMatchObject([400, { code: '23502' }]);
    const filled = await ask('POST', path, {
      body,
      headers: { prefer: 'missing=default,return=representation' },
    });
    expect(filled.json).toEqual([{ shelf: 'Z', slot: 1, item: 'vazio', amount: 0 }]);
    expect(filled.headers['preference-applied']).toBe('missing=default, return=representation');
  });

  it('takes an empty object for a row of defaults, and an empty list for no row', async () => {
    const none = await ask('POST', '/clients', { body: [], headers: REPRESENTATION });
    expect([none.status, none.json]).toEqual([201, []]);
    const defaults = await ask('POST', '/stock', { body: {}, headers: REPRESENTATION });
    expect(defaults.json).toMatchObject({ code: '23502' });
  });

  it('gives the address of the new row', async () => {
    const answer = await ask('POST', '/stock', {
      body: { shelf: 'B&=é', slot: 7 },
      headers: { prefer: 'return=headers-only' },
    });
    expect([answer.status, answer.text, answer.headers['location']]).toEqual([
      201,
      '',
      '/stock?shelf=eq.B%26%3D%C3%A9&slot=eq.7',
    ]);
  });

  it('takes CSV', async () => {
    const answer = await ask('POST', '/clients?select=name,city', {
      body: 'name,city\n"A, B",NULL\nC,Olinda\n',
      headers: { ...REPRESENTATION, 'content-type': 'text/csv' },
    });
    expect(answer.json).toEqual([
      { name: 'A, B', city: null },
      { name: 'C', city: 'Olinda' },
    ]);
  });

  it('keeps every digit of a number', async () => {
    const answer = await ask('POST', '/projects?select=data', {
      body: '{"name":"n","data":{"n":12345678901234567890.123}}',
      headers: REPRESENTATION,
    });
    expect(answer.text).toBe('[{"data":{"n": 12345678901234567890.123}}]');
  });

  it('keeps emoji and right-to-left text', async () => {
    const name = '👩‍🍳 مخبز \u202e שלום %_\\ "\'';
    const answer = await ask('POST', '/clients?select=name', { body: { name }, headers: REPRESENTATION });
    expect(answer.json).toEqual([{ name }]);
  });

  it.each([
    [{ name: 'Livraria' }, 409, { code: '23505', details: 'Key (name)=(Livraria) already exists.' }],
    [
      { nome: 'x' },
      400,
      { code: 'PGRST204', message: "Could not find the 'nome' column of 'clients' in the schema cache" },
    ],
    [{ id: 'x', name: 'y' }, 400, { code: '22P02' }],
    [{ name: null }, 400, { code: '23502' }],
    [{ name: 'a\u0000b' }, 400, { code: '22P05' }],
    ['{"name":', 400, { code: 'PGRST102', message: 'Empty or invalid json' }],
    ['', 400, { code: 'PGRST102' }],
    [[{ name: 'a' }, { city: 'b' }], 400, { code: 'PGRST102', message: 'All object keys must match' }],
  ])('refuses %j', async (body, status, expected) => {
    const answer = await ask('POST', '/clients', { body });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject(expected);
  });

  it('says which type of content it does not take, also where it is none at all', async () => {
    const headers = { 'content-type': 'json' };
    const refused = await ask('POST', '/clients', { body: '{"name":"Nova"}', headers });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { code: 'PGRST102', message: 'Content-Type not acceptable: json' },
    ]);
    expect((await ask('DELETE', '/stock?slot=eq.1', { headers })).status).toBe(204);
    expect((await ask('GET', '/stock?slot=eq.1')).json).toEqual([]);
    expect((await ask('OPTIONS', '/stock', { headers })).status).toBe(200);
  });

  it('refuses a foreign key to nothing', async () => {
    const answer = await ask('POST', '/projects', { body: { name: 'x', client_id: 999 } });
    expect([answer.status, answer.json]).toMatchObject([409, { code: '23503' }]);
  });
});

describe('upsert', () => {
  it('merges on the primary key, and tells whether it created rows', async () => {
    const headers = { prefer: 'resolution=merge-duplicates,return=representation' };
    const merged = await ask('POST', '/stock', { body: [{ shelf: 'A', slot: 1, amount: 99 }], headers });
    expect([merged.status, merged.json]).toEqual([200, [{ shelf: 'A', slot: 1, item: 'prego', amount: 99 }]]);
    expect(merged.headers['preference-applied']).toBe('resolution=merge-duplicates, return=representation');
    const both = await ask('POST', '/stock', {
      body: [
        { shelf: 'A', slot: 1, amount: 1 },
        { shelf: 'N', slot: 1, amount: 2 },
      ],
      headers,
    });
    expect([both.status, (both.json as unknown[]).length]).toEqual([201, 2]);
    const none = await ask('POST', '/stock', { body: [], headers });
    expect([none.status, none.json]).toEqual([200, []]);
  });

  it('merges on another key, or leaves duplicates alone', async () => {
    const body = { name: 'Livraria', city: 'Natal' };
    const ignored = await ask('POST', '/clients?on_conflict=name', {
      body,
      headers: { prefer: 'resolution=ignore-duplicates,return=representation' },
    });
    expect([ignored.status, ignored.json]).toEqual([201, []]);
    const merged = await ask('POST', '/clients?on_conflict=name&select=id,city', {
      body,
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    });
    expect([merged.status, merged.json]).toEqual([200, [{ id: 2, city: 'Natal' }]]);
  });

  it('blames the body that names one row twice', async () => {
    const row = { shelf: 'A', slot: 1, amount: 1 };
    const answer = await ask('POST', '/stock', {
      body: [row, row],
      headers: { prefer: 'resolution=merge-duplicates' },
    });
    expect([answer.status, answer.json]).toMatchObject([400, { code: '21000' }]);
  });

  it('PUT writes the one row that the address names', async () => {
    const path = '/stock?shelf=eq.P&slot=eq.1';
    const body = { shelf: 'P', slot: 1, item: 'cola' };
    expect((await ask('PUT', path, { body, headers: REPRESENTATION })).status).toBe(201);
    expect((await ask('PUT', path, { body, headers: REPRESENTATION })).status).toBe(200);
    expect((await ask('PUT', path, { body })).status).toBe(204);
    const other = await ask('PUT', path, { body: { ...body, slot: 2 } });
    expect([other.status, other.json]).toMatchObject([400, { code: 'PGRST115' }]);
    expect((await ask('GET', '/stock?shelf=eq.P')).json).toHaveLength(1);
    expect((await ask('PUT', '/stock?shelf=eq.P', { body })).json).toMatchObject({ code: 'PGRST105' });
    expect((await ask('PUT', `${path}&limit=1`, { body })).json).toMatchObject({ code: 'PGRST114' });
  });

  it('PUT writes its row whole, whatever columns the address names', async () => {
    const path = '/stock?shelf=eq.A&slot=eq.1&columns=shelf,slot';
    const row = { shelf: 'A', slot: 1, item: 'cola', amount: 5 };
    const put = await ask('PUT', path, { body: row, headers: REPRESENTATION });
    expect([put.status, put.json]).toEqual([200, [row]]);
    const unknown = await ask('PUT', path, { body: { ...row, nome: 'x' } });
    expect([unknown.status, unknown.json]).toMatchObject([400, { code: 'PGRST204' }]);
  });

  it.each([
    'shelf=not.eq.P&slot=eq.1',
    'shelf=eq.P&slot=not.eq.1',
    'shelf=eq.P&slot=gt.0',
    'shelf=eq(any).{P}&slot=eq.1',
    'shelf=eq.P&slot=eq.1&slot=not.eq.2',
    'and=(shelf.eq.P,slot.eq.1)',
  ])('PUT names its row by equality alone: not by %s', async (filters) => {
    const before = (await ask('GET', '/stock?order=shelf,slot')).json;
    // The body would meet the negated filters, too.
    for (const body of [
      { shelf: 'P', slot: 1, item: 'cola' },
      { shelf: 'Q', slot: 1, item: 'cola' },
      { shelf: 'P', slot: 2, item: 'cola' },
    ]) {
      const answer = await ask('PUT', `/stock?${filters}`, { body });
      expect([answer.status, answer.json]).toMatchObject([405, { code: 'PGRST105' }]);
    }
    expect((await ask('GET', '/stock?order=shelf,slot')).json).toEqual(before);
  });
});

describe('update', () => {
  it.each(['minimal', 'representation'])(
    'does not learn of a deadlock that it did not cause (%s)',
    async (prefer) => {
      const { admin } = rest.database;
      const [other, third] = [await admin.connect(), await admin.connect()];
      const countWaiting = async () =>
        (
          await admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rowCount;
      try {
        // The request begins to wait last, so it is the one that Postgres picks.
        await other.query(
          `begin; set local deadlock_timeout = '10min'; update workshop.clients set city = 'A' where id = 3`,
        );
        await third.query('begin; select from workshop.clients where id = 2 for update');
        // A visitor would be cut off after two seconds, in which a busy machine may not come so far.
        const token = await rest.tokenFor({ role: 'service_role' });
        const answer = ask('PATCH', '/clients?id=in.(1,2,3)', {
          body: { city: 'B' },
          headers: {
            prefer: `return=${prefer},max-affected=3,handling=strict`,
            authorization: `Bearer ${token}`,
          },
        });
        await expect.poll(countWaiting).toBe(1);
        const crossing = other.query(`update workshop.clients set city = 'A' where id = 1`);
        await expect.poll(countWaiting).toBe(2);
        await third.query('commit');
        await crossing;
        await other.query('commit');
        expect((await answer).status).toBe(prefer === 'minimal' ? 204 : 200);
        const after = await admin.query('select distinct city from workshop.clients where id in (1, 2, 3)');
        expect(after.rows).toEqual([{ city: 'B' }]);
      } finally {
        other.release(true);
        third.release(true);
      }
    },
  );

  it('does not learn of a second deadlock either', async () => {
    const { admin } = rest.database;
    await admin.query(
      `insert into workshop.clients (id, name, city) select n, 'C' || n, 'Z' from generate_series(11, 15) n`,
    );
    const [first, second, third, fourth] = await Promise.all(
      Array.from({ length: 4 }, () => admin.connect()),
    );
    if (!first || !second || !third || !fourth) throw new Error('four connections');
    const pidOf = async (client: typeof first) =>
      (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    const [firstPid, secondPid, thirdPid, fourthPid] = await Promise.all(
      [first, second, third, fourth].map(pidOf),
    );
    const countBlockedBy = async (pid: number | undefined) =>
      (
        await admin.query(
          'select from pg_stat_activity where datname = current_database() and $1 = any (pg_blocking_pids(pid))',
          [pid],
        )
      ).rowCount;
    const isBlocked = async (pid: number | undefined) =>
      (await admin.query('select from pg_blocking_pids($1) as p(pids) where cardinality(pids) > 0', [pid]))
        .rowCount === 1;
    const change = (id: number) => `update workshop.clients set city = 'A' where id = ${id}`;
    try {
      // The request begins to wait last, twice, so it is the one that Postgres picks.
      await first.query(`begin; set local deadlock_timeout = '10min'; ${change(13)}`);
      await second.query(`begin; set local deadlock_timeout = '10min'; ${change(15)}`);
      await third.query(`begin; ${change(12)}`);
      await fourth.query(`begin; ${change(14)}`);
      const token = await rest.tokenFor({ role: 'service_role' });
      const answer = ask('PATCH', '/clients?id=gt.10', {
        body: { city: 'B' },
        headers: { prefer: 'return=minimal', authorization: `Bearer ${token}` },
      });
      await expect.poll(() => countBlockedBy(thirdPid)).toBe(1);
      const crossing = first.query(change(11));
      await expect.poll(() => isBlocked(firstPid)).toBe(true);
      await third.query('commit');
      await crossing;
      await first.query('commit');
      await expect.poll(() => countBlockedBy(fourthPid)).toBe(1);
      const crossingAgain = second.query(change(11));
      await expect.poll(() => isBlocked(secondPid)).toBe(true);
      await fourth.query('commit');
      await crossingAgain;
      await second.query('commit');
      expect((await answer).status).toBe(204);
      const after = await admin.query('select distinct city from workshop.clients where id > 10');
      expect(after.rows).toEqual([{ city: 'B' }]);
    } finally {
      for (const client of [first, second, third, fourth]) client.release(true);
    }
  });

  it('changes what the filters find, and says how much', async () => {
    const answer = await ask('PATCH', '/projects?client_id=eq.1', {
      body: { budget: 1 },
      headers: { prefer: 'count=exact' },
    });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([204, '', '0-1/2']);
    const none = await ask('PATCH', '/projects?id=eq.99', { body: { budget: 1 } });
    expect([none.status, none.headers['content-range']]).toEqual([204, '*/*']);
  });

  it('gives the rows back, with what they embed', async () => {
    const answer = await ask(
      'PATCH',
      '/projects?id=in.(1,2)&select=id,clients(name),tasks(title)&order=id.desc&tasks.order=title',
      {
        body: { client_id: 2 },
        headers: REPRESENTATION,
      },
    );
    expect(answer.json).toEqual([
      { id: 2, clients: { name: 'Livraria' }, tasks: [{ title: 'limpar vidros' }] },
      { id: 1, clients: { name: 'Livraria' }, tasks: [{ title: 'acender' }, { title: 'comprar tijolos' }] },
    ]);
  });

  it('gives computed columns and computed embeds of changed rows', async () => {
    const task = await ask('PATCH', '/tasks?id=eq.2&select=title_and_state', {
      body: { done: true },
      headers: REPRESENTATION,
    });
    expect(task.json).toEqual([{ title_and_state: 'acender ✓' }]);
    const project = await ask('PATCH', '/projects?id=eq.2&select=id,open_of(id)', {
      body: { budget: 3 },
      headers: REPRESENTATION,
    });
    expect(project.json).toEqual([{ id: 2, open_of: [{ id: 3 }] }]);
  });

  it('does nothing for an empty body', async () => {
    const answer = await ask('PATCH', '/clients?id=eq.1&select=name', { body: {}, headers: REPRESENTATION });
    expect([answer.status, answer.json]).toEqual([200, []]);
  });

  it('asks no right to change anything for an empty body', async () => {
    const { admin } = rest.database;
    await admin.query(
      'revoke update on workshop.clients from anon; grant update (city) on workshop.clients to anon',
    );
    try {
      const silent = await ask('PATCH', '/clients?id=eq.1', { body: {} });
      expect([silent.status, silent.text]).toEqual([204, '']);
      const shown = await ask('PATCH', '/clients?id=eq.1&select=name', { body: {}, headers: REPRESENTATION });
      expect([shown.status, shown.json]).toEqual([200, []]);
    } finally {
      await admin.query(
        'revoke update (city) on workshop.clients from anon; grant update on workshop.clients to anon',
      );
    }
  });

  it('refuses a broken rule', async () => {
    const answer = await ask('PATCH', '/projects?id=eq.1', { body: { budget: -1 } });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      {
        code: '23514',
        message: 'new row for relation "projects" violates check constraint "projects_budget_positive"',
      },
    ]);
  });
});

describe('delete', () => {
  it('removes what the filters find', async () => {
    const answer = await ask('DELETE', '/stock?item=eq.prego', { headers: { prefer: 'count=exact' } });
    expect([answer.status, answer.headers['content-range']]).toEqual([204, '*/1']);
    const rows = await ask('DELETE', '/stock?select=item', { headers: REPRESENTATION });
    expect([rows.status, rows.json]).toEqual([200, [{ item: 'parafuso' }]]);
  });
});

describe('a change that must fit a number of rows', () => {
  it.each([
    ['PATCH', '/stock', { amount: 0 }, 2],
    ['PATCH', '/stock?slot=eq.9', { amount: 0 }, 0],
    ['DELETE', '/stock', undefined, 2],
    [
      'POST',
      '/stock',
      [
        { shelf: 'Q', slot: 1 },
        { shelf: 'Q', slot: 2 },
      ],
      2,
    ],
  ])('%s %s is taken back when it is not one row', async (method, path, body, rows) => {
    const before = (await ask('GET', '/stock?order=shelf,slot')).json;
    const answer = await ask(method, path, { body, headers: { ...REPRESENTATION, accept: OBJECT } });
    expect([answer.status, answer.json]).toMatchObject([
      406,
      { code: 'PGRST116', details: `The result contains ${rows} rows` },
    ]);
    expect((await ask('GET', '/stock?order=shelf,slot')).json).toEqual(before);
  });

  it.each(['return=representation', 'return=representation,resolution=merge-duplicates'])(
    'one new row is taken back when an inner embed leaves it out (%s)',
    async (prefer) => {
      const insert = (name: string, clientId: number | null) =>
        ask('POST', '/projects?select=name,clients!inner(name)', {
          body: { id: 50, name, client_id: clientId },
          headers: { prefer, accept: OBJECT },
        });
      const refused = await insert('Sem cliente', null);
      expect([refused.status, refused.json]).toMatchObject([
        406,
        { code: 'PGRST116', details: 'The result contains 0 rows' },
      ]);
      expect((await ask('GET', '/projects?id=eq.50')).json).toEqual([]);
      const done = await insert('Com cliente', 2);
      expect([done.status, done.json]).toEqual([201, { name: 'Com cliente', clients: { name: 'Livraria' } }]);
    },
  );

  it('one new row is taken back when a trigger keeps it out, with what the trigger did', async () => {
    await rest.database.admin.query(`
      create function workshop.put_elsewhere() returns trigger language plpgsql security definer as $$
      begin
        insert into workshop.addresses values (50, new.name);
        return null;
      end $$;
      create trigger elsewhere before insert on workshop.clients for each row execute function workshop.put_elsewhere();
    `);
    try {
      const insert = (accept: string) =>
        ask('POST', '/clients', { body: { name: 'Rua C' }, headers: { ...REPRESENTATION, accept } });
      const refused = await insert(OBJECT);
      expect([refused.status, refused.json]).toMatchObject([
        406,
        { code: 'PGRST116', details: 'The result contains 0 rows' },
      ]);
      expect((await ask('GET', '/addresses?id=eq.50')).json).toEqual([]);
      const done = await insert('application/json');
      expect([done.status, done.json]).toEqual([201, []]);
      expect((await ask('GET', '/addresses?id=eq.50')).json).toHaveLength(1);
    } finally {
      await rest.database.admin.query('drop function workshop.put_elsewhere() cascade');
    }
  });

  it('max-affected stops a change that goes too far, when handling is strict', async () => {
    const headers = { prefer: 'handling=strict,max-affected=1' };
    const refused = await ask('DELETE', '/stock', { headers });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { code: 'PGRST124', details: 'The query affects 2 rows' },
    ]);
    expect((await ask('GET', '/stock')).json).toHaveLength(2);
    const done = await ask('DELETE', '/stock?slot=eq.1', { headers });
    expect([done.status, done.headers['preference-applied']]).toEqual([
      204,
      'handling=strict, max-affected=1',
    ]);
    expect((await ask('DELETE', '/stock', { headers: { prefer: 'max-affected=0' } })).status).toBe(204);
  });

  it('strict handling refuses unknown preferences', async () => {
    const answer = await ask('GET', '/stock', { headers: { prefer: 'handling=strict, speed=fast' } });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { code: 'PGRST122', details: 'Invalid preferences: speed=fast' },
    ]);
  });
});

it('a guard of the database against changes of whole tables is answered in its own words', async () => {
  await rest.database.admin.query(`
    create function workshop.require_where() returns trigger language plpgsql as $$
    begin
      raise exception using errcode = '21000', message = tg_op || ' requires a WHERE clause';
    end $$;
    create trigger guard before update or delete on workshop.stock execute function workshop.require_where();
  `);
  try {
    for (const [method, operation] of [
      ['PATCH', 'UPDATE'],
      ['DELETE', 'DELETE'],
    ] as const) {
      const body = method === 'PATCH' ? { amount: 1 } : undefined;
      const refused = await ask(method, '/stock', { body });
      expect([refused.status, refused.json]).toEqual([
        400,
        { code: '21000', message: `${operation} requires a WHERE clause`, details: null, hint: null },
      ]);
    }
  } finally {
    await rest.database.admin.query('drop function workshop.require_where() cascade');
  }
});
