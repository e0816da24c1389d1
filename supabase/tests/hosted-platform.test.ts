import { readFileSync } from 'node:fs';
import { listRights } from '@linkoteca/migrations/list-rights';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUnconditionalWrites, loadParser } from './support/find-unconditional-writes.ts';
import { type HostedPlatform, startHostedPlatform } from './support/start-hosted-platform.ts';

const postgres15 = findEarlierPostgres(15);
const servers = [
  { version: 18, binaries: undefined },
  ...(postgres15 ? [{ version: 15, binaries: postgres15 }] : []),
];

describe.each(servers)('a new project of the hosted platform, on Postgres $version', ({ binaries }) => {
  let platform: HostedPlatform;
  let push: Promise<void>;
  beforeAll(async () => {
    platform = await startHostedPlatform(binaries ? { binaries } : {});
    push = platform.pushMigrations();
    await Promise.allSettled([push]);
    await loadParser();
  }, 120_000);
  afterAll(() => platform.stop());

  test('takes every migration, statement by statement, from an account that is no superuser', async () => {
    await expect(push).resolves.toBeUndefined();
  });

  test('gives everybody the same rights as our own server', async () => {
    const own = await createThrowawayDatabase();
    try {
      const there = (await listRights(platform.owner)).filter(isOfProduct);
      expect(there).toEqual((await listRights(own.admin)).filter(isOfProduct));
      expect(there.length).toBeGreaterThan(300);
    } finally {
      await own.drop();
    }
  });

  test('has no function that updates or deletes without a condition, which its table API would refuse', async () => {
    const { rows } = await platform.owner.query<{ name: string; definition: string }>(
      `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind = 'f'`,
    );
    expect(rows.length).toBeGreaterThan(100);
    const refused = rows.filter(({ definition }) => findUnconditionalWrites(definition).length > 0);
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  test('tells of a deleted row, by its primary key, nothing but an id', async () => {
    const { rows } = await platform.owner.query(
      `select t.tablename as table, string_agg(a.attname || ' ' || a.atttypid::regtype, ', ' order by a.attnum) as told
       from pg_publication_tables t join pg_index i on i.indrelid = format('%I.%I', t.schemaname, t.tablename)::regclass and i.indisprimary
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       where t.pubname = 'supabase_realtime' group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { table: 'categories', told: 'id uuid' },
      { table: 'favorites', told: 'id uuid' },
      { table: 'folder_looks', told: 'folder_id uuid' },
      { table: 'folder_members', told: 'id uuid' },
      { table: 'folders', told: 'id uuid' },
      { table: 'links', told: 'id uuid' },
      { table: 'manual_order', told: 'id uuid' },
      { table: 'saved_searches', told: 'id uuid' },
      { table: 'shared_with', told: 'id uuid' },
      { table: 'subscribers', told: 'user_id uuid' },
      { table: 'tags', told: 'id uuid' },
    ]);
  });

  test('takes the schedule of the operations document, and each of its jobs runs', async () => {
    const { jobs, calls, byAnybody } = await runSchedule(platform);
    const names = ['account-upkeep', 'check-links', 'reconcile-subscriptions', 'share-notification'];
    expect({ jobs, calls, byAnybody }).toEqual({
      jobs: 8,
      calls: names.map((name) => ({ name, key: 'sb_secret_x', timeout: 150_000 })),
      byAnybody: false,
    });
  });

  test('forgets by that schedule what is kept for thirty days', async () => {
    const { owner, postgres } = platform;
    await addPerson(owner, BIA);
    await asPerson(owner, BIA, [
      `insert into public.folders (name) values ('Casa')`,
      `insert into public.categories (name, folder_id) select 'Jardim', id from public.folders`,
    ]);
    await postgres.query(
      `insert into private.category_changes (category_id, act, count, changed_at)
       select c.id, 'renamed', d.days, now() - make_interval(days => d.days)
       from public.categories c, (values (29), (31)) as d (days) where c.user_id = '${BIA}'`,
    );
    await postgres.query(
      `insert into private.account_closures (user_id, reason, reopened_at) values ('${BIA}', 'inactivity', now() - interval '31 days')`,
    );
    await runSchedule(platform);
    const { rows } = await postgres.query(
      `select (select array_agg(h.count) from private.category_changes h join public.categories c on c.id = h.category_id
         where c.user_id = '${BIA}' and h.act = 'renamed') as changes,
       (select count(*)::int from private.account_closures where user_id = '${BIA}') as closures`,
    );
    expect(rows).toEqual([{ changes: [29], closures: 0 }]);
  });

  test('keeps a library, by the rights of its owner alone, and what is due by its clock is done', async () => {
    const { owner, postgres } = platform;
    await addPerson(owner, ANA);
    await asPerson(owner, ANA, [
      `insert into public.folders (name) values ('Casa')`,
      `insert into public.categories (name, folder_id) select 'Jardim', id from public.folders`,
      `insert into public.links (title, url, category_id) select 'Rosas', 'https://a.br/', id from public.categories`,
      'delete from public.folders',
    ]);
    await postgres.query(`update private.deletions set purge_after = now()`);
    const purge = await postgres.query('select private.purge_deletions() as purged');
    expect(purge.rows).toEqual([{ purged: 3 }]);
    await owner.query('set role service_role; select public.finish_account_upkeep(); reset role');
    const { rows } = await postgres.query(
      `select due_at > now() + interval '1 hour' as later from private.account_upkeep`,
    );
    expect(rows).toEqual([{ later: true }]);
  });
});

/** What of pg_cron, pg_net and the vault the schedule uses; the table of calls stands for the functions. */
const EXTENSIONS = `
  create schema cron; create schema net; create schema vault;
  create table cron.job (name text, schedule text, command text);
  create function cron.schedule(text, text, text) returns void language sql as 'insert into cron.job values ($1, $2, $3)';
  create table net.calls (name text, key text, timeout int);
  create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
      timeout_milliseconds int default 5000) returns bigint language sql as
    $$ insert into net.calls values (substring(url from '[^/]+$'), headers ->> 'apikey', timeout_milliseconds) returning 1::bigint $$;
  create view vault.decrypted_secrets as select 'operator_key' as name, 'sb_secret_x' as decrypted_secret;
  grant usage on schema cron, net, vault to postgres;
  grant all on all tables in schema cron, net, vault to postgres;
`;

function readSchedule(): string {
  const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  return /```sql\n([^`]*cron\.schedule[^`]*)```/.exec(document)?.[1] ?? '';
}

/** What the schedule's jobs are, each of them run once, and what they called. */
async function runSchedule({ owner, postgres }: HostedPlatform) {
  try {
    await owner.query(EXTENSIONS);
    await postgres.query(readSchedule());
    const { rows: jobs } = await owner.query<{ command: string }>(
      'select command from cron.job order by name',
    );
    for (const { command } of jobs) await postgres.query(command);
    const { rows: calls } = await owner.query('select name, key, timeout from net.calls order by name');
    const allowed = await owner.query(
      `select has_function_privilege('authenticated', 'private.call_function(text)', 'execute') as by_anybody`,
    );
    return { jobs: jobs.length, calls, byAnybody: allowed.rows[0].by_anybody };
  } finally {
    await owner.query(
      'drop function if exists private.call_function(text); drop schema if exists cron, net, vault cascade',
    );
  }
}

const ANA = '00000000-0000-4000-8000-00000000000a';
const BIA = '00000000-0000-4000-8000-00000000000b';

const addPerson = (owner: pg.Client, id: string) =>
  owner.query(
    `set role supabase_auth_admin; insert into auth.users (id, email) values ('${id}', '${id}@exemplo.com.br'); reset role`,
  );

/** As the platform's table API calls: logged in as the account that may become any request role. */
async function asPerson({ host, port }: pg.Client, id: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ host, port, user: 'authenticator', database: 'postgres' });
  await client.connect();
  try {
    await client.query(`set role authenticated; set search_path = public`);
    const claims = JSON.stringify({ sub: id, role: 'authenticated', email: `${id}@exemplo.com.br` });
    await client.query(`select set_config('request.jwt.claims', $1, false)`, [claims]);
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** What the platform gives by itself, its default privileges among them, is its own; so are its tables but for our policies on them. */
function isOfProduct(line: string): boolean {
  return (
    !line.startsWith('alter default privileges') &&
    (/\b(?:public|private)\./.test(line) || /^create policy \S+ on (?:storage|realtime)\./.test(line))
  );
}
