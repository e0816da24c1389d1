import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sharedPageCursor, sharedPath } from '@linkoteca/domain/sharing';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../kernel/database.ts';
import { createGateway } from '../../kernel/gateway/create-gateway.ts';
import { createOperatorAccess } from '../../kernel/gateway/operator-access.ts';
import { createHealth } from '../../kernel/health/create-health.ts';
import { createPagesService } from './create-pages-service.ts';
import { plainRenderer } from './test-support/plain-renderer.ts';

const SITE = 'https://links.example.com';
const HOSTILE = `</title><script>alert("1")</script> & 'aspas' \u202E`;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let database: ThrowawayDatabase;
let db: Database;
let app: FastifyInstance;
let folder: string;
let category: string;
let restricted: string;
let closed: string;
const paint = vi.fn(async () => Buffer.from('\x89PNG'));
const renderPage = vi.spyOn(plainRenderer, 'renderPage');

async function open(db: Database): Promise<FastifyInstance> {
  return createGateway({
    settings: { siteUrl: SITE, trustProxy: false, metricsAccess: 'loopback', smtpUrl: undefined },
    logger: createLogger('silent'),
    metrics: new Registry(),
    anonKey: 'anon',
    operator: createOperatorAccess({ siteUrl: SITE, trustProxy: false, key: 'operator' }),
    health: createHealth({ probes: db, requiredMigrations: { platform: [], product: [] } }),
    webFolder: folder,
    mailFolder: folder,
    registerPages: createPagesService({
      db,
      renderer: plainRenderer,
      version: '1',
      siteUrl: SITE,
      anonKey: 'anon',
      paint,
    }),
  });
}

