import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Api, openApi } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import type { Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { type SharedFolder, shareFolder } from './support/share-folder.ts';

const deployment = inject('deployment');

type Link = { readonly id: string; readonly title: string; readonly category_id: string };
type Page<T> = { readonly data: readonly T[] };

let shared: SharedFolder;
let editor: Api;
beforeAll(async () => {
  shared = await shareFolder(deployment);
  editor = await connect(shared.editor);
});

async function connect(person: Person, scope = 'links:write'): Promise<Api> {
  const { token } = await createPersonalToken(deployment, person, scope);
  return openApi(deployment, token);
}

const url = () => `https://exemplo.test/${randomUUID()}`;
async function save(categoryId: string = shared.categoryId): Promise<string> {
  const body = { url: url(), title: 'Bolo', category_id: categoryId };
  const { status, body: link } = await editor.call<Link>('POST', '/links', { body });
  expect(status).toBe(201);
  return link.id;
}
/** As the owner sees it. */
async function readAsOwner(id: string) {
  const columns = 'title,category_id,user_id,added_by';
  const { data } = await shared.owner.client.from('links').select(columns).eq('id', id).throwOnError();
  return data;
}

const CATEGORY_NOT_FOUND = {
  status: 422,
  code: 'invalid_content',
  detail: 'Categoria não encontrada',
  errors: [{ pointer: '#/category_id', detail: 'Categoria não encontrada' }],
};

describe('an editor of a shared folder', () => {
  test('saves links, which become its owner’s', async () => {
    const body = { url: url(), title: 'Bolo', category_id: shared.categoryId };
    const saved = await editor.call<Link>('POST', '/links', { body });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({
      title: 'Bolo',
      category_id: shared.categoryId,
      is_own: false,
      tags: [],
    });
    expect(await readAsOwner(saved.body.id)).toEqual([
      { title: 'Bolo', category_id: shared.categoryId, user_id: shared.owner.id, added_by: shared.editor.id },
    ]);
  });

  test('changes and moves them, within what the owner shares', async () => {
    const id = await save();
    const changed = await editor.call('PATCH', `/links/${id}`, {
      body: { title: 'Pudim', description: 'De leite', category_id: shared.secondId },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'Pudim',
      description: 'De leite',
      category_id: shared.secondId,
    });
    const { categoryId: ownId } = await createShelf(shared.editor, randomUUID());
    for (const category_id of [ownId, shared.privateId, randomUUID()]) {
      const refused = await editor.call('PATCH', `/links/${id}`, { body: { title: 'Fora', category_id } });
      expect(refused.body).toMatchObject(CATEGORY_NOT_FOUND);
    }
    // Nor does a link of one's own become the owner's by being moved.
    const { body: own } = await editor.call<Link>('POST', '/links', {
      body: { url: url(), category_id: ownId },
    });
    const given = await editor.call('PATCH', `/links/${own.id}`, {
      body: { category_id: shared.categoryId },
    });
    expect(given.body).toMatchObject(CATEGORY_NOT_FOUND);
    expect(await readAsOwner(id)).toMatchObject([{ title: 'Pudim', category_id: shared.secondId }]);
  });

  test('deletes them into the owner’s bin', async () => {
    const id = await save();
    expect((await editor.call('DELETE', `/links/${id}`)).status).toBe(204);
    expect(await readAsOwner(id)).toEqual([]);
    const bins = await Promise.all(
      [shared.owner, shared.editor].map(({ client }) => client.rpc('list_bin').throwOnError()),
    );
    expect(bins.map(({ data }) => JSON.stringify(data).includes('Bolo'))).toEqual([true, false]);
  });

  test('gives them tags of their owner, and reads and replaces those', async () => {
    const tags = () => shared.owner.client.from('tags').select('name').order('name').throwOnError();
    const saved = await editor.call('POST', '/links', {
      body: { url: url(), category_id: shared.categoryId, tags: ['doces', 'Festa'] },
    });
    expect(saved.body).toMatchObject({ is_own: false, tags: ['doces', 'Festa'] });
    expect((await tags()).data).toEqual([{ name: 'Festa' }, { name: 'doces' }]);
    const { data: own } = await shared.editor.client.from('tags').select('name').throwOnError();
    expect(own).toEqual([]);
    const { id } = saved.body as { id: string };
    const changed = await editor.call('PATCH', `/links/${id}`, { body: { tags: ['FESTA', 'bolo'] } });
    expect(changed.body).toMatchObject({ tags: ['bolo', 'Festa'] });
    const listed = await editor.call('GET', `/links?category_id=${shared.categoryId}`);
    expect(listed.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id, tags: ['bolo', 'Festa'] })]),
    });
  });

  test('lists its categories beside their own, named as shared', async () => {
    await createShelf(shared.editor, randomUUID());
    const given = { shared: { folder_name: 'Cozinha', owner_name: 'Olga', may_write: true } };
    const listed = await editor.call<Page<object>>('GET', '/categories?shared=true&limit=1');
    expect(listed.body.data).toEqual([
      expect.objectContaining({ id: shared.categoryId, folder_id: shared.folderId, ...given }),
    ]);
    const within = `/categories?shared=true&folder_id=${shared.folderId}`;
    expect((await editor.call<Page<object>>('GET', within)).body.data.length).toBeGreaterThan(1);
    const one = await editor.call('GET', `/categories/${shared.categoryId}`);
    const { count } = await shared.owner.client
      .from('links')
      .select('id', { count: 'exact', head: true })
      .eq('category_id', shared.categoryId);
    expect(one.body).toMatchObject({ name: 'Artigos', link_count: count, is_inbox: false, ...given });
    const own = await editor.call<Page<{ id: string }>>('GET', '/categories');
    expect(own.body.data.every((category) => !('shared' in category))).toBe(true);
    expect(own.body.data.map(({ id }) => id)).not.toContain(shared.categoryId);
  });

  test('makes and renames categories in it, and neither moves nor deletes them', async () => {
    const made = await editor.call<{ id: string }>('POST', '/categories', {
      body: { name: 'Tortas', folder_id: shared.folderId },
    });
    expect([made.status, made.body]).toMatchObject([201, { name: 'Tortas', shared: { owner_name: 'Olga' } }]);
    const path = `/categories/${made.body.id}`;
    const renamed = await editor.call('PATCH', path, { body: { name: 'Tortas salgadas' } });
    expect(renamed.body).toMatchObject({ name: 'Tortas salgadas', folder_id: shared.folderId });
    const { folderId } = await createShelf(shared.editor, randomUUID());
    expect((await editor.call('PATCH', path, { body: { folder_id: folderId } })).status).toBe(404);
    expect((await editor.call('DELETE', path)).status).toBe(404);
  });

  test('does nothing of it with a token that only reads', async () => {
    const reader = await connect(shared.editor, 'links:read');
    const body = { url: url(), category_id: shared.categoryId };
    expect((await reader.call('POST', '/links', { body })).status).toBe(403);
    expect((await reader.call('PATCH', `/links/${shared.linkId}`, { body: { title: 'X' } })).status).toBe(
      403,
    );
    expect((await reader.call('DELETE', `/links/${shared.linkId}`)).status).toBe(403);
  });
});

