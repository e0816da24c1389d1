import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const TABLES = [
  'folders',
  'categories',
  'links',
  'favorites',
  'folder_looks',
  'inboxes',
  'manual_order',
  'saved_searches',
  'tags',
  'link_tags',
  'shared_with',
  'subscribers',
  'profiles',
] as const;

let owner: Person;
let stranger: Person;
let owned: Shelf;
let strange: Shelf;
let linkId: string;
beforeAll(async () => {
  [owner, stranger] = [
    await createPerson(deployment, { plan: 'plus', name: 'Dona' }),
    await createPerson(deployment),
  ];
  [owned, strange] = [await createShelf(owner), await createShelf(stranger)];
  const link = await owner.client
    .from('links')
    .insert({
      title: 'Segredo',
      url: 'https://example.com',
      category_id: owned.categoryId,
      user_id: owner.id,
    })
    .select()
    .single();
  linkId = required(link.data, link.error).id;
  await owner.client
    .from('shared_with')
    .insert({ category_id: owned.categoryId, email: 'convidado@example.com' });
  required(
    await owner.client
      .from('folder_looks')
      .upsert({ folder_id: owned.folderId, color: 'blue', emoji: '📚' })
      .select('folder_id')
      .single(),
  );
  required(await owner.client.rpc('open_inbox'));
  required(await owner.client.from('favorites').insert({ link_id: linkId }).select('id').single());
  required(
    await owner.client
      .from('saved_searches')
      .insert({ name: 'Segredo', question: 'segredo' })
      .select('id')
      .single(),
  );
  required(
    await owner.client.rpc('place_links', {
      category_id: owned.categoryId,
      link_ids: [linkId],
      ranks: ['8'],
    }),
  );
  required(await owner.client.rpc('tag_links', { link_ids: [linkId], added: ['secreta'] }));
});

const linkAsStored = async () =>
  required((await createOperator(deployment).from('links').select('*').eq('id', linkId).single()).data);

