import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ChangeBench, type Listener, startChangeBench } from '../test-support/start-change-bench.ts';

const ANA = { id: 'aaaaaaaa-0000-4000-8000-00000000000a', email: 'ana@exemplo.com.br' };
const BIA = { id: 'bbbbbbbb-0000-4000-8000-00000000000b', email: 'bia@exemplo.com.br' };

/** Rows of others are seen unless they are secret, held ones once the test lets them go; one's own at once. */
const SETUP = `
create table public.notes (id int primary key, owner uuid, body text);
create function public.is_told(body text) returns boolean language plpgsql as $$
begin
  if body like 'held%' then perform pg_advisory_xact_lock_shared(1); end if;
  return body not like '%secret%';
end $$;
create policy p on public.notes for select to authenticated using (
  case when owner = (select auth.uid()) then true else public.is_told(body) end
);
alter table public.notes enable row level security;
create table public.keyed (id int primary key, owner uuid, body text);
alter table public.keyed enable row level security;
create policy p on public.keyed for select using (owner = auth.uid());
create table public.by_key (owner uuid primary key, body text);
alter table public.by_key enable row level security;
create policy p on public.by_key for select using (owner = auth.uid());
create table public.unguarded (id int primary key, body text);
create table public.without_key (body text);
alter table public.without_key replica identity full;
create table public.half_open (id int primary key, body text);
revoke all on public.half_open from anon, authenticated;
grant select (body) on public.half_open to authenticated;
create table public.parts (id int, day date, primary key (id, day)) partition by range (day);
create table public.parts_2026 partition of public.parts for values from ('2026-01-01') to ('2027-01-01');
create view public.seen_notes as select * from public.notes;
alter publication supabase_realtime add table public.notes, public.keyed, public.by_key, public.unguarded,
  public.without_key, public.half_open, public.parts`;

let bench: ChangeBench;
beforeAll(async () => {
  bench = await startChangeBench(SETUP);
});
afterAll(() => bench.stop());

const add = (id: number, owner: string, body: string) =>
  bench.write(['public.notes'], 'insert into public.notes values ($1, $2, $3)', [id, owner, body]);
const bodies = ({ received }: Listener) => received.map(({ data }) => data.record?.['body']);

/** Holds up what decides about a held row. */
async function holdUp() {
  const client = await bench.database.admin.connect();
  await client.query('select pg_advisory_lock(1)');
  let isOver = false;
  const release = async () => {
    if (isOver) return;
    isOver = true;
    await client.query('select pg_advisory_unlock(1)');
    client.release();
  };
  onTestFinished(release);
  const isWaiting = async () => {
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  };
  return { release, isWaiting };
}

describe('order', () => {
  test('a change that is known at once waits for an earlier one that is not, but only where both are told', async () => {
    const ana = await bench.listen(ANA, { table: 'notes' });
    const anaMine = await bench.listen(ANA, { table: 'notes', filter: `owner=eq.${ANA.id}` });
    const { release } = await holdUp();
    await add(1, BIA.id, 'held');
    await add(2, ANA.id, 'mine');
    await add(3, BIA.id, 'secret');
    await add(4, BIA.id, 'quick');
    await expect.poll(() => bodies(anaMine)).toEqual(['mine']);
    expect(bodies(ana)).toEqual([]);
    await release();
    await expect.poll(() => bodies(ana)).toEqual(['held', 'mine', 'quick']);
    await bench.settled();
    expect(bodies(ana)).toHaveLength(3);
    for (const { subscription } of [ana, anaMine]) subscription.cancel();
  });

  test('a thousand changes come once each, in their order', async () => {
    const ana = await bench.listen(ANA, { table: 'notes' });
    await bench.write(
      ['public.notes'],
      `insert into public.notes select g.n, case when g.n % 3 = 0 then '${ANA.id}'::uuid else '${BIA.id}' end, g.n::text
       from generate_series(1001, 2000) as g (n) order by g.n`,
    );
    await expect.poll(() => ana.received.length).toBe(1000);
    await bench.settled();
    expect(bodies(ana)).toEqual(Array.from({ length: 1000 }, (_, n) => String(1001 + n)));
    ana.subscription.cancel();
  });
});

