import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RestConfig, RestSources } from '../../kernel/settings.ts';
import { openRestService, type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService(`
    create schema tools;
    grant usage on schema tools to anon, authenticated, authenticator;
    create function tools.secret_number() returns int language sql stable as 'select 7';
    create function tools.ask_first() returns void language plpgsql as $$
    begin
      if current_setting('request.headers')::json->>'x-banned' = 'yes' then
        raise sqlstate 'PT403' using message = 'banned';
      end if;
      perform set_config('response.headers', '[{"X-Asked": "' || current_user || '"}]', true);
      perform set_config('workshop.asked', current_user, true);
    end $$;
    create function tools.configure() returns void language plpgsql as $$
    begin
      perform set_config('pgrst.db_max_rows', '2', true);
      perform set_config('pgrst.db_aggregates_enabled', 'true', true);
    end $$;
    create function workshop.find_number() returns int language plpgsql stable as 'begin return secret_number(); end';
    create function workshop.path() returns text language sql stable as $$ select current_setting('search_path') $$;
    create function workshop.asked() returns text language sql stable as $$ select current_setting('workshop.asked', true) $$;
    create table workshop.later (id int primary key, other int references workshop.later (id) deferrable initially deferred);
    grant all on workshop.later to anon;
  `);
});
beforeEach(() => rest.reset());
afterAll(() => rest.stop());

/** Runs with one more server of these settings. */
async function serve<T>(
  settings: RestConfig,
  run: (bench: RestBench) => Promise<T>,
  sources: Partial<RestSources> = {},
): Promise<T> {
  const bench = await openRestService(rest.database, settings, rest.database.authenticator, sources);
  try {
    return await run(bench);
  } finally {
    await bench.stop();
  }
}

const schemasOf = { schemas: ['workshop'] };
const say = async (text: string) => {
  const { rows } = await rest.database.admin.query<{ name: string }>('select current_database() as name');
  await rest.database.admin.query(`alter role authenticator in database ${rows[0]?.name} ${text}`);
};
const tell = () => rest.database.admin.query(`notify pgrst, 'reload config'`);

describe('the search path', () => {
  it('is the schema that is asked, then the further ones', async () => {
    await serve({ extraSearchPath: ['tools', 'we"ird'] }, async (bench) => {
      expect((await bench.ask('GET', '/rpc/path')).json).toBe('"workshop", "tools", "we""ird"');
      expect((await bench.ask('GET', '/rpc/find_number')).json).toBe(7);
    });
    const refused = await rest.ask('GET', '/rpc/find_number');
    expect([refused.status, refused.json]).toMatchObject([404, { code: '42883' }]);
  });
});

it('types of the schema public are found whatever the search path is', async () => {
  await rest.database.admin.query(`
    create type public.mood as enum ('bom', 'mau');
    create table workshop.days (id int primary key, mood public.mood not null default 'bom');
    grant all on workshop.days to anon;
    create function workshop.after(mood public.mood) returns text language sql stable as 'select mood::text';
  `);
  await serve({ extraSearchPath: [] }, async (bench) => {
    const made = await bench.ask('POST', '/days?columns=id,mood', {
      body: [{ id: 1 }, { id: 2, mood: 'mau' }],
      headers: { prefer: 'return=representation,missing=default' },
    });
    expect([made.status, made.json]).toEqual([
      201,
      [
        { id: 1, mood: 'bom' },
        { id: 2, mood: 'mau' },
      ],
    ]);
    expect((await bench.ask('POST', '/rpc/after', { body: { mood: 'mau' } })).json).toBe('mau');
  });
});

describe('how changes end', () => {
  const add = (bench: RestBench, tx?: string) =>
    bench.ask('POST', '/clients', {
      body: { id: 50, name: 'Passageira' },
      headers: { prefer: `return=representation${tx === undefined ? '' : `,tx=${tx}`}` },
    });
  const isThere = async (bench: RestBench) =>
    (await bench.ask('GET', '/clients?id=eq.50')).json as readonly unknown[];

  it.each([
    ['commit', undefined, 1, null],
    ['commit', 'rollback', 1, null],
    ['commit-allow-override', 'rollback', 0, 'tx=rollback'],
    ['commit-allow-override', 'commit', 1, 'tx=commit'],
    ['rollback', undefined, 0, null],
    ['rollback', 'commit', 0, null],
    ['rollback-allow-override', undefined, 0, null],
    ['rollback-allow-override', 'commit', 1, 'tx=commit'],
  ] as const)('is %s, asked for %s', async (txEnd, tx, rows, applied) => {
    await serve({ txEnd }, async (bench) => {
      const answer = await add(bench, tx);
      expect([answer.status, answer.json]).toMatchObject([201, [{ id: 50 }]]);
      expect(answer.headers['preference-applied']).toBe(
        ['return=representation', ...(applied === null ? [] : [applied])].join(', '),
      );
      expect(await isThere(bench)).toHaveLength(rows);
    });
  });

  it('what is checked at the end is checked before it is taken back', async () => {
    await serve({ txEnd: 'rollback' }, async (bench) => {
      const refused = await bench.ask('POST', '/later', { body: { id: 1, other: 9 } });
      expect([refused.status, refused.json]).toMatchObject([409, { code: '23503' }]);
      const called = await bench.ask('POST', '/rpc/make_client', { body: { name: 'Chamada' } });
      expect(called.status).toBe(200);
      expect((await bench.ask('GET', '/clients?name=eq.Chamada')).json).toEqual([]);
    });
  });
});