describe('a stranger', () => {
  test.each(TABLES)('sees nothing of the owner in %s', async (table) => {
    const column = table === 'profiles' ? 'id' : table === 'shared_with' ? 'category_id' : 'user_id';
    const key = table === 'shared_with' ? owned.categoryId : owner.id;
    const { data, error } = await stranger.client.from(table).select('*').eq(column, key);
    expect(error).toBeNull();
    expect(data).toEqual([]);
  });

  test('neither changes nor deletes what is not theirs', async () => {
    const before = await linkAsStored();
    const changed = await stranger.client.from('links').update({ title: 'Meu' }).eq('id', linkId).select();
    expect(changed.data).toEqual([]);
    const removed = await stranger.client.from('links').delete().eq('id', linkId).select();
    expect(removed.data).toEqual([]);
    await stranger.client.from('folders').delete().eq('id', owned.folderId);
    await stranger.client.from('categories').update({ is_public: true }).eq('id', owned.categoryId);
    expect(await linkAsStored()).toEqual(before);
  });

  test('cannot insert in the owner’s name nor into the owner’s places', async () => {
    const { client } = stranger;
    const url = 'https://example.com';
    const attempts = [
      client.from('folders').insert({ name: 'Falsa', user_id: owner.id }),
      client.from('categories').insert({ name: 'Falsa', folder_id: owned.folderId, user_id: owner.id }),
      client.from('categories').insert({ name: 'Falsa', folder_id: owned.folderId, user_id: stranger.id }),
      client.from('links').insert({ title: 'x', url, category_id: owned.categoryId, user_id: owner.id }),
      client.from('links').insert({ title: 'x', url, category_id: owned.categoryId, user_id: stranger.id }),
      client.from('shared_with').insert({ category_id: owned.categoryId, email: stranger.email }),
      client.from('favorites').insert({ link_id: linkId }),
      client.from('favorites').insert({ category_id: strange.categoryId, user_id: owner.id }),
      client.from('saved_searches').insert({ name: 'Falsa', question: 'falsa', user_id: owner.id }),
      client.from('folder_looks').upsert({ folder_id: owned.folderId, color: 'red' }),
      client.from('folder_looks').insert({ folder_id: strange.folderId, user_id: owner.id }),
      client.from('manual_order').insert({ link_id: linkId, user_id: stranger.id, rank: '8' }),
      client.rpc('place_links', { category_id: owned.categoryId, link_ids: [linkId], ranks: ['9'] }),
      client.rpc('tag_links', { link_ids: [linkId], added: ['x'] }),
      client.from('subscribers').insert({ user_id: stranger.id, plan: 'pro', subscription_status: 'active' }),
    ];
    for (const { error, status } of await Promise.all(attempts)) {
      expect(error).not.toBeNull();
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test('cannot move a link of their own into the owner’s category', async () => {
    const own = await stranger.client
      .from('links')
      .insert({
        title: 'meu',
        url: 'https://example.com',
        category_id: strange.categoryId,
        user_id: stranger.id,
      })
      .select()
      .single();
    const moved = await stranger.client
      .from('links')
      .update({ category_id: owned.categoryId })
      .eq('id', required(own.data, own.error).id);
    expect(moved.error).not.toBeNull();
    const given = await stranger.client.from('links').update({ user_id: owner.id }).eq('id', own.data?.id);
    expect(given.error).not.toBeNull();
  });

  test('cannot reach the schema of the accounts', async () => {
    const accounts = await stranger.client.schema('auth').from('users').select('*');
    expect(accounts.error).toMatchObject({ code: 'PGRST106' });
    const table = await stranger.client.from('users').select('*');
    expect(table).toMatchObject({ status: 404, error: { code: 'PGRST205' } });
  });
});

describe('a visitor', () => {
  test.each(TABLES)('reads nothing from %s', async (table) => {
    const { data, error } = await createVisitor(deployment).from(table).select('*').limit(5);
    expect(error !== null || data?.length === 0).toBe(true);
  });

  test('writes nothing', async () => {
    const visitor = createVisitor(deployment);
    const inserted = await visitor.from('folders').insert({ name: 'Anônima', user_id: owner.id });
    expect(inserted).toMatchObject({ status: 401, error: { code: '42501' } });
    const removed = await visitor.from('links').delete().eq('id', linkId);
    expect(removed.error ?? { code: 'nothing deleted' }).toBeTruthy();
    expect(await linkAsStored()).toMatchObject({ title: 'Segredo' });
  });

  test('opens a public category by its address only', async () => {
    await owner.client.from('shared_with').delete().eq('category_id', owned.categoryId);
    const opened = await owner.client
      .from('categories')
      .update({ is_public: true })
      .eq('id', owned.categoryId)
      .select();
    expect(opened.data).toHaveLength(1);
    const visitor = createVisitor(deployment);
    const listed = await visitor.from('categories').select('*');
    expect(listed.data ?? []).toEqual([]);
    const seen = await visitor.rpc('shared_links', { category_id: owned.categoryId });
    expect(required(seen.data, seen.error)).toMatchObject([{ title: 'Segredo' }]);
    expect(JSON.stringify(seen.data)).not.toContain(owner.email);
  });
});

describe('a hostile owner', () => {
  test('does not raise their own plan', async () => {
    const { client, id } = stranger;
    await client.from('profiles').update({ plan: 'pro' }).eq('id', id);
    await client.from('profiles').upsert({ id, plan: 'pro' });
    const after = await createOperator(deployment).from('profiles').select('plan').eq('id', id).single();
    expect(after.data).toEqual({ plan: 'free' });
  });

  test('does not share on the free plan', async () => {
    const { client } = stranger;
    const invited = await client
      .from('shared_with')
      .insert({ category_id: strange.categoryId, email: 'amigo@example.com' });
    expect(invited.error).toMatchObject({ hint: 'plan_sharing' });
    const published = await client
      .from('categories')
      .update({ is_public: true })
      .eq('id', strange.categoryId);
    expect(published.error).toMatchObject({ hint: 'plan_sharing' });
  });

  test('racing for the last places wins exactly the places there are', async () => {
    const racer = await createPerson(deployment);
    const { categoryId } = await createShelf(racer);
    const insert = (index: number) =>
      racer.client.from('links').insert({
        title: `corrida ${index}`,
        url: 'https://example.com',
        category_id: categoryId,
        user_id: racer.id,
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => insert(index)));
    const refused = answers.filter(({ error }) => error !== null);
    expect(refused).toHaveLength(20);
    for (const { error, status } of refused) {
      expect(status).toBe(400);
      expect(error).toMatchObject({
        code: 'P0001',
        message: 'Limite de 20 links atingido',
        hint: 'plan_limit_links',
      });
    }
    const counted = await racer.client.from('links').select('*', { count: 'exact', head: true });
    expect(counted.count).toBe(20);
    const counter = await racer.client.from('library_counts').select('link_count').single();
    expect(counter.data).toEqual({ link_count: 20 });
  });
});
