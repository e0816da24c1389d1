import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChangeBench, startChangeBench } from '../test-support/start-change-bench.ts';

/** Every kind of value that a filter can meet, its edges among them. No policies: what is received is the filter's doing. */
const SETUP = `
create type public.mood as enum ('sad', 'ok', 'happy');
create domain public.grade as integer check (value between 0 and 10);
create collation public.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table public.specimens (
  id int primary key, big bigint, small smallint, ref uuid, flag boolean, name text, short varchar(5), fixed char(4),
  folded text collate public.any_case, feeling public.mood, mark public.grade, price numeric, ratio double precision,
  at timestamptz, local timestamp, day date, clock time, span interval, tags text[], counts int[], doc jsonb, raw json,
  bytes bytea, hidden text
);
alter table public.specimens replica identity full;
revoke all on public.specimens from anon, authenticated;
grant select (id, big, small, ref, flag, name, short, fixed, folded, feeling, mark, price, ratio, at, local, day, clock, span,
  tags, counts, doc, raw, bytes) on public.specimens to authenticated;
alter publication supabase_realtime add table public.specimens`;

const ROWS = `
insert into public.specimens values
(1, 9007199254740993, -5, '0D3B4B0E-0000-4000-8000-00000000000A', true, 'Bolo de fubá', 'abc', 'ab', 'João', 'sad', 0, 1.0, 'NaN',
  '2026-11-21 20:00:00.123456+00', '2026-11-21 20:00:00', '2026-11-21', '10:00', '1 day', '{a,b}', '{1,2}', '{"a":1}', '{"a": 1}', '\\x00ff', 'x'),
(2, -9223372036854775808, 32767, 'ffffffff-ffff-4fff-bfff-ffffffffffff', false, 'bolo, "doce" (bom)', 'abcde', 'abcd', 'JOÃO', 'happy', 10, 1.00,
  'Infinity', '2026-11-21 17:00:00-03', null, '0044-03-15 BC', '23:59:59.5', '24:00:00', '{"x,y",NULL,"NULL"}', '[0:1]={3,4}', '[]', '[]', '', 'x'),
(3, 10, 0, null, null, '100%_\\', '', '', '', null, null, 1e20, -0.5, 'infinity', '-infinity', 'infinity', null, null, '{}', '{{1},{2}}', 'null', 'null', null, null),
(4, null, null, '0d3b4b0e-0000-4000-8000-00000000000b', true, null, null, null, null, 'ok', 7, 'NaN', 1e-7, null, null, null, null, null, null, null, null, null, null, null),
(5, 9, 1, null, false, 'É o fim 😀', 'É', 'É', 'é', 'ok', 9, -1.5, 3, '2026-11-21 20:00:00.123457+00', null, null, null, null, null, null, null, null, null, null)`;

let bench: ChangeBench;
beforeAll(async () => {
  bench = await startChangeBench(SETUP);
});
beforeEach(() => bench.database.admin.query('truncate public.specimens'));
afterAll(() => bench.stop());

/** The rows are there, and nobody is told of them. */
const fill = () => bench.database.admin.query(ROWS);

const MAYA = { id: '5b0c9a0e-1111-4111-8111-111111111111', email: 'maya@exemplo.com.br' };