describe('a function that is called before each request', () => {
  const preRequest = { schema: 'tools', name: 'ask_first' };

  it('runs as the caller, in the transaction, and may refuse', async () => {
    await serve({ preRequest }, async (bench) => {
      expect((await bench.ask('GET', '/rpc/asked')).json).toBe('anon');
      const headers = { authorization: `Bearer ${await bench.tokenFor({ sub: 'x' })}` };
      expect((await bench.ask('POST', '/rpc/asked', { headers })).json).toBe('authenticated');
      for (const [method, path] of [
        ['GET', '/clients'],
        ['HEAD', '/clients'],
        ['GET', '/'],
        ['POST', '/rpc/nothing'],
        ['DELETE', '/stock'],
      ] as const) {
        const refused = await bench.ask(method, path, { headers: { 'x-banned': 'yes' } });
        expect([method, path, refused.status]).toEqual([method, path, 403]);
      }
      expect((await bench.ask('GET', '/stock')).json).toHaveLength(2);
      expect((await bench.ask('GET', '/clients')).headers['x-asked']).toBe('anon');
      expect((await bench.ask('DELETE', '/stock?slot=eq.1')).headers['x-asked']).toBe('anon');
    });
  });

  it('refuses before a call is recorded that is recorded first', async () => {
    await rest.database.admin.query(`
      create table workshop.looks (at int);
      create function workshop.look() returns void language plpgsql volatile security definer as $$
      begin insert into workshop.looks values (1); end $$;
      comment on function workshop.look() is 'rest: recorded first';
    `);
    await serve({ preRequest }, async (bench) => {
      const refused = await bench.ask('POST', '/rpc/look', { headers: { 'x-banned': 'yes' } });
      expect(refused.status).toBe(403);
      const countLooks = async () => (await rest.database.admin.query('select from workshop.looks')).rowCount;
      expect(await countLooks()).toBe(0);
      expect((await bench.ask('POST', '/rpc/look')).status).toBe(204);
      expect(await countLooks()).toBe(2);
    });
  });

  it('may stand in the search path', async () => {
    await serve(
      { preRequest: { schema: undefined, name: 'ask_first' }, extraSearchPath: ['tools'] },
      async (bench) => expect((await bench.ask('GET', '/rpc/asked')).json).toBe('anon'),
    );
  });

  it('that is not there lets nobody in', async () => {
    await serve({ preRequest: { schema: 'tools', name: 'gone' } }, async (bench) =>
      expect((await bench.ask('GET', '/clients')).status).toBe(404),
    );
  });
});

it('settings of the operator’s own are read by SQL, policies included, and by nobody afterwards', async () => {
  await rest.database.admin.query(`
    create table workshop.shops (id int primary key);
    insert into workshop.shops values (1), (2);
    alter table workshop.shops enable row level security;
    create policy of_shop on workshop.shops for select to anon
      using (id::text = current_setting('app.settings.shop', true));
    grant select on workshop.shops to anon;
  `);
  await serve({ appSettings: { 'app.settings.SHOP': '2' } }, async (bench) => {
    for (let use = 0; use < 3; use += 1) expect((await bench.ask('GET', '/shops')).json).toEqual([{ id: 2 }]);
  });
  // The copy that stood there before learns of the table a moment later.
  await eventually(async () => expect((await rest.ask('GET', '/shops')).json).toEqual([]));
});