describe('while a check is under way', () => {
  test('a new token counts, and not the old one', async () => {
    const listener = await bench.listen(ANA, { table: 'notes' });
    const { release, isWaiting } = await holdUp();
    await add(11, BIA.id, 'held');
    await isWaiting();
    listener.become({ role: 'anon', claims: { role: 'anon' } });
    await add(12, BIA.id, 'quick');
    await release();
    await bench.settled();
    expect(listener.texts).toEqual([]);
    listener.become(BIA);
    await add(13, BIA.id, 'hers');
    await bench.settled();
    expect(bodies(listener)).toEqual(['hers']);
    listener.subscription.cancel();
  });

  test('a cancelled channel hears nothing more', async () => {
    const listener = await bench.listen(ANA, { table: 'notes' });
    const { release, isWaiting } = await holdUp();
    await add(21, BIA.id, 'held');
    await add(22, ANA.id, 'mine');
    await isWaiting();
    listener.subscription.cancel();
    listener.subscription.cancel();
    await release();
    await bench.settled();
    expect(listener.texts).toEqual([]);
    expect(listener.failures).toEqual([]);
  });

  test('the loss of the database ends the channels that wait for it, loudly, and no others', async () => {
    const ana = await bench.listen(ANA, { table: 'notes' });
    const bia = await bench.listen(BIA, { table: 'notes' });
    const { isWaiting } = await holdUp();
    await add(31, BIA.id, 'held');
    await isWaiting();
    await expect
      .poll(async () => {
        const { rowCount } = await bench.database.admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'active' and query like '%json_populate_record%' and pid <> pg_backend_pid()`,
        );
        return rowCount;
      })
      .toBe(1);
    await expect.poll(() => ana.failures).toHaveLength(1);
    expect(ana.failures[0]).toMatch(/missed/);
    expect(ana.texts).toEqual([]);
    expect(bodies(bia)).toEqual(['held']);
    await add(32, BIA.id, 'after');
    await bench.settled();
    expect(bodies(bia)).toEqual(['held', 'after']);
    expect(ana.texts).toEqual([]);
    bia.subscription.cancel();
  });
});

test('a gap in the feed ends every channel, and a new one hears again', async () => {
  const channels = await Promise.all([
    bench.listen(ANA, { table: 'notes' }),
    bench.listen('anon', { table: '*' }),
  ]);
  bench.feed.breakOff('the slot was lost');
  await add(41, ANA.id, 'unheard');
  await bench.settled();
  expect(channels.map(({ failures }) => failures.length)).toEqual([1, 1]);
  expect(channels.map(({ texts }) => texts.length)).toEqual([0, 0]);
  const again = await bench.listen(ANA, { table: 'notes' });
  await add(42, ANA.id, 'heard');
  await bench.settled();
  expect(bodies(again)).toEqual(['heard']);
  again.subscription.cancel();
});

test('a subscription stands only when the feed is live', async () => {
  bench.feed.setLive(false);
  const listener = bench.join(ANA, [{ event: '*', schema: 'public', table: 'notes' }]);
  let isReady = false;
  const ready = listener.subscription.ready.then(() => {
    isReady = true;
  });
  await bench.settled();
  expect(isReady).toBe(false);
  bench.feed.setLive(true);
  await ready;
  listener.subscription.cancel();
});

test('a subscription that fails while the database is away stands when it is tried again', async () => {
  const connect = bench.db.pool.connect;
  bench.db.pool.connect = (() => Promise.reject(new Error('Connection terminated'))) as typeof connect;
  bench.advanceClock(1_010);
  const listener = bench.join(ANA, [{ event: '*', schema: 'public', table: 'notes' }]);
  await expect(listener.subscription.ready).rejects.toThrow('the database is not available');
  bench.db.pool.connect = connect;
  await listener.subscription.retry?.();
  await add(51, ANA.id, 'mine');
  await bench.settled();
  expect(bodies(listener)).toEqual(['mine']);
  listener.subscription.cancel();
});

describe('a table without the whole old row in the log', () => {
  test('tells of deletions by their key, where the key decides who sees them', async () => {
    const ana = await bench.listen(ANA, { event: 'DELETE', schema: 'public' });
    const bia = await bench.listen(BIA, { event: 'DELETE', schema: 'public' });
    await bench.database.admin.query(`insert into public.keyed values (1, '${ANA.id}', 'a');
      insert into public.by_key values ('${ANA.id}', 'a'); insert into public.unguarded values (1, 'a')`);
    const names = ['public.keyed', 'public.by_key', 'public.unguarded'];
    await bench.write(names, 'delete from public.keyed');
    await bench.write(names, 'delete from public.by_key');
    await bench.write(names, 'delete from public.unguarded');
    await bench.settled();
    const told = ({ received }: Listener) => received.map(({ data }) => [data.table, data.old_record]);
    expect(told(ana)).toEqual([
      ['by_key', { owner: ANA.id }],
      ['unguarded', { id: 1 }],
    ]);
    expect(told(bia)).toEqual([['unguarded', { id: 1 }]]);
    for (const { subscription } of [ana, bia]) subscription.cancel();
  });

  test('tells the key as the old row of an update', async () => {
    const ana = await bench.listen(ANA, { table: 'keyed' });
    await bench.write(['public.keyed'], `insert into public.keyed values (2, '${ANA.id}', 'a')`);
    await bench.write(['public.keyed'], `update public.keyed set body = 'b' where id = 2`);
    await bench.settled();
    expect(ana.received.at(-1)?.data).toMatchObject({ type: 'UPDATE', record: { id: 2, body: 'b' } });
    expect(ana.received.at(-1)?.data.old_record).toEqual({ id: 2 });
    ana.subscription.cancel();
  });
});

test('instead of a row that cannot be told there is an error', async () => {
  const ana = await bench.listen(
    ANA,
    { table: 'half_open' },
    { table: 'without_key' },
    { table: 'notes', event: 'UPDATE' },
  );
  await bench.write(['public.half_open'], `insert into public.half_open values (1, 'a')`);
  await bench.write(['public.without_key'], `insert into public.without_key values ('a')`);
  await add(61, ANA.id, 'x');
  await bench.write(['public.notes'], `update public.notes set body = repeat('x', 1100000) where id = 61`);
  await bench.settled();
  expect(ana.received.map(({ data }) => [data.table, data.errors, data.record])).toEqual([
    ['half_open', ['Error 401: Unauthorized'], {}],
    ['without_key', ['Error 400: Bad Request, no primary key'], {}],
    ['notes', ['Error 413: Payload Too Large'], { id: 61, owner: ANA.id }],
  ]);
  expect(ana.texts.join()).not.toContain('xxxx');
  ana.subscription.cancel();
});

test('of one change each role is told what it may read', async () => {
  const all = await bench.listen('service_role', { table: 'half_open' });
  const ana = await bench.listen(ANA, { table: 'half_open' });
  await bench.write(['public.half_open'], `insert into public.half_open values (2, 'b')`);
  await bench.settled();
  const told = ({ received }: Listener) => received.map(({ data }) => [data.errors, data.record]);
  expect(told(all)).toEqual([[null, { id: 2, body: 'b' }]]);
  expect(told(ana)).toEqual([[['Error 401: Unauthorized'], {}]]);
  for (const { subscription } of [all, ana]) subscription.cancel();
});

test('a view is not for subscribing, and a partitioned table by the name of its partitions alone', async () => {
  const open = (table: string) => bench.join(ANA, [{ event: '*', schema: 'public', table }]);
  await expect(open('seen_notes').subscription.ready).rejects.toThrow('Please check Realtime is enabled');
  await expect(open('parts').subscription.ready).rejects.toThrow('Please check Realtime is enabled');
  const leaf = await bench.listen(ANA, { table: 'parts_2026' });
  await bench.write(['public.parts_2026'], `insert into public.parts values (1, '2026-05-05')`);
  await bench.settled();
  expect(leaf.received.map(({ data }) => data.record)).toEqual([{ id: 1, day: '2026-05-05' }]);
  leaf.subscription.cancel();
});

test('a table that is made and published while a channel listens to all of them is heard from its first row', async () => {
  const ana = await bench.listen(ANA, { schema: 'public' });
  await add(71, ANA.id, 'mine');
  await bench.settled();
  await bench.database.admin.query(`create table public.latecomers (id int primary key);
    alter publication supabase_realtime add table public.latecomers`);
  await bench.write(['public.latecomers'], 'insert into public.latecomers values (1)');
  const late = await bench.listen(BIA, { table: 'latecomers' });
  await bench.write(['public.latecomers'], 'insert into public.latecomers values (2)');
  await bench.settled();
  expect(ana.received.slice(1).map(({ data }) => data.record)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(late.received.map(({ data }) => data.record)).toEqual([{ id: 2 }]);
  for (const { subscription } of [ana, late]) subscription.cancel();
});
