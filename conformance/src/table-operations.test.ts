import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { createOperator } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

/** Every call of the specification's section 7, 'Tables', as its screens make it. */
let person: Person;
let shelf: Shelf;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'plus', name: 'Clara Dias' });
  shelf = await createShelf(person);
});

const newName = () => `Pasta ${randomUUID().slice(0, 8)}`;

async function insertLinks(titles: readonly string[], categoryId = shelf.categoryId) {
  const rows = titles.map((title) => ({
    title,
    url: `https://example.com/${encodeURIComponent(title)}`,
    description: null,
    category_id: categoryId,
    user_id: person.id,
  }));
  const { data, error } = await person.client.from('links').insert(rows).select();
  return required(data, error);
}

describe('folders', () => {
  test('are inserted, read by id, listed newest first and by name, updated, counted and deleted', async () => {
    const { client, id: user_id } = person;
    const inserted = await client
      .from('folders')
      .insert({ name: newName(), user_id, is_public: false, shared_with: [] })
      .select()
      .single();
    expect(inserted.status).toBe(201);
    const folder = required(inserted.data, inserted.error);
    expect(Object.keys(folder).sort()).toEqual(
      ['created_at', 'id', 'is_public', 'name', 'shared_with', 'updated_at', 'user_id'].sort(),
    );
    const second = await client.from('folders').insert({ name: newName(), user_id }).select('id').single();
    const secondId = required(second.data, second.error).id;

    const newestFirst = await client
      .from('folders')
      .select('*')
      .eq('user_id', user_id)
      .order('created_at', { ascending: false });
    expect(
      required(newestFirst.data)
        .map((row) => row.id)
        .slice(0, 2),
    ).toEqual([secondId, folder.id]);

    const one = await client.from('folders').select('*').eq('id', folder.id).single();
    expect(one.data).toEqual(folder);

    const named = await client.from('folders').select('id,name').order('name', { ascending: true });
    const names = required(named.data).map((row) => row.name as string);
    expect(names.length).toBeGreaterThanOrEqual(3);
    expect(Object.keys(required(named.data)[0] ?? {}).sort()).toEqual(['id', 'name']);

    const changed = await client
      .from('folders')
      .update({
        name: 'Renomeada',
        is_public: true,
        shared_with: ['x@example.com'],
        updated_at: new Date().toISOString(),
      })
      .eq('id', folder.id)
      .eq('user_id', user_id)
      .select()
      .single();
    expect(changed.data).toMatchObject({
      name: 'Renomeada',
      is_public: true,
      shared_with: ['x@example.com'],
    });

    const before = await client
      .from('folders')
      .select('*', { count: 'exact', head: true })
      .eq('user_id', user_id);
    expect(before.data).toBeNull();
    const removed = await client.from('folders').delete().eq('id', folder.id);
    expect(removed).toMatchObject({ status: 204, error: null });
    const after = await client
      .from('folders')
      .select('*', { count: 'exact', head: true })
      .eq('user_id', user_id);
    expect(after.count).toBe(required(before.count) - 1);
  });

  test('refuse a name twice with 23505, also by another case of the check', async () => {
    const name = newName();
    const { client, id: user_id } = person;
    required((await client.from('folders').insert({ name, user_id }).select().single()).data);
    const found = await client
      .from('folders')
      .select('id')
      .eq('user_id', user_id)
      .eq('name', name)
      .maybeSingle();
    expect(found.data).not.toBeNull();
    const twice = await client.from('folders').insert({ name, user_id });
    expect(twice).toMatchObject({ status: 409, error: { code: '23505' } });
  });

  test('take their categories and links with them when deleted', async () => {
    const own = await createShelf(person, newName());
    const [link] = await insertLinks(['vai junto'], own.categoryId);
    await person.client.from('folders').delete().eq('id', own.folderId);
    const category = await person.client
      .from('categories')
      .select('id')
      .eq('id', own.categoryId)
      .maybeSingle();
    expect(category).toMatchObject({ data: null, error: null });
    const gone = await person.client.from('links').select('id').eq('id', link?.id).maybeSingle();
    expect(gone).toMatchObject({ data: null, error: null });
  });
});

