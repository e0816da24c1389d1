import { randomBytes } from 'node:crypto';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestFeed, type TestFeed } from './test-support/start-test-feed.ts';

let test: TestFeed;
beforeAll(async () => {
  test = await startTestFeed();
});
afterAll(() => test.close());

const run = (text: string, values: unknown[] = []) => test.admin.query(text, values);
const record = () => test.record();

describe('rows', () => {
  it('come with every value as Postgres writes it, and null where there is none', async () => {
    const values: Record<string, string> = {
      id: `7::bigint`,
      small: `-3::smallint`,
      exact: `12345678901234567890.12345::numeric`,
      float: `0.1::float8`,
      endless: `'Infinity'::float8`,
      yes: `true`,
      words: `'ação 😀 " '' \\ {}'::text`,
      nothing: `null::text`,
      empty: `''::text`,
      uuid: `'4b7b0d3c-93a4-4f2e-9f3a-1f6a2c4d5e6f'::uuid`,
      at: `'2026-11-21 20:33:56.123456+00'::timestamptz`,
      day: `'2026-02-28'::date`,
      json: `'{"a": [1, null, "é"]}'::jsonb`,
      list: `array['a,b', null, '"c"']::text[]`,
      bytes: `'\\x00ff10'::bytea`,
      span: `interval '1 day 02:03:04'`,
      net: `'10.0.0.0/8'::inet`,
      range: `'[1,5)'::int4range`,
    };
    const names = Object.keys(values);
    await run(`create table public.kinds as select ${names.map((name) => `${values[name]} as "${name}"`)}`);
    await run('alter publication supabase_realtime add table public.kinds');
    const received = record();
    await run('insert into public.kinds select * from public.kinds');
    const [change] = await received.changesOf('kinds', 1);
    const text = await run(
      `select ${names.map((name) => (name === 'yes' ? `'t' as yes` : `"${name}"::text`))} from public.kinds limit 1`,
    );
    expect(change).toMatchObject({ type: 'INSERT', oldRow: null });
    expect(change?.table.columns.map(({ name }) => name)).toEqual(names);
    expect(change?.row).toEqual(names.map((name) => text.rows[0][name]));
    expect(change?.table.columns.find(({ name }) => name === 'json')?.typeOid).toBe(3802);
  });

  it('come with names that mean something elsewhere', async () => {
    await test.createTable('names', `"__proto__" text, "constructor" text, "a b"" c" text, "Ç" text`, 'full');
    const received = record();
    await run(`insert into public.names values ('1', '2', '3', '4')`);
    await run(`update public.names set "__proto__" = '5'`);
    const [, change] = await received.changesOf('names', 2);
    expect(change?.row).toEqual(['5', '2', '3', '4']);
    expect(change?.oldRow).toEqual(['1', '2', '3', '4']);
  });

  it('come whole with identity full: the old row, and long values that an update left alone', async () => {
    await test.createTable('whole', 'id int primary key, long text, short text', 'full');
    await run('alter table public.whole alter long set storage external');
    const long = 'á'.repeat(20_000);
    const received = record();
    await run(`insert into public.whole values (1, $1, 'a')`, [long]);
    await run(`update public.whole set short = 'b'`);
    await run(`update public.whole set long = null`);
    await run('delete from public.whole');
    const [, short, emptied, gone] = await received.changesOf('whole', 4);
    expect(short).toMatchObject({ type: 'UPDATE', row: ['1', long, 'b'], oldRow: ['1', long, 'a'] });
    expect(emptied).toMatchObject({ row: ['1', null, 'b'], oldRow: ['1', long, 'b'] });
    expect(gone).toMatchObject({ type: 'DELETE', row: null, oldRow: ['1', null, 'b'] });
    expect(gone?.table.identity).toBe('f');
  });

  it('come with no more than the key otherwise, and what was not sent is told apart from null', async () => {
    await test.createTable('keyed', 'a text, id int primary key, long text');
    await run('alter table public.keyed alter long set storage external');
    const long = 'x'.repeat(20_000);
    await run(`insert into public.keyed values (null, 1, $1)`, [long]);
    const received = record();
    await run(`update public.keyed set a = 'b'`);
    await run('update public.keyed set id = 2');
    await run('delete from public.keyed');
    await expect.poll(() => received.changes.at(-1)?.type).toBe('DELETE');
    const [same, moved, gone] = received.changes.slice(-3);
    expect(same).toMatchObject({ row: ['b', '1', undefined], oldRow: null });
    expect(moved).toMatchObject({ row: ['b', '2', undefined], oldRow: [undefined, '1', undefined] });
    expect(gone).toMatchObject({ row: null, oldRow: [undefined, '2', undefined] });
    expect(gone?.table.columns.map(({ isKey }) => isKey)).toEqual([false, true, false]);
  });

  it('of a megabyte come unharmed', async () => {
    await test.createTable('large', 'id int primary key, body text', 'full');
    const body = randomBytes(1_000_000).toString('base64');
    const received = record();
    await run('insert into public.large values (1, $1)', [body]);
    const [change] = await received.changesOf('large', 1);
    expect(change?.row?.[1] === body).toBe(true);
  });

  it('of the library come with their whole old rows; what is not published stays unheard', async () => {
    const received = record();
    const { id } = await createUser(test.admin);
    await run(`update public.profiles set name = 'Ana' where id = $1`, [id]);
    await run(`insert into public.folders (user_id, name) values ($1, 'Trabalho')`, [id]);
    await run(`delete from public.folders where user_id = $1`, [id]);
    const changes = await received.changesOf('folders', 2);
    expect(changes.map(({ type, table }) => [type, table.identity])).toEqual([
      ['INSERT', 'f'],
      ['DELETE', 'f'],
    ]);
    expect(changes[1]?.oldRow).toEqual(changes[0]?.row);
    expect(new Set(received.changes.map(({ table }) => table.name))).toEqual(new Set(['folders']));
  });

  it('that were rolled back are never heard', async () => {
    await test.createTable('undone', 'id int');
    const received = record();
    const client = await test.admin.connect();
    await client.query('begin; insert into public.undone values (1); savepoint a');
    await client.query('insert into public.undone values (2); rollback to a; rollback');
    client.release();
    await run('insert into public.undone values (3)');
    expect((await received.changesOf('undone', 1)).map(({ row }) => row)).toEqual([['3']]);
  });
});