async function sql(text: string, values: readonly unknown[] = []) {
  const { rows } = await database.admin.query(text, [...values]);
  return rows;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-pages-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script>theme()</script><div id="root"></div>');
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 3 });
  app = await open(db);
  const owner = await createUser(database.admin, { plan: 'pro', name: 'Marta' });
  const [{ id: folderId }] = await sql(
    `insert into public.folders (name, user_id) values ('P', $1) returning id`,
    [owner.id],
  );
  const add = async (name: string, isPublic: boolean) => {
    const [{ id }] = await sql(
      `insert into public.categories (name, folder_id, user_id, is_public, name_users) values ($1, $2, $3, $4, 'Marta') returning id`,
      [name, folderId, owner.id, isPublic],
    );
    return id as string;
  };
  category = await add('Receitas da Vovó', true);
  restricted = await add('Só convidados', false);
  closed = await add('Fechada', false);
  await sql(`insert into public.shared_with (category_id, email) values ($1, 'ana@exemplo.com.br')`, [
    restricted,
  ]);
  await sql(
    `insert into public.links (url, title, description, category_id, user_id, created_at)
     select 'https://a.example.com/?a=1&b=' || n, 'Link ' || n, case n when 120 then $3 end, c, $2,
       timestamptz '2026-01-01 00:00:00.123456+00' + n * interval '1 minute'
     from unnest(array[$1, $4, $5]::uuid[]) as c, generate_series(1, 120) n`,
    [category, owner.id, HOSTILE, restricted, closed],
  );
});
afterAll(async () => {
  await app.close();
  await db.pool.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  renderPage.mockClear();
  paint.mockClear();
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const page = (suffix = '') => `/shared/${category}${suffix}`;

describe('a public page that has ended', () => {
  const FORMS = ['', '/feed.xml', '/atom.xml', '/feed.json', '/image.png', '/embed', '?app=1'];
  const answers = async (id: string) =>
    Promise.all(
      FORMS.map(async (form) => {
        const { statusCode, body, headers } = await get(`/shared/${id}${form}`, {
          'if-none-match': String((await get(`/shared/${id}${form}`)).headers.etag ?? '"x"'),
        });
        return [
          form,
          statusCode,
          body.replaceAll(id, 'ID'),
          headers['cache-control'],
          headers['x-robots-tag'],
        ];
      }),
    );

  it('is in every form as a private one, also for whoever has kept it', async () => {
    const etag = String((await get(page())).headers.etag);
    await sql(
      `insert into private.public_pages (category_id, user_id, ends_at) select id, user_id, now() - interval '1 s' from public.categories where id = $1`,
      [category],
    );
    expect((await get(page(), { 'if-none-match': etag })).statusCode).toBe(404);
    expect(await answers(category)).toEqual(await answers(closed));
    await sql('delete from private.public_pages');
    expect((await get(page(), { 'if-none-match': etag })).statusCode).toBe(304);
  });
});

describe('the page of a public category', () => {
  it('answers its id, its readable address and an old name alike, complete and never kept unasked', async () => {
    const readable = sharedPath({ id: category, name: 'Receitas da Vovó' });
    const answers = await Promise.all(
      [page(), readable, readable.replace('receitas', 'antigas')].map((url) => get(url)),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('Receitas da Vovó: Link 120, Link 119');
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, no-cache',
        vary: expect.stringContaining('accept-encoding'),
        'x-frame-options': 'DENY',
      });
      expect(answer.headers['x-robots-tag']).toBeUndefined();
    }
  });

  it('lets nothing run but its own script', async () => {
    const policy = String((await get(page())).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain('wss://links.example.com');
  });

  /** The titles that a visitor comes by from page to page. */
  async function turnPages(): Promise<readonly string[]> {
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const { body } = await get(page(before === null ? '' : `?before=${encodeURIComponent(before)}`));
      const drawn = renderPage.mock.lastCall?.[0];
      expect(body).toContain(drawn?.links[0]?.title);
      seen.push(...(drawn?.links ?? []).map(({ title }) => title));
      const last = drawn?.links.at(-1);
      before = drawn?.hasOlder && last ? sharedPageCursor(last) : null;
    } while (before !== null);
    return seen;
  }
  const NEWEST_FIRST = Array.from({ length: 120 }, (_, index) => `Link ${120 - index}`);

  it('reaches every one of its links through its pages, each once', async () => {
    // Nobody has asked for this state yet: each page is drawn now.
    await sql(`update public.categories set description = 'Doces' where id = $1`, [category]);
    expect(await turnPages()).toEqual(NEWEST_FIRST);
  });

  it('shows its links in the order that their owner gave them, page after page', async () => {
    const idOf = async (n: number) =>
      (
        await sql('select id from public.links where category_id = $1 and title = $2', [
          category,
          `Link ${n}`,
        ])
      )[0].id;
    // On top; where the first page ends; and last of all.
    const ranks = { 3: 'f', 2: `${(await rankOf(71)).slice(0, -1)}9`, 120: '00000000000001' };
    await sql(
      `insert into public.manual_order (user_id, category_id) select user_id, id from public.categories where id = $1`,
      [category],
    );
    for (const [n, rank] of Object.entries(ranks))
      await sql(
        `insert into public.manual_order (user_id, link_id, rank) select user_id, id, $2 from public.links where id = $1`,
        [await idOf(Number(n)), rank],
      );
    const seen = await turnPages();
    await sql('delete from public.manual_order where true');
    const others = NEWEST_FIRST.filter((title) => !['Link 3', 'Link 2', 'Link 120'].includes(title));
    const at = others.indexOf('Link 71');
    expect(seen).toEqual(['Link 3', ...others.slice(0, at), 'Link 2', ...others.slice(at), 'Link 120']);
  });

  const rankOf = async (n: number): Promise<string> =>
    (
      await sql(
        'select private.birth_rank(created_at, id) as rank from public.links where category_id = $1 and title = $2',
        [category, `Link ${n}`],
      )
    )[0].rank;

  it.each([
    'ontem',
    '2026-01-01T00:00:00Z,',
    '2026-01-01T00:00:00Z,x',
    '2026-01-01T00:00:00Z,99999999-9999-4999-8999-999999999999,',
    '2026-02-31T00:00:00Z',
    '2026-01-01',
    "'; drop table links;--",
    '9999999-01-01T00:00:00Z',
    '2026-01-01T00:00:00+20:00',
    '2026-01-01T00:00:00-16:00',
  ])('takes %j for no time at all', async (before) => {
    const answer = await get(page(`?before=${encodeURIComponent(before)}&before=x&view=%00`));
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('Link 120')]);
    expect((await get(page(`?before=${encodeURIComponent(before)}`))).statusCode).toBe(200);
  });

  it('is drawn once for all who ask, and again as soon as anything in it changes', async () => {
    await get(page());
    renderPage.mockClear();
    await Promise.all(Array.from({ length: 5 }, () => get(page())));
    expect(renderPage).not.toHaveBeenCalled();
    expect((await get(page('?view=list'))).body).toContain('data-view="list"');
    await sql(`update public.links set title = 'Novo nome' where category_id = $1 and title = 'Link 119'`, [
      category,
    ]);
    expect((await get(page())).body).toContain('Link 120, Novo nome');
    await sql(`update public.links set title = 'Link 119' where category_id = $1 and title = 'Novo nome'`, [
      category,
    ]);
  });

  it('is not taken for an older one that shows the same links', async () => {
    // Nobody has asked for this state yet: whichever comes first is drawn now.
    await sql(`update public.categories set description = 'Salgados' where id = $1`, [category]);
    const older = await get(page('?before=2099-01-01T00:00:00Z'));
    const newest = await get(page());
    expect(older.body).toContain('data-before="2099-01-01T00:00:00Z"');
    expect(newest.body).toContain('data-before="null"');
    expect(newest.headers['etag']).not.toBe(older.headers['etag']);
  });

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
  ])('is sent as %s to whoever takes %j, with a tag of its own', async (encoding, accepted, unpack) => {
    const answer = await get(page(), { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(unpack(answer.rawPayload).toString()).toContain('Receitas da Vovó');
    expect(answer.headers['etag']).not.toBe((await get(page())).headers['etag']);
  });

  it('says that nothing has changed, in a few bytes', async () => {
    const tag = String((await get(page())).headers['etag']);
    for (const given of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await get(page(), { 'if-none-match': given });
      expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([304, '', tag]);
    }
    expect((await get(page(), { 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await app.inject({ method: 'HEAD', url: page() });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('what is not public', () => {
  it.each([
    ['a restricted category', () => restricted],
    ['a private category', () => closed],
    ['an unknown id', () => UNKNOWN],
    ['nonsense', () => '..%2f..%2fetc'],
    ['a hostile segment', () => encodeURIComponent(`'"><script>`)],
  ])('%s is the app’s to explain, alike for all, and found by nobody', async (_what, segment) => {
    const answer = await get(`/shared/${segment()}`, { 'if-none-match': '*' });
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('<div id="root">')]);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
    expect(answer.headers['etag']).toBeUndefined();
    expect(answer.headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
    for (const part of ['feed.xml', 'atom.xml', 'feed.json', 'image.png', 'embed']) {
      const other = await get(`/shared/${segment()}/${part}`);
      expect([other.statusCode, other.body]).toEqual([
        404,
        expect.stringContaining('Categoria não encontrada'),
      ]);
      expect(other.headers['cache-control']).toBe('no-store');
    }
    expect(renderPage).not.toHaveBeenCalled();
    expect(paint).not.toHaveBeenCalled();
  });

  it('a member is led into the app, where no search engine follows', async () => {
    const answer = await get(page('?app=1'));
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('<div id="root">')]);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
  });

  it('is gone with the first request after the revocation, whatever a client has kept, and back with the next', async () => {
    const parts = ['', '/feed.xml', '/atom.xml', '/feed.json', '/image.png', '/embed'];
    const before = await Promise.all(parts.map((part) => get(page(part))));
    expect(before.map(({ statusCode }) => statusCode)).toEqual(parts.map(() => 200));
    await sql(`update public.categories set is_public = false where id = $1`, [category]);
    const after = await Promise.all(
      parts.map((part, index) =>
        get(page(part), { 'if-none-match': String(before[index]?.headers['etag']) }),
      ),
    );
    expect(after.map(({ statusCode }) => statusCode)).toEqual(parts.map(() => 404));
    for (const { body } of after) expect(body).not.toContain('Receitas');
    await sql(`update public.categories set is_public = true where id = $1`, [category]);
    expect((await get(page())).statusCode).toBe(200);
  });
});

describe('feeds, pictures and frames', () => {
  it.each([
    ['feed.xml', 'application/rss+xml', '<rss version="2.0"'],
    ['atom.xml', 'application/atom+xml', '<feed xmlns="http://www.w3.org/2005/Atom"'],
    ['feed.json', 'application/feed+json', '"version":"https://jsonfeed.org/version/1.1"'],
  ])('%s carries the newest links, and says when nothing has changed', async (name, type, start) => {
    const answer = await get(page(`/${name}`));
    expect(answer.headers['content-type']).toContain(type);
    expect(answer.headers['last-modified']).toMatch(/GMT$/);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.body).toContain(start);
    expect(answer.body).toContain('Link 120');
    expect(answer.body).not.toContain('Link 70');
    // JSON carries it as text; nothing of its type is ever run.
    if (name !== 'feed.json') expect(answer.body).not.toContain('<script>');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const tag = String(answer.headers['etag']);
    expect((await get(page(`/${name}`), { 'if-none-match': tag })).statusCode).toBe(304);
  });

  it('a picture is painted once for the same name, owner and count', async () => {
    const first = await get(page('/image.png'));
    await get(page('/image.png'));
    expect([first.headers['content-type'], first.headers['content-encoding']]).toEqual([
      'image/png',
      undefined,
    ]);
    expect(paint.mock.calls.length).toBeLessThanOrEqual(1);
    expect(first.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  it('only the embedded page may be framed', async () => {
    const answer = await get(page('/embed'));
    expect(answer.body).toContain('moldura de Receitas da Vovó');
    expect(answer.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(answer.headers['x-frame-options']).toBeUndefined();
    expect(answer.headers['x-robots-tag']).toBe('noindex');
  });
});

it('says in Portuguese that it will be back while the database is down', async () => {
  const lost = createDatabase({ host: '/nowhere/secret', connectionTimeoutMillis: 500 });
  const down = await open(lost);
  for (const part of ['', '/embed', '/feed.xml', '/image.png']) {
    const answer = await down.inject({ url: page(part) });
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([
      503,
      '5',
      'no-store',
    ]);
    expect(answer.body).toMatch(/Voltamos já|Não conseguimos abrir/);
    expect(answer.body).not.toContain('secret');
  }
  await down.close();
  await lost.pool.end();
});
