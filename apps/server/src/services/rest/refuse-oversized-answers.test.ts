import { claimsOf } from '@linkoteca/test-kit/claims-of';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES } from './sql/answer-bytes.ts';
import { openRestService, type RestAnswer, type RestBench } from './test-support/start-rest-service.ts';

let rest: RestBench;
let owner: TestUser;
let authorization: string;
let publicId: string;

/** Little to keep: thirty links of one category, each as long as it may be. */
beforeAll(async () => {
  const database = await createThrowawayDatabase();
  rest = await openRestService(database, { schemas: ['public'] });
  owner = await createUser(database.admin, { plan: 'pro' });
  authorization = `Bearer ${await rest.tokenFor(claimsOf(owner))}`;
  const insert = async (text: string, values: readonly unknown[]) =>
    (await queryAs<{ id: string }>(database, owner, `${text} returning id`, values)).rows[0]?.id ?? '';
  const folder = await insert('insert into folders (name) values ($1)', ['Pasta']);
  publicId = await insert('insert into categories (name, folder_id, description) values ($1, $2, $3)', [
    'Categoria',
    folder,
    'd'.repeat(200),
  ]);
  await queryAs(
    database,
    owner,
    `insert into links (url, title, description, category_id)
     select 'https://exemplo.com.br/' || repeat('u', 470), repeat('t', 100), repeat('d', 1200), $1
     from generate_series(1, 30) n`,
    [publicId],
  );
  await queryAs(database, owner, 'select save_sharing($1, true, $2)', [publicId, []]);
});
afterAll(async () => {
  await rest.stop();
  await rest.database.drop();
});

const ask = (path: string, headers: Readonly<Record<string, string>> = { authorization }) =>
  rest.ask('GET', path, { headers });

/** Refused in the protocol's shape, as the caller's fault. */
function expectRefusal(answer: RestAnswer, code: string): void {
  expect([answer.status, answer.json]).toEqual([
    400,
    { code, message: expect.any(String), details: expect.any(String), hint: expect.anything() },
  ]);
}

/** A link's category, that category's links, their category … `depth` times, each with all of its columns. */
const nest = (depth: number): string => (depth === 0 ? '*' : `*,categories(*,links(${nest(depth - 1)}))`);
/** Twice, with limits that leave out nothing: who does not name them is taken to ask for costly work, and two seconds may be over first. */
const NESTED_TWICE = `select=${nest(2)}&categories.links.limit=30&categories.links.categories.links.limit=30`;

