import { claimsOf } from '@linkoteca/test-kit/claims-of';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestAnswer, type RestBench } from './test-support/start-rest-service.ts';

let rest: RestBench;
const KINDS = ['open', 'listed', 'closed'] as const;
const MISSING = '99999999-9999-4999-8999-999999999999';
const ids: Record<string, string> = { missing: MISSING };
const bearers: Record<string, Readonly<Record<string, string>>> = { visitor: {} };
const SECRETS = ['dona-secreta@a.br', 'convidada-secreta@a.br', 'Pasta secreta', 'Segredo'];

beforeAll(async () => {
  const database = await createThrowawayDatabase();
  rest = await openRestService(database, { schemas: ['public'] });
  const owner = await createUser(database.admin, { plan: 'pro', email: 'dona-secreta@a.br', name: 'Marta' });
  const people: Record<string, TestUser> = {};
  for (const name of ['stranger', 'invited', 'former']) {
    people[name] = await createUser(database.admin, { plan: 'plus' });
    bearers[name] = { authorization: `Bearer ${await rest.tokenFor(claimsOf(people[name]))}` };
  }
  const insert = async (text: string, values: readonly unknown[]) =>
    (await queryAs<{ id: string }>(database, owner, `${text} returning id`, values)).rows[0]?.id ?? '';
  ids['folder'] = await insert(`insert into folders (name) values ($1)`, ['Pasta secreta']);
  for (const kind of KINDS) {
    const id = await insert(`insert into categories (name, folder_id) values ($1, $2)`, [
      `Segredo ${kind}`,
      ids['folder'],
    ]);
    ids[kind] = id;
    await queryAs(
      database,
      owner,
      `insert into links (url, title, category_id) select 'https://segredo.br/' || n, 'Segredo ' || $2 || n, $1 from generate_series(1, 37) n`,
      [id, kind],
    );
  }
  const save = (kind: string, mode: boolean, emails: readonly (string | undefined)[]) =>
    queryAs(database, owner, 'select save_sharing($1, $2, $3)', [ids[kind], mode, emails]);
  await save('open', true, []);
  await save('listed', false, ['convidada-secreta@a.br', people['invited']?.email, people['former']?.email]);
  await save('listed', false, ['convidada-secreta@a.br', people['invited']?.email]);
  await database.admin.query('analyze');
});
afterAll(async () => {
  await rest.stop();
  await rest.database.drop();
});

const ask = (who: string, method: string, path: string, headers = {}, body?: unknown): Promise<RestAnswer> =>
  rest.ask(
    method,
    path.replace(/:(\w+)/g, (all, name: string) => ids[name] ?? all),
    {
      headers: { ...bearers[who], ...headers },
      ...(body === undefined ? {} : { body }),
    },
  );

const READS = [
  '/categories?select=*,folders(*),links(*),shared_with(*),category_counts(*)',
  '/links?select=*,categories(*,folders(*),shared_with(*))',
  '/shared_with?select=*,categories(*,links(*))',
  '/folders?select=*,categories(*,links(*))',
  '/folders?select=id,categories!inner(name)&categories.id=eq.:closed',
  '/category_counts?select=*,categories(*)',
  '/profiles?select=*',
  '/subscribers?select=*',
  '/library_counts?select=*',
  '/categories?or=(id.eq.:closed,is_public.is.true,user_id.not.is.null)',
  '/categories?is_public=is.true&select=name',
  '/links?or=(category_id.in.(:open,:listed,:closed),title.ilike.*Segredo*)',
  '/links?category_id=eq.:closed&title=like.Segredo*',
  '/links?select=title:title::int',
  '/categories?select=is_public,id.count()',
  '/links?select=category_id,count()',
  '/links?select=id.max(),title.min()',
  '/shared_with?select=count()',
  '/rpc/shared_category?category_id=:closed',
  '/rpc/shared_category?category_id=:listed&select=*',
  '/rpc/shared_links?category_id=:closed',
  '/rpc/shared_links?category_id=:listed&max_results=100',
  '/rpc/shared_links?category_id=:closed&order=title&limit=1000',
  '/rpc/search_links?term=segredo',
  '/rpc/get_all_profiles',
  '/rpc/get_all_user_emails',
  '/auth.users?select=*',
  '/share_notifications?select=*',
  '/share_mail_addresses?select=*',
  '/rpc/category_access?category_id=:closed',
  '/rpc/invited_category_ids',
  '/',
];

