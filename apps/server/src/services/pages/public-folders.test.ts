import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedFolderPath, sharedPath } from '@linkoteca/domain/sharing';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createDatabase, type Database } from '../../kernel/database.ts';
import { createPagesService } from './create-pages-service.ts';
import { plainRenderer } from './test-support/plain-renderer.ts';

const NAME = 'Turma 9B';
const APP = '<!doctype html><div id="root"></div>';

let database: ThrowawayDatabase;
let db: Database;
let app: FastifyInstance;
let webFolder: string;
let folder: string;
let open: string;
const paint = vi.fn(async () => Buffer.from('\x89PNG'));

beforeAll(async () => {
  webFolder = mkdtempSync(join(tmpdir(), 'linkoteca-folders-'));
  writeFileSync(join(webFolder, 'index.html'), APP);
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 3 });
  app = fastify();
  const pages = createPagesService({
    db,
    renderer: plainRenderer,
    version: '1',
    siteUrl: 'https://links.example.com',
    anonKey: 'anon',
    paint,
  });
  await app.register(async (scope) => pages(scope, (reply) => reply.type('text/html').send(APP)));
  const owner = await createUser(database.admin, { plan: 'pro', name: 'Marta' });
  const add = async (table: string, columns: string, ...values: unknown[]) => {
    const { rows } = await database.admin.query(
      `insert into public.${table} (user_id, ${columns}) values ($1, ${values.map((_, at) => `$${at + 2}`).join(', ')}) returning id`,
      [owner.id, ...values],
    );
    return rows[0].id as string;
  };
  folder = await add('folders', 'name, is_public', NAME, true);
  open = await add('categories', 'folder_id, name, is_public, name_users', folder, 'Aberta', true, 'Marta');
  await add('categories', 'folder_id, name, is_public, name_users', folder, 'Fechada', false, 'Marta');
});
afterAll(async () => {
  await app.close();
  await db.pool.end();
  await database.drop();
  rmSync(webFolder, { recursive: true, force: true });
});
beforeEach(async () => {
  paint.mockClear();
  await database.admin.query('update public.folders set is_public = true where id = $1', [folder]);
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const path = () => sharedFolderPath({ id: folder, name: NAME });

it('a public folder has a page under its readable address, and under its id', async () => {
  for (const url of [
    path(),
    `/shared/pasta/${folder}`,
    sharedFolderPath({ id: folder, name: 'Outro nome' }),
  ]) {
    const { statusCode, body, headers } = await get(url);
    expect([statusCode, body]).toEqual([200, '<!doctype html>Turma 9B: Aberta']);
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect((await get(url, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
  }
});

it('what was not changed is not sent again, and what was closed is gone at once', async () => {
  const { headers } = await get(path());
  const known = { 'if-none-match': String(headers['etag']) };
  await database.admin.query(`update public.categories set description = 'Nova' where id = $1`, [open]);
  expect((await get(path(), known)).statusCode).toBe(200);
  await database.admin.query('update public.folders set is_public = false where id = $1', [folder]);
  for (const suffix of ['', '/image.png']) {
    const gone = await get(`${path()}${suffix}`, known);
    expect(gone.statusCode).toBe(404);
    expect(gone.body).not.toContain('Turma');
    expect(gone.body).not.toContain('Aberta');
  }
});

it.each([
  ['nothing', '/shared/pasta/'],
  ['no id', '/shared/pasta/turma'],
  ['an unknown one', '/shared/pasta/00000000-0000-4000-8000-000000000000'],
  ['a category', () => `/shared/pasta/${open}`],
  ['a statement', `/shared/pasta/${encodeURIComponent("x' or true --")}`],
])('an address that names %s is no page', async (_what, url) => {
  const { statusCode, body } = await get(typeof url === 'string' ? url : url());
  expect(statusCode).toBe(404);
  expect(body).not.toContain('Aberta');
});

it('the page of a category does not answer with a folder', async () => {
  const { statusCode } = await get(sharedPath({ id: folder, name: NAME }));
  expect(statusCode).toBe(404);
});

it('its picture is painted with its name and all of its public links', async () => {
  const { statusCode, headers } = await get(`${path()}/image.png`);
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
  expect(paint.mock.calls).toEqual([[{ name: NAME, owner_name: 'Marta', link_count: 0 }]]);
});

it('a database that does not answer is said to be so', async () => {
  const down = createDatabase({ host: '127.0.0.1', port: 9 });
  const other = fastify();
  const pages = createPagesService({
    db: down,
    renderer: plainRenderer,
    version: '1',
    siteUrl: 'https://links.example.com',
    anonKey: 'anon',
    paint,
  });
  await other.register(async (scope) => pages(scope, (reply) => reply.send(APP)));
  const { statusCode, headers } = await other.inject({ url: path() });
  expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  await other.close();
  await down.pool.end();
});