/** A filter, and the same said in SQL. */
const CASES: readonly (readonly [string, string])[] = [
  ['big=eq.9007199254740993', 'big = 9007199254740993'],
  ['big=eq.9007199254740992', 'big = 9007199254740992'],
  ['big=lt.10', 'big < 10'],
  ['big=gte.9', 'big >= 9'],
  ['big=eq.+10', 'big = 10'],
  ['big=eq.0010', 'big = 10'],
  ['small=lte.-5', 'small <= -5'],
  ['small=neq.0', 'small <> 0'],
  ['small=not.eq.0', 'not small = 0'],
  ['id=in.(1, 3,5)', 'id in (1, 3, 5)'],
  ['id=not.in.(1,3)', 'id not in (1, 3)'],
  ['id=not.in.(1,null)', 'id not in (1, null)'],
  ['id=in.()', 'false'],
  ['ref=eq.0D3B4B0E-0000-4000-8000-00000000000A', `ref = '0d3b4b0e-0000-4000-8000-00000000000a'`],
  ['ref=eq.{0d3b4b0e000040008000-00000000000a}', `ref = '0d3b4b0e-0000-4000-8000-00000000000a'`],
  ['ref=gt.0d3b4b0e-0000-4000-8000-00000000000a', `ref > '0d3b4b0e-0000-4000-8000-00000000000a'`],
  [
    'ref=isdistinct.0d3b4b0e-0000-4000-8000-00000000000a',
    `ref is distinct from '0d3b4b0e-0000-4000-8000-00000000000a'`,
  ],
  ['ref=is.null', 'ref is null'],
  ['ref=not.is.null', 'ref is not null'],
  ['flag=eq.true', 'flag'],
  ['flag=eq.yes', 'flag'],
  ['flag=is.false', 'flag is false'],
  ['flag=is.unknown', 'flag is unknown'],
  ['flag=not.is.true', 'flag is not true'],
  ['flag=lt.true', 'flag < true'],
  ['name=eq.Bolo de fubá', `name = 'Bolo de fubá'`],
  ['name=eq."bolo, \\"doce\\" (bom)"', `name = 'bolo, "doce" (bom)'`],
  ['name=in.("bolo, \\"doce\\" (bom)",x)', `name in ('bolo, "doce" (bom)', 'x')`],
  [`name=eq.x' or '1'='1`, 'false'],
  ['name=eq.x) or (1=1', 'false'],
  ['name=like.%olo%', `name like '%olo%'`],
  ['name=like.100\\%\\_\\\\', `name like '100\\%\\_\\\\'`],
  ['name=like.É o fim _', `name like 'É o fim _'`],
  ['name=not.like.%o%', `name not like '%o%'`],
  ['name=ilike.BOLO%', `name ilike 'BOLO%'`],
  ['name=match.^[Bb]olo', `name ~ '^[Bb]olo'`],
  ['name=imatch.FUBÁ$', `name ~* 'FUBÁ$'`],
  ['name=gt.bolo', `name > 'bolo'`],
  ['short=eq.abc', `short = 'abc'`],
  ['short=eq.abcdefgh', 'false'],
  ['short=like.ab%', `short like 'ab%'`],
  ['fixed=eq.ab', `fixed = 'ab'`],
  ['fixed=eq.ab  ', `fixed = 'ab'`],
  ['folded=eq.joão', `folded = 'joão'`],
  ['folded=in.(É)', `folded in ('É')`],
  ['feeling=eq.ok', `feeling = 'ok'`],
  ['feeling=gt.sad', `feeling > 'sad'`],
  ['feeling=in.(sad,happy)', `feeling in ('sad', 'happy')`],
  ['mark=gte.7', 'mark >= 7'],
  ['price=eq.1', 'price = 1'],
  ['price=gt.1', 'price > 1'],
  ['ratio=gt.0', 'ratio > 0'],
  ['ratio=eq.NaN', `ratio = 'NaN'`],
  ['at=eq.2026-11-21T17:00:00.123456-03:00', `at = '2026-11-21 20:00:00.123456+00'`],
  ['at=lte.2026-11-21T20:00:00Z', `at <= '2026-11-21 20:00:00+00'`],
  ['local=is.null', 'local is null'],
  ['day=lt.2026-01-01', `day < '2026-01-01'`],
  ['clock=gt.12:00', `clock > '12:00'`],
  ['span=eq.24:00:00', `span = '1 day'`],
  ['tags=eq."{a,b}"', `tags = '{a,b}'`],
  ['counts=gt."{1,1}"', `counts > '{1,1}'`],
  ['doc=eq.{"a": 1}', `doc = '{"a":1}'`],
  ['bytes=eq.\\x00ff', `bytes = '\\x00ff'`],
  ['id=gt.1,id=lt.5,flag=is.true', 'id > 1 and id < 5 and flag'],
  ['price=gte.1,name=like.%o%', `price >= 1 and name like '%o%'`],
];

test('a filter means what Postgres means by it, for every type', async () => {
  const listeners = await Promise.all(
    CASES.map(([filter]) => bench.listen(MAYA, { event: 'INSERT', table: 'specimens', filter })),
  );
  await bench.write(['public.specimens'], ROWS);
  await bench.settled();
  const wrong = [];
  for (const [at, [filter, condition]] of CASES.entries()) {
    const { rows } = await bench.database.admin.query<{ id: number }>(
      `select id from public.specimens where ${condition} order by id`,
    );
    const expected = rows.map(({ id }) => id);
    const received = listeners[at]?.received.map(({ data }) => data.record?.['id']);
    if (JSON.stringify(received) !== JSON.stringify(expected)) wrong.push({ filter, expected, received });
  }
  for (const { subscription } of listeners) subscription.cancel();
  expect(wrong).toEqual([]);
});

test('values come as to_jsonb writes them, and columns that the role may not read do not come', async () => {
  await fill();
  const listener = await bench.listen(MAYA, { event: 'UPDATE', table: 'specimens' });
  await bench.write(['public.specimens'], `update public.specimens set hidden = 'y', small = -5`);
  await bench.settled();
  const { rows } = await bench.database.admin
    .query<{ row: Record<string, unknown> }>(
      `set timezone to 'UTC'; select to_jsonb(s) - 'hidden' as row from public.specimens s order by id`,
    )
    .then(
      (results) => (results as unknown as { rows: { row: Record<string, unknown> }[] }[])[1] ?? { rows: [] },
    );
  expect(listener.received.map(({ data }) => data.record)).toEqual(rows.map(({ row }) => row));
  expect(listener.texts[0]).toContain('"big":9007199254740993,');
  expect(listener.received[0]?.data.columns).toContainEqual({ name: 'tags', type: '_text' });
  expect(listener.received[0]?.data.columns).toContainEqual({ name: 'mark', type: 'grade' });
  expect(listener.texts.join()).not.toContain('hidden');
  listener.subscription.cancel();
});

