import { claimsOf } from '@linkoteca/test-kit/claims-of';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRestService, type RestBench } from './test-support/start-rest-service.ts';

let rest: RestBench;
let signedIn: { authorization: string };
let categoryId: string;
let ids: string[];

beforeAll(async () => {
  rest = await openRestService(await createThrowawayDatabase(), { schemas: ['public'] });
});
afterAll(async () => {
  await rest.stop();
  await rest.database.drop();
});

beforeEach(async () => {
  const user = await createUser(rest.database.admin, { plan: 'pro' });
  signedIn = { authorization: `Bearer ${await rest.tokenFor(claimsOf(user))}` };
  const [folder] = await insert('folders', { name: 'Pasta' });
  const [category] = await insert('categories', { name: 'Categoria', folder_id: folder });
  categoryId = category ?? '';
  const links = [1, 2, 3].map((n) => ({ title: `T${n}`, url: `https://a.br/${n}`, category_id: categoryId }));
  ids = await insert('links', links);
});

async function insert(table: string, body: unknown): Promise<string[]> {
  const headers = { ...signedIn, prefer: 'return=representation' };
  const answer = await rest.ask('POST', `/${table}?select=id`, { body, headers });
  expect(answer.status).toBe(201);
  return (answer.json as { id: string }[]).map(({ id }) => id);
}

const call = async (name: string, body: unknown) => {
  const { status, json } = await rest.ask('POST', `/rpc/${name}`, { headers: signedIn, body });
  return [status, json];
};

describe('in one call', () => {
  it('many links are deleted, and brought back', async () => {
    expect(await call('delete_links', { link_ids: ids })).toEqual([200, 3]);
    expect(await call('undo_deletion', { item_type: 'link', item_ids: ids })).toEqual([
      200,
      { folders: 0, categories: 0, links: 3 },
    ]);
    expect(await call('undo_deletion', { item_type: 'link', item_ids: ids })).toEqual([
      200,
      { folders: 0, categories: 0, links: 0 },
    ]);
  });

  it('twenty thousand ids fit', async () => {
    const others = Array.from({ length: 19_997 }, () => crypto.randomUUID());
    expect(await call('delete_links', { link_ids: [...others, ...ids] })).toEqual([200, 3]);
  });

  it('an address is found', async () => {
    const [status, found] = await call('find_links_by_url', { urls: ['https://a.br/2'] });
    expect([status, found]).toMatchObject([
      200,
      [{ url: 'https://a.br/2', title: 'T2', folder_name: 'Pasta' }],
    ]);
  });
});

describe('a refusal says why in the status and in words', () => {
  it('nothing to delete: 400', async () => {
    expect(await call('delete_links', { link_ids: [] })).toMatchObject([
      400,
      { code: 'PT400', message: 'Nenhum link para excluir' },
    ]);
  });

  it('no such category to move to: 404', async () => {
    const target_category_id = crypto.randomUUID();
    expect(await call('move_links', { link_ids: ids, target_category_id })).toMatchObject([
      404,
      { code: 'PT404', message: 'Categoria não encontrada' },
    ]);
  });

  it('no place to come back to: 409', async () => {
    await call('delete_links', { link_ids: ids });
    await rest.ask('DELETE', `/categories?id=eq.${categoryId}`, { headers: signedIn });
    expect(await call('undo_deletion', { item_type: 'link', item_ids: ids })).toMatchObject([
      409,
      { code: 'PT409', message: 'A categoria ou pasta de origem não existe mais' },
    ]);
  });

  it('no account: 401', async () => {
    const answer = await rest.ask('POST', '/rpc/undo_deletion', {
      body: { item_type: 'link', item_ids: ids },
    });
    expect([answer.status, answer.json]).toMatchObject([401, { code: '42501' }]);
  });
});
