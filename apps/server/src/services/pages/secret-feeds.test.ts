import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import type { FastifyInstance } from 'fastify';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../kernel/create-logger.ts';
import { createDatabase, type Database } from '../../kernel/database.ts';
import { createGateway } from '../../kernel/gateway/create-gateway.ts';
import { createOperatorAccess } from '../../kernel/gateway/operator-access.ts';
import { createHealth } from '../../kernel/health/create-health.ts';
import { createPagesService } from './create-pages-service.ts';
import { plainRenderer } from './test-support/plain-renderer.ts';

const SITE = 'https://links.example.com';
const HOSTILE = `</title><script>alert("1")</script> & 'aspas' ]]>`;
const UNKNOWN = `/feed/${'a'.repeat(24)}/atom.xml`;

let database: ThrowawayDatabase;
let db: Database;
let app: FastifyInstance;
let folder: string;
let owner: TestUser;
let category: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-feeds-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><div id="root"></div>');
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 3 });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  app = await openGateway();
  owner = await createUser(database.admin, { plan: 'pro', name: 'Marta' });
  const folderId = await idOf(`insert into folders (name) values ('Cozinha') returning id`);
  category = await idOf(
    'insert into categories (name, folder_id) values ($1, $2) returning id',
    'Pães',
    folderId,
  );
  const other = await idOf(
    'insert into categories (name, folder_id) values ($1, $2) returning id',
    'Outros',
    folderId,
  );
  await database.admin.query(
    `insert into public.links (url, title, description, category_id, user_id, created_at)
     select 'https://a.example.com/?a=1&b=' || n, 'Pão ' || n, case n when 60 then $3 end, c, $4,
       timestamptz '2026-01-01 00:00:00.123456+00' + n * interval '1 minute'
     from unnest(array[$1, $2]::uuid[]) as c, generate_series(1, 60) n`,
    [category, other, HOSTILE, owner.id],
  );
  return () => app.close();
});

function openGateway(): Promise<FastifyInstance> {
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
      paint: async () => Buffer.from('x'),
    }),
  });
}
const run = (text: string, ...values: unknown[]) =>
  queryAs<{ id: string; key: string }>(database, owner, text, values);