test('only the chosen columns come, the primary key always among them', async () => {
  await fill();
  const some = await bench.listen(
    MAYA,
    { table: 'specimens', select: ['name', 'flag'] },
    { table: 'specimens', select: [] },
  );
  await bench.write(['public.specimens'], `update public.specimens set flag = false where id = 1`);
  await bench.settled();
  expect(some.received).toMatchObject([
    { ids: [some.subscription.ids[0]], data: { record: { id: 1, name: 'Bolo de fubá', flag: false } } },
    { ids: [some.subscription.ids[1]], data: { record: { id: 1 }, old_record: { id: 1 } } },
  ]);
  expect(Object.keys(some.received[0]?.data.record ?? {})).toEqual(['id', 'flag', 'name']);
  expect(some.received[1]?.data.columns).toEqual([{ name: 'id', type: 'int4' }]);
  some.subscription.cancel();
});

describe('refused', () => {
  const parameters = (filter: string, column: string, operator: string, value: string) => ({
    request: { table: 'specimens', filter },
    described: `[event: *, schema: public, table: specimens, filters: [{"${column}", "${operator}", "${value}", false}], select: nil]`,
  });
  test.each([
    [
      { table: 'nowhere' },
      'Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: nowhere, filters: [], select: nil]',
    ],
    [{ schema: 'auth', table: 'users' }, 'Please check Realtime is enabled'],
    [{ schema: 'private' }, 'Please check Realtime is enabled'],
    [{ schema: 'realtime', table: 'messages' }, 'Please check Realtime is enabled'],
    [
      { table: 'specimens', filter: 'nothing=eq.1' },
      'ERROR P0001 (raise_exception) invalid column for filter nothing',
    ],
    [
      { table: 'specimens', filter: 'hidden=eq.x' },
      'ERROR P0001 (raise_exception) invalid column for filter hidden',
    ],
    [{ table: 'specimens', filter: 'hidden=is.null' }, 'invalid column for filter hidden'],
    [{ table: 'specimens', select: ['id', 'hidden'] }, 'invalid column for select hidden'],
    [{ table: '*', filter: 'hidden=eq.x' }, 'invalid column for filter hidden'],
    [
      { table: 'specimens', filter: 'at=gt.ontem' },
      'ERROR 22007 (invalid_datetime_format) invalid input syntax for type timestamp with time zone: "ontem"',
    ],
    [
      { table: 'specimens', filter: 'feeling=eq.great' },
      'ERROR 22P02 (invalid_text_representation) invalid input value for enum mood: "great"',
    ],
    [{ table: 'specimens', filter: 'small=eq.40000' }, 'ERROR 22003 (numeric_value_out_of_range)'],
    [{ table: 'specimens', filter: 'id=in.(1,b)' }, 'invalid input syntax for type integer: "b"'],
    [{ table: 'specimens', filter: 'id=like.1%' }, 'ERROR 42883 (undefined_function)'],
    [{ table: 'specimens', filter: 'id=is.true' }, 'argument of IS TRUE must be type boolean, not type int4'],
    [{ table: 'specimens', filter: 'name=match.(' }, 'ERROR 2201B (invalid_regular_expression)'],
    [{ table: 'specimens', filter: 'name=like.a\\' }, 'ERROR 22025 (invalid_escape_sequence)'],
    [{ table: 'specimens', filter: 'name=eq.\0' }, 'ERROR 22021'],
  ])('%j', async (request, message) => {
    const { subscription } = bench.join(MAYA, [{ event: '*', schema: 'public', ...request }]);
    await expect(subscription.ready).rejects.toThrow(message);
    expect(subscription.retry?.()).toBeUndefined();
  });

  test('a value of the wrong type, in the words of the original', async () => {
    const { request, described } = parameters('ref=eq.abc', 'ref', 'eq', 'abc');
    const { subscription } = bench.join(MAYA, [{ event: '*', schema: 'public', ...request }]);
    await expect(subscription.ready).rejects.toThrow(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${described}. Exception: ERROR 22P02 (invalid_text_representation) invalid input syntax for type uuid: "abc"`,
    );
  });

  test('until the caller is one who may', async () => {
    await fill();
    const listener = bench.join('anon', [
      { event: '*', schema: 'public', table: 'specimens', filter: 'flag=is.true' },
    ]);
    await expect(listener.subscription.ready).rejects.toThrow('invalid column for filter flag');
    listener.become(MAYA);
    await listener.subscription.retry?.();
    await bench.write(['public.specimens'], `update public.specimens set flag = true where id = 2`);
    await bench.settled();
    expect(listener.received.map(({ data }) => data.record?.['id'])).toEqual([2]);
    listener.become('anon');
    expect(listener.failures).toHaveLength(1);
    expect(listener.failures[0]).toContain('invalid column for filter flag');
  });
});