describe.each(['visitor', 'stranger', 'former'])('%s', (who) => {
  it.each(READS)('reads nothing of it by GET %s', async (path) => {
    for (const headers of [
      {},
      { 'accept-profile': 'private' },
      { accept: 'application/vnd.pgrst.plan+json' },
    ]) {
      const { text } = await ask(who, 'GET', path, headers);
      for (const secret of SECRETS) expect(text).not.toContain(secret);
      // The answer about a restricted category repeats the id that was asked for.
      for (const id of [...KINDS, 'folder'].map((name) => ids[name] ?? ''))
        expect(text.replaceAll(`"id":"${ids['listed']}"`, '')).not.toContain(id);
    }
  });

  it.each(['exact', 'planned', 'estimated'])('counts nothing with count=%s', async (count) => {
    for (const table of ['categories', 'links', 'shared_with'])
      for (const kind of ['closed', 'listed', 'missing'] as const) {
        const column = table === 'categories' ? 'id' : 'category_id';
        const path = `/${table}?${column}=eq.:${kind}`;
        const answer = await ask(who, 'HEAD', path, { prefer: `count=${count}` });
        const nobody = await ask(who, 'HEAD', path.replace(kind, 'missing'), { prefer: `count=${count}` });
        expect([answer.status, answer.headers['content-range']], path).toEqual([
          nobody.status,
          nobody.headers['content-range'],
        ]);
      }
  });

  it.each([
    ['POST', '/links', { url: 'https://a.br', title: 'A', category_id: ':x' }],
    ['POST', '/shared_with', { category_id: ':x', email: 'eu@a.br' }],
    ['PATCH', '/categories?id=eq.:x', { is_public: true }],
    ['PATCH', '/links?category_id=eq.:x', { title: 'Meu' }],
    ['DELETE', '/categories?id=eq.:x', undefined],
    ['DELETE', '/shared_with?category_id=eq.:x', undefined],
    ['POST', '/rpc/save_sharing', { category_id: ':x', is_public: true, emails: [] }],
    ['POST', '/rpc/queue_share_notifications', { category_id: ':x', emails: ['convidada-secreta@a.br'] }],
    ['POST', '/rpc/move_links', { link_ids: [MISSING], target_category_id: ':x' }],
    ['POST', '/rpc/copy_shared_category', { category_id: ':x', folder_id: MISSING }],
    ['POST', '/rpc/undo_deletion', { item_type: 'category', item_ids: [':x'] }],
  ])('is answered as about nothing by %s %s', async (method, path, body) => {
    const answer = async (kind: string) => {
      const id = ids[kind] ?? '';
      const filled = body && JSON.parse(JSON.stringify(body).replaceAll(':x', id));
      const { status, text } = await ask(
        who,
        method,
        path.replace(':x', id),
        { prefer: 'return=representation,count=exact' },
        filled,
      );
      return [status, text.replaceAll(id, ':x')];
    };
    const nothing = await answer('missing');
    expect(await answer('closed')).toEqual(nothing);
    expect(await answer('listed')).toEqual(nothing);
  });
});

it('an invited person embeds what is theirs and nothing of the owner', async () => {
  const { json } = await ask(
    'invited',
    'GET',
    '/categories?select=name,name_users,folders(*),shared_with(email),links(count)',
  );
  expect(json).toEqual([
    {
      name: 'Segredo listed',
      name_users: 'Marta',
      folders: null,
      shared_with: [{ email: expect.stringMatching(/^[0-9a-f-]{36}@/) }],
      links: [{ count: 37 }],
    },
  ]);
});