describe.each(['viewer', 'removed', 'stranger'] as const)('a %s', (who) => {
  test('writes nothing, and is answered as for what does not exist', async () => {
    const api = await connect(shared[who]);
    const missing = randomUUID();
    const answers = async (linkId: string, categoryId: string, folderId: string) => [
      await api.call('POST', '/links', { body: { url: 'https://x.test/', category_id: categoryId } }),
      await api.call('PATCH', `/links/${linkId}`, { body: { title: 'Meu' } }),
      await api.call('PATCH', `/links/${linkId}`, { body: {} }),
      await api.call('PATCH', `/links/${linkId}`, { body: { tags: ['meu'] } }),
      await api.call('PATCH', `/links/${linkId}`, { body: { category_id: categoryId } }),
      await api.call('DELETE', `/links/${linkId}`),
      await api.call('POST', '/categories', { body: { name: 'Minha', folder_id: folderId } }),
      await api.call('PATCH', `/categories/${categoryId}`, { body: { name: 'Minha' } }),
    ];
    const refused = await answers(shared.linkId, shared.categoryId, shared.folderId);
    const absent = await answers(missing, missing, missing);
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      absent.map(({ status, body }) => [status, body]),
    );
    expect(refused.map(({ status }) => status)).toEqual([422, 404, 404, 404, 404, 404, 422, 404]);
    expect(await readAsOwner(shared.linkId)).toMatchObject([{ title: 'Da Olga' }]);
  });

  test('sees its categories only as a viewer, who may not write', async () => {
    const api = await connect(shared[who]);
    const { body } = await api.call<Page<object>>('GET', '/categories?shared=true');
    const one = await api.call('GET', `/categories/${shared.categoryId}`);
    if (who === 'viewer') {
      expect(body.data).toContainEqual(one.body);
      expect(one.body).toMatchObject({ shared: { owner_name: 'Olga', may_write: false } });
    } else {
      expect(body.data).toEqual([]);
      expect(one.status).toBe(404);
    }
  });
});