describe('an answer larger than the database would like', () => {
  it('is refused before it is begun where the limits multiply beyond reason', async () => {
    const attack = `/links?select=${nest(4)}`;
    expect(attack.length).toBeLessThan(130);
    expectRefusal(await ask(attack), '54001');
    // The same with limits so small that it is a question like any other.
    const narrow = 'categories.links.limit=1&categories.links.categories.links.limit=1&limit=1';
    expect((await ask(`/links?select=${nest(2)}&${narrow}`)).status).toBe(200);
  });

  it.each([
    ['as JSON', {}],
    ['as one object', { accept: 'application/vnd.pgrst.object+json' }],
    ['without nulls', { accept: 'application/vnd.pgrst.array+json;nulls=stripped' }],
    ['as CSV', { accept: 'text/csv' }],
  ])('is ended by Postgres while it grows, %s', async (_name, headers) => {
    // 12 × 30 × 30 links of 1.8 kB: below what the plan refuses, little beyond the bound, and soon put together also where a form counts
    // only what is whole.
    const path = `/links?${NESTED_TWICE}&limit=12`;
    expectRefusal(await ask(path, { authorization, ...headers }), '54000');
  });

  it.each([
    '/folders?select=categories(links(url,categories(links(*,categories(links(*))))))&categories.links.limit=20&categories.links.categories.links.limit=20&categories.links.categories.links.categories.links.limit=20&limit=1',
    '/categories?select=id,...links(a:description,...categories(...links(b:description,...categories(...links(c:description)))))',
    '/categories?select=links!inner(*,categories!inner(links!inner(*,categories(links(*)))))',
    // Twenty times the same, side by side.
    `/categories?select=${Array.from({ length: 20 }, (_, n) => `l${n}:links(*,categories(*,links(*)))`).join(',')}`,
  ])('is ended by Postgres however the embeds are written: %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(400);
    expect((answer.json as { code: string }).code).toMatch(/^5400[01]$/);
  });

  it('is no way round for changes and function calls', async () => {
    const headers = { authorization, prefer: 'return=representation' };
    expectRefusal(
      await rest.ask('PATCH', `/links?title=like.t*&${NESTED_TWICE}`, {
        headers,
        body: { description: 'x' },
      }),
      '54000',
    );
    const kept = await rest.database.admin.query('select distinct length(description) as length from links');
    expect(kept.rows).toEqual([{ length: 1200 }]);
  });

  it('has at most two hundred fields, under whatever names', async () => {
    const aliases = (count: number) => Array.from({ length: count }, (_, n) => `a${n}:url`).join(',');
    const call = (count: number) =>
      ask(`/rpc/shared_links?category_id=${publicId}&select=${aliases(count)}`, {});
    expectRefusal(
      { ...(await call(700)), json: { ...((await call(700)).json as object), hint: 'none' } },
      'PGRST100',
    );
    expect((await call(201)).status).toBe(400);
    expect((await call(200)).status).toBe(200);
    expect((await ask(`/links?select=categories(${aliases(200)})`)).status).toBe(400);
  });

  it('may be as long as the bound, and not a byte longer', async () => {
    await rest.database.admin.query(
      `create function public.long_text(bytes int) returns text language sql as $$ select repeat('x', bytes - 2) $$;
       create function public.long_rows(bytes int) returns table (t text) language sql as
         $$ select repeat('x', bytes / 2) from generate_series(1, 2) $$;
       notify pgrst, 'reload schema'`,
    );
    const call = (name: string, bytes: number) =>
      rest.ask('POST', `/rpc/${name}`, { headers: { authorization }, body: { bytes } });
    await expect.poll(async () => (await call('long_text', 10)).status).toBe(200);
    const longest = await call('long_text', MAX_ANSWER_BYTES - 16);
    expect([longest.status, longest.text.length]).toEqual([200, MAX_ANSWER_BYTES - 16]);
    expectRefusal(await call('long_text', MAX_ANSWER_BYTES + 1), '54000');
    expectRefusal(await call('long_rows', MAX_ANSWER_BYTES), '54000');
  });
});

describe('a request that takes long', () => {
  it.each([
    ['back-references', '(a*)*\\1b'],
    ['look-around', '(?=a)b'],
    ['embedded options', '(?i)a'],
    ['multiplied repetitions', '((a{1,20}){1,20}){1,20}'],
    ['a program', 'a'.repeat(201)],
    ['another engine', '***=a'],
  ])('is refused as a regular expression with %s', async (_name, pattern) => {
    for (const filter of [
      `url=match.${encodeURIComponent(pattern)}`,
      `or=(url.imatch."${encodeURIComponent(pattern.replaceAll('\\', '\\\\'))}",id.is.null)`,
      `url=match(any).{${encodeURIComponent(`"${pattern.replaceAll('\\', '\\\\')}"`)}}`,
    ]) {
      const answer = await ask(`/links?${filter}`);
      expect([filter, answer.status, (answer.json as { code: string }).code]).toEqual([filter, 400, '2201B']);
    }
  });

  it('is cut off after two seconds for visitors, as the fault of the request', async () => {
    await rest.database.admin.query(
      `create function public.sleep(seconds int) returns void language sql as 'select pg_sleep(seconds)'; notify pgrst, 'reload schema'`,
    );
    const call = () => rest.ask('POST', '/rpc/sleep', { body: { seconds: 6 } });
    await expect.poll(async () => (await call()).status).toBe(400);
    expectRefusal(await call(), '57014');
  });
});