describe('tables', () => {
  it('are the same object until they change', async () => {
    await test.createTable('shape', 'id int primary key');
    const received = record();
    await run('insert into public.shape values (1)');
    await run('analyze public.shape');
    await run('insert into public.shape values (2)');
    await run('alter table public.shape add body text');
    await run(`insert into public.shape values (3, 'a')`);
    await run('alter table public.shape replica identity full');
    await run(`insert into public.shape values (4, 'a')`);
    const [first, second, wider, full] = await received.changesOf('shape', 4);
    expect(second?.table).toBe(first?.table);
    expect(wider?.table).not.toBe(first?.table);
    expect(wider?.row).toEqual(['3', 'a']);
    expect(first?.table.columns).toHaveLength(1);
    expect([wider?.table.identity, full?.table.identity]).toEqual(['d', 'f']);
  });

  it('are heard from the moment they are published until they no longer are', async () => {
    await run('create table public.late (id int primary key)');
    await test.createTable('marker', 'id int');
    const received = record();
    await run('insert into public.late values (1)');
    await run('alter publication supabase_realtime add table public.late');
    await run('insert into public.late values (2)');
    await run('alter publication supabase_realtime drop table public.late');
    await run('insert into public.late values (3)');
    await run('insert into public.marker values (1)');
    await received.changesOf('marker', 1);
    expect(received.changes.filter(({ table }) => table.name === 'late').map(({ row }) => row)).toEqual([
      ['2'],
    ]);
    expect(received.gaps).toEqual([]);
  });

  it('that are emptied at a stroke are a gap, for the rows are not told', async () => {
    await test.createTable('emptied', 'id int');
    const received = record();
    await run('truncate public.emptied');
    await expect.poll(() => received.gaps).toEqual(['TRUNCATE of public.emptied']);
  });
});