describe('categories', () => {
  test('are inserted, listed three ways, updated, counted, fetched by ids and deleted', async () => {
    const { client, id: user_id } = person;
    const own = await createShelf(person, newName());
    const row = {
      name: 'Receitas',
      description: 'de família',
      folder_id: own.folderId,
      user_id,
      is_public: false,
      name_users: 'Clara Dias',
    };
    const inserted = await client.from('categories').insert(row).select().single();
    expect(inserted.data).toMatchObject(row);
    const category = required(inserted.data, inserted.error);

    const newest = { ascending: false } as const;
    const byUser = await client
      .from('categories')
      .select('*')
      .eq('user_id', user_id)
      .order('created_at', newest);
    expect(required(byUser.data)[0]?.id).toBe(category.id);
    const byFolder = await client
      .from('categories')
      .select('*')
      .eq('folder_id', own.folderId)
      .eq('user_id', user_id)
      .order('created_at', newest);
    expect(required(byFolder.data).map((found) => found.id)).toEqual([category.id, own.categoryId]);
    const latest = await client
      .from('categories')
      .select('id, name, description, links(count)')
      .eq('user_id', user_id)
      .order('created_at', newest)
      .limit(6);
    expect(required(latest.data, latest.error)[0]).toMatchObject({ name: 'Receitas' });
    const byIds = await client
      .from('categories')
      .select('*')
      .in('id', [category.id, own.categoryId, randomUUID()]);
    expect(byIds.data).toHaveLength(2);

    const changed = await client
      .from('categories')
      .update({ description: null, updated_at: new Date().toISOString() })
      .eq('id', category.id)
      .select()
      .single();
    expect(changed.data).toMatchObject({ name: 'Receitas', description: null });

    const counted = await client
      .from('categories')
      .select('*', { count: 'exact', head: true })
      .eq('user_id', user_id);
    expect(counted.count).toBe(required(byUser.data).length);

    expect(
      (await client.from('categories').delete().eq('id', category.id).eq('user_id', user_id)).error,
    ).toBeNull();
    expect((await client.from('categories').delete().eq('folder_id', own.folderId)).error).toBeNull();
    const left = await client.from('categories').select('id').eq('folder_id', own.folderId);
    expect(left.data).toEqual([]);
  });
});

describe('links', () => {
  test('are inserted, listed newest first, read, updated, moved and deleted one by one and in bulk', async () => {
    const { client, id: user_id } = person;
    const own = await createShelf(person, newName());
    const columns = 'id, title, url, description, category_id, user_id, created_at, updated_at';
    const ids: string[] = [];
    for (const title of ['um', 'dois', 'três']) {
      const [link] = await insertLinks([title], own.categoryId);
      ids.push(required(link).id as string);
    }
    const listed = await client
      .from('links')
      .select(columns)
      .eq('category_id', own.categoryId)
      .order('created_at', { ascending: false });
    expect(required(listed.data, listed.error).map((link) => link.title)).toEqual(['três', 'dois', 'um']);

    const changed = await client
      .from('links')
      .update({
        url: 'https://example.org/novo',
        title: 'Um, corrigido',
        description: null,
        category_id: shelf.categoryId,
      })
      .eq('id', required(ids[0]))
      .select(columns)
      .single();
    expect(changed.data).toMatchObject({ title: 'Um, corrigido', category_id: shelf.categoryId, user_id });

    expect((await client.from('links').delete().eq('id', required(ids[0]))).error).toBeNull();
    const bulk = await client.from('links').delete().in('id', ids.slice(1)).select('id');
    expect(
      required(bulk.data, bulk.error)
        .map((row) => row.id)
        .sort(),
    ).toEqual(ids.slice(1).sort());
    await insertLinks(['quatro', 'cinco'], own.categoryId);
    expect((await client.from('links').delete().eq('category_id', own.categoryId)).error).toBeNull();
    const left = await client.from('links').select('id').eq('category_id', own.categoryId);
    expect(left.data).toEqual([]);
  });

  test('are paged by a range and counted without their rows', async () => {
    const { client, id: user_id } = person;
    const own = await createShelf(person, newName());
    await insertLinks(
      Array.from({ length: 12 }, (_, index) => `página ${index}`),
      own.categoryId,
    );
    const inCategory = () =>
      client.from('links').select('id', { count: 'exact' }).eq('category_id', own.categoryId).order('id');
    const first = await inCategory().range(0, 4);
    const last = await inCategory().range(10, 14);
    expect(first).toMatchObject({ status: 206, count: 12 });
    expect(first.data).toHaveLength(5);
    expect(last.data).toHaveLength(2);
    const beyond = await inCategory().range(50, 60);
    expect(beyond).toMatchObject({ status: 416, error: { code: 'PGRST103' } });

    const headOnly = await client
      .from('links')
      .select('*', { count: 'exact', head: true })
      .eq('category_id', own.categoryId)
      .eq('user_id', user_id);
    expect(headOnly).toMatchObject({ data: null, count: 12, error: null });
    const counters = await client
      .from('category_counts')
      .select('link_count')
      .eq('category_id', own.categoryId)
      .single();
    expect(counters.data).toEqual({ link_count: 12 });
  });

  test('come with their category, and a to-one name is an object', async () => {
    const [link] = await insertLinks(['com categoria']);
    const { data, error } = await person.client
      .from('links')
      .select('id, title, url, created_at, categories(id, name)')
      .eq('user_id', person.id)
      .eq('id', required(link).id)
      .single();
    expect(error).toBeNull();
    expect(data).toMatchObject({ categories: { id: shelf.categoryId, name: 'Artigos' } });
  });

  test('are upserted by their key', async () => {
    const [link] = await insertLinks(['antes']);
    const { created_at: _born, updated_at: _changed, ...row } = required(link);
    const merged = await person.client
      .from('links')
      .upsert({ ...row, title: 'depois' })
      .select('id, title')
      .single();
    expect(merged.data).toEqual({ id: link?.id, title: 'depois' });
    const ignored = await person.client
      .from('links')
      .upsert({ ...row, title: 'nunca' }, { ignoreDuplicates: true })
      .select('title');
    expect(ignored).toMatchObject({ data: [], error: null });
  });
});

