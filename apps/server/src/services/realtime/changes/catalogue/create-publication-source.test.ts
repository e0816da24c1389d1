import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ChangeBench,
  type ReceivedChange,
  startChangeBench,
} from '../test-support/start-change-bench.ts';

const ANA = { id: 'aaaaaaaa-0000-4000-8000-00000000000a', email: 'ana@exemplo.com.br' };
const BIA = { id: 'bbbbbbbb-0000-4000-8000-00000000000b', email: 'BIA@exemplo.com.br' };
const CALLERS: readonly TestCaller[] = [ANA, BIA, 'anon', 'service_role'];

/** Policies that make a table's rows visible, by what is remarkable about them. */
const POLICIES: Readonly<Record<string, string>> = {
  none: '',
  open: 'create policy p on T for select using (true)',
  owner: 'create policy p on T for select to authenticated using (owner = (select auth.uid()))',
  bare_owner: 'create policy p on T for select using (auth.uid() = owner)',
  text_owner: "create policy p on T for select using (owner::text = (select auth.jwt()) ->> 'sub')",
  address: 'create policy p on T for select to authenticated using (email = (select lower(auth.email())))',
  not_owner: 'create policy p on T for select to authenticated using (not (owner = (select auth.uid())))',
  owner_or_public: 'create policy p on T for select using (owner = auth.uid() or is_public)',
  owner_and_public: 'create policy p on T for select using (owner = auth.uid() and is_public)',
  by_case:
    'create policy p on T for select using (case when owner = auth.uid() then is_public when is_public then false else n > 3 end)',
  two: 'create policy p on T for select to authenticated using (owner = auth.uid()); create policy q on T for select to anon using (is_public)',
  restricted:
    'create policy p on T for select using (true); create policy r on T as restrictive for select to authenticated using (owner = auth.uid())',
  for_all: 'create policy p on T for all to authenticated using (owner = auth.uid()) with check (true)',
  for_insert: 'create policy p on T for insert to authenticated with check (true)',
  by_role: `create policy p on T for select using (auth.role() = 'authenticated' and current_user = 'authenticated')`,
  members:
    'create policy p on T for select using (exists (select 1 from public.crew m where m.thing = R.n and m.email = auth.email()))',
  same_name: 'create policy p on T for select using (n in (select n from public.crew m where m.thing = n))',
  whole_row: 'create policy p on T for select using (public.is_small(R))',
  hidden: 'create policy p on T for select to authenticated, anon using (vault_of_rules.is_odd(n))',
  // Postgres refuses deletions where the whole row is the identity and a generated column is not published.
  generated:
    'alter table T replica identity default; alter table T add doubled int generated always as (n * 2) stored; create policy p on T for select using (doubled > 4)',
  stumbling: 'create policy p on T for select using (12 / (n - 2) > 0)',
  long_value: `create policy p on T for select using (note <> '' and owner = auth.uid())`,
};
const ROLE_WITHOUT_POLICIES = CALLERS.indexOf('service_role');
const TABLES = Object.keys(POLICIES);

const SETUP = `
create schema vault_of_rules;
create function vault_of_rules.is_odd(n int) returns boolean language sql as 'select n % 2 = 1';
create table public.crew (thing int, email text, n int);
alter table public.crew enable row level security;
create policy m on public.crew for select to authenticated using (email = auth.email());
insert into public.crew values (1, '${ANA.email}', 1), (2, '${BIA.email}', 2), (4, '${ANA.email}', 4);
create table public.shape (
  id int primary key, owner uuid, email text, is_public boolean, n int, note text
);
${TABLES.map(
  (name) => `create table public.${name} (like public.shape including all);
alter table public.${name} replica identity full; alter table public.${name} enable row level security;
${name === 'whole_row' ? "create function public.is_small(t public.whole_row) returns boolean language sql as 'select t.n < 3';" : ''}
${(POLICIES[name] ?? '').replaceAll(/\bT\b/g, `public.${name}`).replaceAll(/\bR\b/g, name)};
alter publication supabase_realtime add table public.${name};`,
).join('\n')}`;

const ROWS = `
(1, '${ANA.id}', 'ana@exemplo.com.br', true, 1, 'a'), (2, '${ANA.id}', 'bia@exemplo.com.br', false, 2, null),
(3, '${BIA.id}', 'bia@exemplo.com.br', true, 3, 'c'), (4, '${BIA.id}', null, false, 4, ''), (5, null, 'x', null, 5, 'e')`;

let bench: ChangeBench;
beforeAll(async () => {
  bench = await startChangeBench(SETUP);
});
afterAll(() => bench.stop());

/** What row-level security itself shows; nothing where it stumbles. */
async function visibleTo(caller: TestCaller, table: string): Promise<number[]> {
  const found: number[] = [];
  for (const id of [1, 2, 3, 4, 5]) {
    const { rows } = await queryAs<{ id: number }>(
      bench.database,
      caller,
      `select id from public.${table} where id = $1`,
      [id],
    ).catch(() => ({ rows: [] }));
    found.push(...rows.map((row) => row.id));
  }
  return found;
}

