import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRestService, type RestBench } from './test-support/start-rest-service.ts';

let rest: RestBench;
let categoryId: string;

beforeAll(async () => {
  const database = await createThrowawayDatabase();
  rest = await openRestService(database, { schemas: ['public'] });
  const owner = await createUser(database.admin, { plan: 'pro' });
  const insert = async (text: string, values: readonly unknown[]) =>
    (await queryAs<{ id: string }>(database, owner, `${text} returning id`, values)).rows[0]?.id ?? '';
  const folderId = await insert(`insert into folders (name) values ($1)`, ['Pasta']);
  categoryId = await insert(`insert into categories (name, folder_id) values ($1, $2)`, [
    'Segredo',
    folderId,
  ]);
  await queryAs(database, owner, `select save_sharing($1, true, '{}')`, [categoryId]);
  await queryAs(database, owner, `select set_page_password($1, 'abre-te sésamo')`, [categoryId]);
});
afterAll(async () => {
  await rest.stop();
  await rest.database.drop();
});

const call = (name: string, body: object, headers = {}) =>
  rest.ask('POST', `/rpc/${name}`, { headers, body });

test('a proof goes along in a header, and a guess is counted where it comes from, whatever its headers say', async () => {
  const right = await call('open_locked_page', { category_id: categoryId, password: 'abre-te sésamo' });
  expect(right.status).toBe(200);
  const proof = String(right.json);
  const look = async (headers = {}) =>
    (await call('shared_category', { category_id: categoryId }, headers)).json;
  expect(await look()).toMatchObject([{ access: 'locked', name: null }]);
  expect(await look({ 'x-page-proof': proof })).toMatchObject([{ access: 'public', name: 'Segredo' }]);

  const guess = (n: number) =>
    call(
      'open_locked_page',
      { category_id: categoryId, password: 'errada123' },
      { 'x-forwarded-for': `198.51.100.${n}`, 'cf-connecting-ip': `203.0.113.${n}` },
    );
  for (let n = 0; n < 10; n += 1) expect(await guess(n)).toMatchObject({ status: 200, json: null });
  expect(await guess(10)).toMatchObject({ status: 429, json: { hint: 'too_many_attempts' } });
});
