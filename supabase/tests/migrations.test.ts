import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import {
  MIGRATION_FOLDERS,
  type RunningTestCluster,
  startTestCluster,
} from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const postgres15 = findEarlierPostgres(15);
const servers = [
  { version: 18, binaries: undefined },
  ...(postgres15 ? [{ version: 15, binaries: postgres15 }] : []),
];

describe.each(servers)('migrations on Postgres $version', ({ version, binaries }) => {
  let cluster: RunningTestCluster;
  let superuser: pg.Client;
  let humble: ReturnType<typeof applyMigrations>;

  beforeAll(async () => {
    cluster = await startTestCluster({ migrated: false, ...(binaries ? { binaries } : {}) });
    superuser = new pg.Client(connectTo('postgres'));
    await superuser.connect();
    // Before a superuser migrates anything: roles belong to the cluster, and these are to be made by this account.
    await superuser.query('create role operator login createrole createdb');
    await superuser.query('create database humble owner operator');
    humble = migrateHumble();
    await Promise.allSettled([humble]);
  }, 60_000);

  afterAll(async () => {
    await superuser.end();
    await cluster.stop();
  });

  function connectTo(database: string, user = cluster.user): pg.ClientConfig {
    return { host: cluster.host, port: cluster.port, user, database };
  }

  test('the server is of the version asked for', async () => {
    const { rows } = await superuser.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    );
    expect(Math.floor(Number(rows[0]?.version) / 10_000)).toBe(version);
  });

  test('an account that may only create roles and databases migrates, and no role it makes is left out', async () => {
    expect((await humble).applied.length).toBeGreaterThan(10);
    const { rows } = await superuser.query<{ granted: string }>(
      `select distinct r.rolname as granted from pg_auth_members m
       join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
       where u.rolname = 'authenticator' order by 1`,
    );
    expect(rows.map(({ granted }) => granted)).toEqual([
      'anon',
      'authenticated',
      'payment_emulator',
      'service_role',
      'supabase_auth_admin',
      'supabase_realtime_admin',
      'supabase_storage_admin',
    ]);
  });

  test('everybody may do there what they may do where a superuser migrates, on any version', async () => {
    const client = new pg.Client(connectTo('humble', 'operator'));
    await client.connect();
    try {
      expect(await compareRights(client)).toEqual({ missing: [], extra: [] });
    } finally {
      await client.end();
    }
  });

  test('service_role reads every row even where nobody could give it bypassrls', async () => {
    const client = new pg.Client(connectTo('humble', 'operator'));
    await client.connect();
    try {
      const ana = await client.query<{ id: string }>(
        `insert into auth.users (id, email) values (gen_random_uuid(), 'ana@exemplo.com.br') returning id`,
      );
      await client.query('set role service_role');
      const { rows } = await client.query('select plan from public.profiles where id = $1', [
        ana.rows[0]?.id,
      ]);
      expect(rows).toEqual([{ plan: 'free' }]);
    } finally {
      await client.end();
    }
  });

  test('a plan’s space is counted where the tables’ owner is nobody special, and strangers see no file', async () => {
    const client = new pg.Client(connectTo('humble', 'operator'));
    await client.connect();
    const become = async (id: string) => {
      await client.query('reset role; set role authenticated');
      await client.query(`select set_config('request.jwt.claims', $1, false)`, [JSON.stringify({ sub: id })]);
    };
    try {
      const { rows } = await client.query<{ id: string }>(
        `insert into auth.users (id, email) select gen_random_uuid(), n || '@arquivos.br' from generate_series(1, 2) n returning id`,
      );
      const [owner = '', stranger = ''] = rows.map(({ id }) => id);
      const keep = (name: string) =>
        client.query(
          `insert into storage.objects (bucket_id, name, owner_id, metadata) values ('arquivos', $1 || $2, $1, '{"size": 60000000}')`,
          [owner, name],
        );
      await become(owner);
      await keep('/a');
      await expect(keep('/b')).rejects.toThrow('Limite de armazenamento de 100 MB atingido');
      await become(stranger);
      expect((await client.query('select from storage.objects')).rowCount).toBe(0);
    } finally {
      await client.end();
    }
  });

  test('addresses of links that change while the index is filled are found as they are then', async () => {
    await superuser.query('create database upgraded');
    const connect = connectTo('upgraded');
    const product = listMigrations(MIGRATION_FOLDERS.migrationsFolder).map((file) => file.version);
    const platform = listMigrations(MIGRATION_FOLDERS.platformFolder).map((file) => file.fileName);
    const filled = product.slice(0, 1 + product.indexOf('20261125030200'));
    const migrate = (count: number) =>
      applyMigrations({
        connect,
        ...MIGRATION_FOLDERS,
        only: { platform, product: product.slice(0, count) },
      });
    const client = new pg.Client(connect);
    try {
      await migrate(filled.length - 1);
      await client.connect();
      const { rows } = await client.query<{ id: string }>(
        `insert into auth.users (id, email) values (gen_random_uuid(), 'eva@exemplo.com.br') returning id`,
      );
      await client.query(`select set_config('request.jwt.claims', $1, false)`, [
        JSON.stringify({ sub: rows[0]?.id, role: 'authenticated' }),
      ]);
      await client.query(`with folder as (insert into public.folders (name) values ('Leis') returning id)
        insert into public.categories (name, folder_id) select 'Família', id from folder`);
      const add = (...names: readonly string[]) =>
        client.query(
          `insert into public.links (title, url, category_id)
           select n, 'https://www.exemplo.com.br/' || n || '/', c.id from public.categories c, unnest($1::text[]) n`,
          [names],
        );
      await add('fica', 'muda', 'some');
      await migrate(filled.length);
      await add('nova', 'fica');
      await client.query(`update public.links set url = 'http://exemplo.com.br/mudada' where title = 'muda'`);
      await client.query(`delete from public.links where title = 'some'`);
      await migrate(product.length);
      await client.query(
        `update public.links set url = 'https://exemplo.com.br/depois' where title = 'nova'`,
      );
      const kept = await client.query(
        `select l.title, a.hash = hashtextextended(private.address_key(l.url), 0) and a.user_id = l.user_id
           and a.created_at = l.created_at as right
         from private.link_addresses a full join public.links l on l.id = a.id order by l.title, l.id`,
      );
      expect(kept.rows).toEqual(['fica', 'fica', 'muda', 'nova'].map((title) => ({ title, right: true })));
      const repeated = await client.query('select title, copy_count::int from public.list_repeated_links()');
      expect(repeated.rows).toEqual([1, 2].map(() => ({ title: 'fica', copy_count: 2 })));
    } finally {
      await client.end();
    }
  });

  test('a folder that is deleted comes back whole where the tables’ owner is nobody special', async () => {
    const client = new pg.Client(connectTo('humble', 'operator'));
    await client.connect();
    try {
      const { rows } = await client.query<{ id: string }>(
        `insert into auth.users (id, email) values (gen_random_uuid(), 'bia@exemplo.com.br') returning id`,
      );
      await client.query(`select set_config('request.jwt.claims', $1, false)`, [
        JSON.stringify({ sub: rows[0]?.id, role: 'authenticated' }),
      ]);
      await client.query(
        `insert into public.subscribers (user_id, plan, subscription_status) values ($1, 'pro', 'active')`,
        [rows[0]?.id],
      );
      await client.query('set role authenticated');
      await client.query(`insert into public.folders (name) values ('Trabalho')`);
      await client.query(
        `insert into public.categories (name, folder_id) select 'C' || n, id from public.folders, generate_series(1, 3) n`,
      );
      await client.query(
        `insert into public.shared_with (category_id, email) select id, 'b@a.br' from public.categories`,
      );
      await client.query(
        `insert into public.links (title, url, category_id) select 'L' || n, 'https://a.br/' || n, id from public.categories, generate_series(1, 4) n`,
      );
      const gone = await client.query<{ id: string }>('delete from public.folders returning id');
      const undo = await client.query(`select public.undo_deletion('folder', $1) as restored`, [
        [gone.rows[0]?.id],
      ]);
      expect(undo.rows).toEqual([{ restored: { folders: 1, categories: 3, links: 12 } }]);
      const shared = await client.query('select from public.shared_with');
      expect(shared.rowCount).toBe(3);
      await client.query('reset role; set role supabase_realtime_admin');
      const told = await client.query(
        `select distinct topic from realtime.messages where event = 'changed' and private and topic like 'shared:%'`,
      );
      expect(told.rowCount).toBe(3);
    } finally {
      await client.end();
    }
  });

  test('a migration may say who uses private channels and broadcast from triggers, whoever owns the tables', async () => {
    const client = new pg.Client(connectTo('humble', 'operator'));
    await client.connect();
    try {
      await client.query(`
        begin;
        create table public.notes (id int primary key);
        grant insert on public.notes to authenticated;
        create function private.tell_note() returns trigger language plpgsql security definer set search_path = ''
        as $$
        begin
          perform realtime.broadcast_changes('notes', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end
        $$;
        create trigger notes_tell after insert on public.notes for each row execute function private.tell_note();
        create policy notes_heard on realtime.messages for select to authenticated using ((select realtime.topic()) = 'notes');
        set role authenticated;
        insert into public.notes values (1);
        reset role`);
      const { rows } = await client.query(
        `select topic, event, private from realtime.messages where topic = 'notes'`,
      );
      expect(rows).toEqual([{ topic: 'notes', event: 'INSERT', private: true }]);
      await client.query('set role supabase_realtime_admin');
      const { rows: readable } = await client.query(
        `select realtime.readable_extensions('authenticated', '{}', '{}', 'notes') as one,
           realtime.readable_extensions('authenticated', '{}', '{}', 'others') as other,
           realtime.readable_extensions('service_role', '{}', '{}', 'others') as service,
           realtime.is_writable('authenticated', '{}', '{}', 'notes', 'broadcast') as writable`,
      );
      expect(readable).toMatchObject([{ other: [], writable: false }]);
      for (const caller of ['one', 'service'])
        expect(new Set(readable[0]?.[caller] as string[])).toEqual(new Set(['broadcast', 'presence']));
    } finally {
      await client.query('rollback');
      await client.end();
    }
  });

  test('two copies that start at once both succeed, and every file is applied once', async () => {
    await superuser.query('create database shared');
    const [first, second] = await Promise.all([migrateShared(), migrateShared()]);
    const counts = [first.applied.length, second.applied.length].sort((a, b) => a - b);
    expect(counts[0]).toBe(0);
    expect(counts[1]).toBeGreaterThan(10);
  }, 30_000);

  test('a second run changes nothing', async () => {
    await humble;
    expect((await migrateHumble()).applied).toEqual([]);
  });

  test('two databases of one cluster migrate at the same time', async () => {
    await superuser.query('create database one');
    await superuser.query('create database two');
    const results = await Promise.all(
      ['one', 'two'].map((name) => applyMigrations({ connect: connectTo(name), ...MIGRATION_FOLDERS })),
    );
    expect(results.map(({ applied }) => applied.length > 10)).toEqual([true, true]);
  }, 30_000);

  function migrateHumble() {
    return applyMigrations({ connect: connectTo('humble', 'operator'), ...MIGRATION_FOLDERS });
  }

  function migrateShared() {
    return applyMigrations({ connect: connectTo('shared'), ...MIGRATION_FOLDERS });
  }
});