const idOf = async (text: string, ...values: unknown[]) => String((await run(text, ...values)).rows[0]?.id);
const openFeed = async () => String((await run('select open_feed($1) as key', category)).rows[0]?.key);
const openSearch = async (question: string) => {
  const id = await idOf(
    'insert into saved_searches (name, question) values ($1, $2) returning id',
    HOSTILE,
    question,
  );
  return String((await run('select open_feed(search_id => $1) as key', id)).rows[0]?.key);
};
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('the feed of a category', () => {
  it('has its fifty newest links in each of the three formats, as a well-kept parser reads them', async () => {
    const key = await openFeed();
    const titles = Array.from({ length: 50 }, (_, n) => `Pão ${60 - n}`);

    const atom = await get(`/feed/${key}/atom.xml`);
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    const feed = parseAtomFeed(atom.body);
    expect(feed).toMatchObject({
      id: `urn:uuid:${category}`,
      title: { value: 'Pães' },
      authors: [{ name: 'Marta' }],
    });
    expect(feed.links).toEqual([
      { href: `${SITE}/category/${category}` },
      { rel: 'self', type: 'application/atom+xml', href: `${SITE}/feed/${key}/atom.xml` },
    ]);
    expect(feed.entries?.map(({ title }) => title?.value)).toEqual(titles);
    expect(feed.entries?.[0]).toMatchObject({
      summary: { value: HOSTILE },
      links: [{ href: 'https://a.example.com/?a=1&b=60' }],
      published: '2026-01-01T01:00:00.123Z',
    });

    const rss = parseRssFeed((await get(`/feed/${key}/feed.xml`)).body);
    expect(rss.items?.map(({ title }) => title)).toEqual(titles);

    const json = parseJsonFeed((await get(`/feed/${key}/feed.json`)).json());
    expect(json).toMatchObject({ title: 'Pães', feed_url: `${SITE}/feed/${key}/feed.json` });
    expect(json.items?.map(({ title }) => title)).toEqual(titles);
    expect(json.items?.[0]?.content_text).toBe(HOSTILE);
  });

  it('is nobody else’s to keep, to find or to show, and tells nobody its address', async () => {
    const { headers } = await get(`/feed/${await openFeed()}/atom.xml`);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is not sent again while nothing has changed, and is once something has', async () => {
    const url = `/feed/${await openFeed()}/atom.xml`;
    const first = await get(url);
    const tag = String(first.headers['etag']);
    const again = await get(url, { 'if-none-match': tag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await run(`update links set title = 'Broa' where title = 'Pão 60' and category_id = $1`, category);
    const changed = await get(url, { 'if-none-match': tag });
    expect([changed.statusCode, parseAtomFeed(changed.body).entries?.[0]?.title?.value]).toEqual([
      200,
      'Broa',
    ]);
  });

  it('is dead at its old address, at once', async () => {
    const key = await openFeed();
    expect((await get(`/feed/${key}/atom.xml`)).statusCode).toBe(200);
    await run('select open_feed($1, renew => true)', category);
    expect((await get(`/feed/${key}/atom.xml`)).statusCode).toBe(404);
  });

  it('rests while the account does, and goes on where it was reopened', async () => {
    const key = await openFeed();
    await database.admin.query(
      `insert into private.account_closures (user_id, reason, closed_at, purge_after)
       values ($1, 'inactivity', now() - interval '1 day', null)`,
      [owner.id],
    );
    expect((await get(`/feed/${key}/atom.xml`)).statusCode).toBe(404);
    await database.admin.query(
      `update private.account_closures set reopened_at = now() - interval '1 second' where user_id = $1`,
      [owner.id],
    );
    expect(parseAtomFeed((await get(`/feed/${key}/atom.xml`)).body).entries).toHaveLength(50);
  });

  it('is read although its owner has a second factor and no session', async () => {
    const key = await openFeed();
    await database.admin.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      [owner.id],
    );
    expect(parseAtomFeed((await get(`/feed/${key}/atom.xml`)).body).entries).toHaveLength(50);
  });
});

describe('the feed of a saved search', () => {
  it('has the newest of what the question finds, wherever it lies', async () => {
    const key = await openSearch('pão em:Outros');
    const feed = parseAtomFeed((await get(`/feed/${key}/atom.xml`)).body);
    expect(feed.title?.value).toBe(HOSTILE);
    expect(feed.links?.[0]?.href).toBe(`${SITE}/search?q=${encodeURIComponent('pão em:Outros')}`);
    expect(feed.entries).toHaveLength(50);
    expect(feed.entries?.[0]?.title?.value).toBe('Pão 60');
    await run(
      `insert into links (url, title, category_id) select 'https://b.br/', 'Pão novo', id from categories where name = 'Outros'`,
    );
    expect(parseAtomFeed((await get(`/feed/${key}/atom.xml`)).body).entries?.[0]?.title?.value).toBe(
      'Pão novo',
    );
  });

  it.each(['nada que exista', 'em:'])(
    'that finds nothing (%s) is a feed without entries',
    async (question) => {
      const key = await openSearch(question);
      expect(parseAtomFeed((await get(`/feed/${key}/atom.xml`)).body).entries ?? []).toEqual([]);
    },
  );

  it('is of the hundred links that fit best: a newer one that fits worse is not among them', async () => {
    await database.admin.query(
      `insert into public.links (url, title, description, category_id, user_id, created_at)
       select 'https://p.br/' || n, case n when 101 then 'Milho e broa' else 'Broa milho ' || n end, null, $1, $2,
         timestamptz '2026-02-01 00:00:00+00' + n * interval '1 minute' from generate_series(1, 101) n`,
      [category, owner.id],
    );
    const { body } = await get(`/feed/${await openSearch('broa milho')}/atom.xml`);
    expect(parseAtomFeed(body).entries?.[0]?.title?.value).toBe('Broa milho 100');
  });

  it('counts days as Brasília does, whatever the zone of the server', async () => {
    // An hour into the year in Greenwich is the evening before in Brasília.
    const titles = async (question: string) => {
      const { body } = await get(`/feed/${await openSearch(question)}/atom.xml`);
      return (parseAtomFeed(body).entries ?? []).map(({ title }) => title?.value);
    };
    expect(await titles('em:Outros depois:2025')).toEqual([]);
    expect((await titles('em:Outros antes:2026'))[0]).toBe('Pão 60');
  });

  it('shows its owner’s links alone', async () => {
    const key = await openSearch('pão');
    const mine = owner;
    owner = await createUser(database.admin, { plan: 'pro' });
    await run(`select capture_link(gen_random_uuid(), 'https://alheio.br/', 'Pão alheio')`);
    owner = mine;
    const { body } = await get(`/feed/${key}/atom.xml`);
    expect(body).toContain('Pão 60');
    expect(body).not.toContain('alheio');
  });
});

describe('an address that opens nothing', () => {
  it.each([
    ['unknown', 'b'.repeat(24)],
    ['short', 'curto'],
    ['in capitals', 'A'.repeat(24)],
    ['long', 'a'.repeat(90)],
    ['of a zero', '%00'],
    ['of SQL', `'%20or%201=1--`],
  ])('because its key is %s is answered as every other', async (_why, key) => {
    const answer = await get(`/feed/${key}/atom.xml`);
    const same = await get(UNKNOWN);
    const plain = ({ date: _date, 'x-request-id': _id, ...headers }: Record<string, unknown>) => headers;
    expect([answer.statusCode, answer.body]).toEqual([404, same.body]);
    expect(plain(answer.headers)).toEqual(plain(same.headers));
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('cannot be looked for: a network has 120 questions a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 121 }, () => get(UNKNOWN)));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(1);
    const pause = Number(refused[0]?.headers['retry-after']);
    expect(pause).toBeGreaterThan(0);
    expect(pause).toBeLessThanOrEqual(60);
  });
});