describe('shared_with', () => {
  test('lists addresses by category and categories by address, in lower case', async () => {
    const { client } = person;
    const email = `zeca-${randomUUID()}@example.com`;
    const category_id = shelf.categoryId;
    const shouted = await client.from('shared_with').insert({ category_id, email: email.toUpperCase() });
    expect(shouted.error).toBeNull();
    const again = await client.from('shared_with').insert({ category_id, email });
    expect(again.error).toMatchObject({ code: '23505' });
    const addresses = await client.from('shared_with').select('email').eq('category_id', category_id);
    expect(addresses.data).toEqual([{ email }]);
    const categories = await client
      .from('shared_with')
      .select('category_id, created_at')
      .eq('email', email)
      .order('created_at', { ascending: true });
    expect(required(categories.data).map((row) => row.category_id)).toEqual([category_id]);
    const removed = await client
      .from('shared_with')
      .delete()
      .eq('category_id', category_id)
      .eq('email', email);
    expect(removed.error).toBeNull();
    const left = await client.from('shared_with').select('email').eq('category_id', category_id);
    expect(left.data).toEqual([]);
  });
});

describe('subscribers and profiles', () => {
  test('are read one or none, and only the payment side writes them', async () => {
    const { client, id } = person;
    const columns =
      'plan, subscription_status, current_period_end, stripe_customer_id, stripe_subscription_id';
    const own = await client.from('subscribers').select(columns).eq('user_id', id).maybeSingle();
    expect(own.data).toMatchObject({ plan: 'plus', subscription_status: 'active' });
    const profile = await client.from('profiles').select('plan').eq('id', id).single();
    expect(profile.data).toEqual({ plan: 'plus' });
    const names = await client.from('profiles').select('id, name').in('id', [id]);
    expect(names.data).toEqual([{ id, name: 'Clara Dias' }]);

    await client.from('profiles').update({ plan: 'pro' }).eq('id', id);
    await client.from('subscribers').update({ plan: 'pro' }).eq('user_id', id);
    const after = await createOperator(deployment).from('profiles').select('plan').eq('id', id).single();
    expect(after.data).toEqual({ plan: 'plus' });
  });

  test('a newcomer has a profile on the free plan and no subscription', async () => {
    const newcomer = await createPerson(deployment, { name: 'Novo' });
    const none = await newcomer.client
      .from('subscribers')
      .select('plan')
      .eq('user_id', newcomer.id)
      .maybeSingle();
    expect(none).toMatchObject({ data: null, error: null });
    const profile = await newcomer.client.from('profiles').select('id, name, plan').single();
    expect(profile.data).toEqual({ id: newcomer.id, name: 'Novo', plan: 'free' });
  });
});

describe('answers', () => {
  test('a single row that is not there is PGRST116', async () => {
    const { data, error, status } = await person.client
      .from('links')
      .select('*')
      .eq('id', randomUUID())
      .single();
    expect(data).toBeNull();
    expect(status).toBe(406);
    expect(error).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' });
  });

  test('the administrator’s lists are empty for everybody else', async () => {
    for (const name of ['get_all_profiles', 'get_all_user_emails']) {
      const { data, error } = await person.client.rpc(name);
      expect(error).toBeNull();
      expect(data).toEqual([]);
    }
  });
});