type Told = Readonly<Record<string, readonly (readonly number[])[]>>;
let visible: Told;
let inserted: Told;
let deleted: Told;

/** One subscription a table and caller; all rows come at once, and go at once. */
beforeAll(async () => {
  const listeners = await Promise.all(
    CALLERS.map((caller) => bench.listen(caller, ...TABLES.map((table) => ({ table })))),
  );
  const readTold = (): Told => {
    const told = TABLES.map(
      (table) => [table, listeners.map(({ received }) => idsOf(received, table))] as const,
    );
    for (const { received } of listeners) received.length = 0;
    return Object.fromEntries(told);
  };
  const all = TABLES.map((table) => `public.${table}`);
  await bench.write(all, TABLES.map((table) => `insert into public.${table} values ${ROWS}`).join(';'));
  const seen = TABLES.map(async (table) => {
    const ids = CALLERS.map((caller) => visibleTo(caller, table));
    return [table, await Promise.all(ids)] as const;
  });
  visible = Object.fromEntries(await Promise.all(seen));
  await bench.settled();
  inserted = readTold();
  await bench.write(all, TABLES.map((table) => `delete from public.${table}`).join(';'));
  await bench.settled();
  deleted = readTold();
  for (const { subscription } of listeners) subscription.cancel();
});

function idsOf(received: readonly ReceivedChange[], table: string): number[] {
  return received
    .filter(({ data }) => data.table === table)
    .map(({ data }) => Number((data.record ?? data.old_record)?.['id']));
}

test.each(TABLES)('%s: a new row is told to exactly those who see it', (table) => {
  expect(inserted[table]).toEqual(visible[table]);
});

test.each(TABLES)('%s: a deletion is told to those who could see the row', (table) => {
  // Not by a policy that a query of the caller's own cannot evaluate: then only to those whom no policy holds back.
  const isUntold = table === 'hidden' || table === 'generated';
  const expected = isUntold
    ? visible[table]?.map((ids, at) => (at === ROLE_WITHOUT_POLICIES ? ids : []))
    : visible[table];
  expect(deleted[table]).toEqual(expected);
});

test('what the shape of a policy decides is not asked of the database', async () => {
  const listeners = await Promise.all(
    CALLERS.map((caller) => bench.listen(caller, { table: 'owner' }, { table: 'by_case' })),
  );
  let checks = 0;
  const query = bench.db.pool.connect.bind(bench.db.pool);
  // The clock stands still, so that rights and policies stay known: whatever else is asked is a check.
  await bench.write(['public.owner'], `insert into public.owner values (8, '${ANA.id}')`);
  await bench.settled();
  bench.db.pool.connect = (() => {
    checks += 1;
    return query();
  }) as typeof bench.db.pool.connect;
  await bench.write(['public.owner'], `insert into public.owner values (9, '${ANA.id}')`);
  await bench.settled();
  bench.db.pool.connect = query as typeof bench.db.pool.connect;
  expect(listeners.map(({ received }) => received.length)).toEqual([2, 0, 0, 2]);
  expect(checks).toBe(0);
  for (const { subscription } of listeners) subscription.cancel();
});

test('a changed policy, a revoked column and a table that is no longer published count within a second', async () => {
  const { admin } = bench.database;
  // Of what was read up to a second ago a busy server may still be sure.
  const outlast = () => bench.advanceClock(1_010);
  const ana = await bench.listen(ANA, { table: 'open' });
  const byNote = await bench.listen(ANA, { table: 'open', filter: 'note=eq.segredo' });
  const add = (id: number) =>
    bench.write(
      ['public.open'],
      `insert into public.open values (${id}, '${BIA.id}', null, true, 1, 'segredo')`,
    );
  await add(1);
  await bench.settled();
  await admin.query('alter policy p on public.open using (owner = (select auth.uid()))');
  outlast();
  await add(2);
  await bench.settled();
  expect(ana.received.map(({ data }) => data.record?.['id'])).toEqual([1]);
  await admin.query(`alter policy p on public.open using (true); revoke select on public.open from authenticated;
    grant select (id, n) on public.open to authenticated`);
  outlast();
  await add(3);
  await bench.settled();
  expect(ana.received.at(-1)?.data.record).toEqual({ id: 3, n: 1 });
  expect(byNote.received.map(({ data }) => data.record?.['id'])).toEqual([1]);
  expect(byNote.failures[0]).toContain('invalid column for filter note');
  await admin.query('alter publication supabase_realtime drop table public.open');
  outlast();
  await add(4);
  await bench.settled();
  expect(ana.received.at(-1)?.data.record).toEqual({ id: 3, n: 1 });
  expect(ana.failures[0]).toContain('Please check Realtime is enabled');
});
