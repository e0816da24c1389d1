import { readFileSync } from 'node:fs';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import { listRights } from '@linkoteca/migrations/list-rights';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const NOTHING = { missing: [], extra: [] };
const POOLS = ['anon', 'authenticated', 'service_role'];

let database: ThrowawayDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('the list beside the migrations is what they make', async () => {
  const written = readFileSync(
    new URL('../../packages/migrations/src/expected-rights.txt', import.meta.url),
    'utf8',
  );
  const lines = await listRights(client);
  expect(written, 'run: node packages/migrations/src/generate-rights.ts').toBe(`${lines.join('\n')}\n`);
});

test('nothing in any schema of the product is granted by default, whoever creates it', async () => {
  const { rows } = await client.query('select from pg_default_acl');
  expect(rows).toEqual([]);
  await client.query(`
    begin;
    create table public.restored (id int primary key);
    create function public.restored() returns int language sql as 'select 1';
    create sequence public.restored_ids`);
  try {
    const { rows: rights } = await client.query(
      `select r.name, has_table_privilege(r.name, 'public.restored', 'select, insert, update, delete, truncate') as "table",
         has_sequence_privilege(r.name, 'public.restored_ids', 'usage, select, update') as "sequence"
       from unnest($1::text[]) as r (name)`,
      [POOLS],
    );
    expect(rights).toEqual(POOLS.map((name) => ({ name, table: false, sequence: false })));
  } finally {
    await client.query('rollback');
  }
});

test('listing rights leaves the connection as it was, in a transaction and outside, and needs no right of its own', async () => {
  const readPath = async () => (await client.query('show search_path')).rows[0]?.search_path;
  await client.query('set search_path = public, extensions; set role service_role');
  expect(await compareRights(client)).toEqual(NOTHING);
  expect(await readPath()).toBe('public, extensions');
  await client.query('begin; set local search_path = private');
  expect(await compareRights(client)).toEqual(NOTHING);
  expect(await readPath()).toBe('private');
  await client.query('commit');
  expect(await readPath()).toBe('public, extensions');
  await client.query('reset role; reset search_path');
});

describe('a difference is found and named', () => {
  beforeEach(async () => {
    await client.query('begin');
  });
  afterEach(async () => {
    await client.query('rollback');
  });

  test.each<readonly [string, string]>([
    ['grant all on all tables in schema public to anon', 'grant all on table public.categories to anon'],
    [
      'grant update (plan) on public.profiles to authenticated',
      'grant update (name, plan, updated_at) on table public.profiles to authenticated',
    ],
    [
      'grant select on private.installation to public',
      'grant select on table private.installation to public',
    ],
    ['grant select on auth.users to anon', 'grant select on table auth.users to anon'],
    [
      'grant execute on function public.purge_account(uuid, integer) to public',
      'grant execute on function public.purge_account(uuid, integer) to public',
    ],
    ['grant usage on schema private to anon', 'grant usage on schema private to anon'],
    [
      'grant create on schema public to authenticated',
      'grant create, usage on schema public to authenticated',
    ],
    [
      'alter default privileges in schema public grant select on tables to anon',
      'alter default privileges for role postgres in schema public grant select on tables to anon',
    ],
    [
      'alter default privileges grant select on tables to public',
      'alter default privileges for role postgres grant select on tables to public',
    ],
    [
      'create policy open on public.links to anon using (true)',
      'create policy open on public.links as permissive for all to anon using (true)',
    ],
    [
      'create policy open on storage.objects for select to anon using (true)',
      'create policy open on storage.objects as permissive for select to anon using (true)',
    ],
    [
      `create policy open on storage.objects for select to anon using (bucket_id = 'arquivos')`,
      `create policy open on storage.objects as permissive for select to anon using ((bucket_id = 'arquivos'::text))`,
    ],
    [
      'create policy open on realtime.messages for select to anon using (true)',
      'create policy open on realtime.messages as permissive for select to anon using (true)',
    ],
    [
      'create table public.restored (id int); grant all on public.restored to anon',
      'grant all on table public.restored to anon',
    ],
    ['create table public.restored (id int)', 'table public.restored is owned by the operator'],
    [
      'create view public.addresses as select email from auth.users; grant select on public.addresses to anon',
      'grant select on table public.addresses to anon',
    ],
    [
      'create function public.restored() returns int language sql as $$ select 1 $$',
      'grant execute on function public.restored() to public',
    ],
    [
      'alter function storage.filename(text) security definer',
      'alter function storage.filename(text) security definer',
    ],
    [
      'alter table public.links disable trigger links_touch',
      'alter table public.links disable trigger links_touch',
    ],
    ['alter table public.links disable trigger all', 'alter table public.links disable trigger all'],
    ['alter schema public owner to anon', 'schema public is owned by anon'],
    ['grant supabase_auth_admin to anon', 'grant supabase_auth_admin to anon'],
    ['alter role anon bypassrls', 'alter role anon bypassrls'],
    ['grant create on database %I to anon', 'grant create on database to anon'],
  ])('too much: %s', async (tampering, line) => {
    await client.query(tampering.replace('%I', client.escapeIdentifier(client.database ?? '')));
    expect((await compareRights(client)).extra).toContain(line);
  });

  test.each<readonly [string, string]>([
    [
      'alter table public.links disable row level security',
      'alter table public.links enable row level security',
    ],
    [
      'drop policy links_of_open_account on public.links',
      'create policy links_of_open_account on public.links as restrictive for all to authenticated using (( SELECT private.may_read_links() AS may_read_links))',
    ],
    [
      'revoke select on public.links from authenticated',
      'grant delete, select on table public.links to authenticated',
    ],
    ['drop trigger links_touch on public.links', 'alter table public.links enable trigger links_touch'],
    ['alter table auth.users owner to postgres', 'table auth.users is owned by supabase_auth_admin'],
    [
      'alter function public.shared_category(uuid) reset all',
      'alter function public.shared_category(uuid) security definer set search_path=""',
    ],
  ])('too little: %s', async (tampering, line) => {
    await client.query(tampering);
    expect((await compareRights(client)).missing).toContain(line);
  });

  test('none: an operator’s own bucket with its policies, own room, table, schema, extension, and reader of figures', async () => {
    await client.query(`
      insert into storage.buckets (id, name) values ('fotos', 'fotos');
      create policy "fotos de todos" on storage.objects for select to anon using (bucket_id = 'fotos');
      create policy "fotos minhas" on storage.objects for insert to authenticated
        with check (bucket_id = 'fotos' and owner_id = (select auth.uid())::text);
      create policy "nada de noite" on storage.objects as restrictive for insert to authenticated with check (true);
      create policy "sala" on realtime.messages for select to authenticated using (realtime.topic() like 'sala %');
      create table public.notes (id int generated by default as identity primary key, owner uuid);
      alter table public.notes enable row level security;
      grant select, insert (owner) on public.notes to authenticated;
      create policy notes_own on public.notes to authenticated using (owner = (select auth.uid()));
      create trigger notes_unchanged before update on public.notes
        for each row execute function suppress_redundant_updates_trigger();
      create schema figures;
      create table figures.days (day date);
      grant all on figures.days to anon;
      create extension citext schema public;
      create role operators_reader;
      grant select on public.links to operators_reader`);
    expect(await compareRights(client)).toEqual(NOTHING);
  });
});