describe('tokens', () => {
  const bearer = async (claims: object) => ({
    authorization: `Bearer ${await rest.tokenFor({ ...claims })}`,
  });

  it('name their role where the settings say', async () => {
    const roleClaim = [
      { kind: 'key', key: 'realm' },
      { kind: 'index', index: 1 },
    ] as const;
    await serve({ roleClaim }, async (bench) => {
      const roleOf = async (claims: object) =>
        (await bench.ask('GET', '/rpc/caller', { headers: await bearer(claims) })).json;
      expect(await roleOf({ realm: ['x', 'service_role'] })).toMatchObject({ role: 'service_role' });
      // What stands in the usual place no longer counts.
      expect(await roleOf({ role: 'service_role' })).toMatchObject({ role: 'anon' });
      expect(await roleOf({ realm: ['service_role', 'postgres'] })).toMatchObject({ code: 'PGRST303' });
    });
    expect(
      (await rest.ask('GET', '/rpc/caller', { headers: await bearer({ realm: ['x', 'service_role'] }) }))
        .json,
    ).toMatchObject({ role: 'authenticated' });
  });

  it('that are made for somebody else are refused', async () => {
    await serve({ audience: 'shop' }, async (bench) => {
      const statusOf = async (claims: object) =>
        (await bench.ask('GET', '/clients', { headers: await bearer(claims) })).status;
      expect(await statusOf({ aud: 'shop' })).toBe(200);
      expect(await statusOf({ aud: ['a', 'shop'] })).toBe(200);
      expect(await statusOf({})).toBe(200);
      for (const aud of ['other', ['a'], { shop: true }, 1])
        expect([aud, await statusOf({ aud })]).toEqual([aud, 401]);
      const refused = await bench.ask('GET', '/clients', { headers: await bearer({ aud: 'other' }) });
      expect(refused.json).toMatchObject({ code: 'PGRST303', message: 'JWT not in audience' });
    });
  });
});

describe('the description', () => {
  it('may be left out, or name what the caller has no right to', async () => {
    await serve({ openApiMode: 'disabled' }, async (bench) => {
      const answer = await bench.ask('GET', '/');
      expect([answer.status, answer.json]).toMatchObject([404, { code: 'PGRST126' }]);
    });
    const pathsOf = async (bench: RestBench) =>
      Object.keys(((await bench.ask('GET', '/')).json as { paths: object }).paths);
    await serve({ openApiMode: 'ignore-privileges' }, async (bench) =>
      expect(await pathsOf(bench)).toContain('/secrets'),
    );
    expect(await pathsOf(rest)).not.toContain('/secrets');
  });
});

describe('what the database says', () => {
  it('is followed when it is told, and weaker than variables', async () => {
    await serve(
      {},
      async (bench) => {
        const countOf = async () => ((await bench.ask('GET', '/tasks')).json as unknown[]).length;
        expect(await countOf()).toBe(4);
        await say(`set pgrst.db_max_rows = '3'`);
        await say(`set pgrst.db_aggregates_enabled = 'true'`);
        await tell();
        await eventually(async () => expect(await countOf()).toBe(3));
        expect((await bench.ask('GET', '/tasks?select=id.max()')).json).toEqual([{ max: 4 }]);
        await say(`set pgrst.db_schemas = 'tools, workshop'`);
        await tell();
        await eventually(async () => expect((await bench.ask('GET', '/rpc/secret_number')).json).toBe(7));
      },
      { file: { schemas: ['workshop'], maxRows: 1000 }, variables: {} },
    );
    await serve({ ...schemasOf, maxRows: 2 }, async (bench) =>
      expect((await bench.ask('GET', '/tasks')).json).toHaveLength(2),
    );
    await serve(schemasOf, async (bench) => expect((await bench.ask('GET', '/tasks')).json).toHaveLength(4), {
      readsDatabase: false,
    });
    await say('reset all');
  });

  it('ends the start by its name where it would change who may do what', async () => {
    await say(`set pgrst.jwt_secret = 'a secret that nobody shall read'`);
    await say(`set pgrst.db_max_rows = 'many'`);
    try {
      await expect(openRestService(rest.database, {})).rejects.toThrow(
        /^Configuração inválida no banco: pgrst\.db_max_rows deve .*; pgrst\.jwt_secret não é seguido: [^']*$/,
      );
    } finally {
      await say('reset all');
    }
  });

  it('and changes nothing where it comes later', async () => {
    await serve(schemasOf, async (bench) => {
      const isKnown = async (name: string) => (await bench.ask('GET', `/${name}`)).status;
      await say(`set pgrst.db_anon_role = 'service_role'`);
      await say(`set pgrst.db_max_rows = '1'`);
      await rest.database.admin.query(
        'create table workshop.newest (id int); grant select on workshop.newest to anon',
      );
      await tell();
      await eventually(async () => expect(await isKnown('newest')).toBe(200));
      expect((await bench.ask('GET', '/tasks')).json).toHaveLength(4);
      expect((await bench.ask('GET', '/rpc/caller')).json).toMatchObject({ role: 'anon' });
      await say('reset all');
    });
  });

  it('may be said by a function, weaker than by the role', async () => {
    await say(`set pgrst.db_max_rows = '3'`);
    await serve(
      schemasOf,
      async (bench) => {
        expect((await bench.ask('GET', '/tasks')).json).toHaveLength(3);
        expect((await bench.ask('GET', '/tasks?select=id.max()')).json).toEqual([{ max: 4 }]);
      },
      { preConfig: { schema: 'tools', name: 'configure' } },
    );
    await say('reset all');
    const preConfig = { schema: 'tools', name: 'gone' };
    await expect(serve(schemasOf, async () => undefined, { preConfig })).rejects.toThrow(
      /^Configuração inválida: a função de PGRST_DB_PRE_CONFIG não pôde ser chamada\.$/,
    );
  });
});
