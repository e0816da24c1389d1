import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { SITE_PAGES } from '@linkoteca/domain/sharing';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerWebApp } from '../../kernel/gateway/register-web-app.ts';
import { createSiteService } from './create-site-service.ts';
import { loadSitePages } from './site/load-site-pages.ts';

const SITE = 'https://links.example.com';
const SCRIPT = 'prepare()';
const STYLE = 'p{color:red}';

let folder: string;
let app: FastifyInstance;

async function open(siteUrl: string, supportEmail = 'ajuda@example.com'): Promise<FastifyInstance> {
  const pages = loadSitePages(folder, { origin: siteUrl, supportEmail });
  const server = Fastify({ logger: false });
  await registerWebApp(server, {
    webFolder: folder,
    siteUrl,
    registerPages: createSiteService({ pages: pages ?? [], siteUrl }),
  });
  return server;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-site-'));
  mkdirSync(join(folder, '.server/site'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><div id="root"></div>');
  for (const { name, path } of SITE_PAGES)
    writeFileSync(
      join(folder, '.server/site', `${name}.html`),
      `<!doctype html><title>${name}</title><link rel="canonical" href="{{origin}}${path}"><script>${SCRIPT}</script><style>${STYLE}</style><a href="mailto:{{support}}">{{support}}</a>${' '.repeat(2000)}`,
    );
  app = await open(SITE);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the pages of the site', () => {
  it.each(SITE_PAGES.map(({ name, path }) => [path, name]))(
    '%s is drawn, with this installation filled in, under a policy that lets nothing else run',
    async (path, name) => {
      const { statusCode, headers, body } = await app.inject(path);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain(`<title>${name}</title>`);
      expect(body).toContain(`href="${SITE}${path}"`);
      expect(body).toContain('<a href="mailto:ajuda@example.com">ajuda@example.com</a>');
      expect(body).not.toContain('{{');
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `script-src ${hash(SCRIPT)}`,
          `style-src ${hash(STYLE)}`,
          "frame-ancestors 'none'",
          "base-uri 'none'",
          // The field of the front page leads into the app, and to nowhere else.
          "form-action 'self'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|https?:/);
      expect(headers).toMatchObject({
        'cache-control': 'public, no-cache',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000',
        vary: expect.stringContaining('accept-encoding'),
      });
      expect(headers['x-robots-tag']).toBeUndefined();
    },
  );

  it('keeps its address whatever is appended, and has one only', async () => {
    expect((await app.inject('/?utm_source=x&code=1')).body).toContain('<title>front</title>');
    const { statusCode, headers } = await app.inject('/terms/');
    expect([statusCode, headers['location']]).toEqual([301, '/terms']);
    for (const path of ['/.server/site/front.html', '/site/front.html', '/terms/x'])
      expect((await app.inject(path)).statusCode, path).not.toBe(200);
  });

  it('travels compressed, and not at all when nothing has changed', async () => {
    const plain = (await app.inject('/')).body;
    for (const [accepted, unpack] of [
      ['br, gzip', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
      expect(String(unpack(answer.rawPayload))).toBe(plain);
      expect(answer.rawPayload.length).toBeLessThan(plain.length / 2);
      const again = await app.inject({
        url: '/',
        headers: { 'accept-encoding': accepted, 'if-none-match': String(answer.headers['etag']) },
      });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const head = await app.inject({ method: 'HEAD', url: '/' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it('on a laptop pins no certificate and leaves addresses as they are', async () => {
    const laptop = await open('http://localhost:3000');
    const { headers, body } = await laptop.inject('/');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    expect(body).toContain('href="http://localhost:3000/"');
    await laptop.close();
  });

  it('is the app where the pages were not built', async () => {
    expect(loadSitePages(join(folder, 'nowhere'), { origin: SITE, supportEmail: '' })).toBeNull();
  });
});

describe('what search engines ask for', () => {
  it('robots.txt keeps them out of accounts and services, and lists no shared page', async () => {
    const { statusCode, headers, body } = await app.inject('/robots.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    for (const path of ['/dashboard', '/category/', '/functions/', '/rest/'])
      expect(body).toContain(`Disallow: ${path}\n`);
    expect(body).not.toMatch(/Disallow: \/$/m);
    expect(body).not.toMatch(/shared|diane/);
    expect(body).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  });

  it('the sitemap lists what anybody may read, absolute, and nothing that somebody shares', async () => {
    const { headers, body } = await app.inject('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const listed = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    expect(listed).toEqual(
      ['/', '/terms', '/privacy-policy', '/login', '/signup'].map((path) => `${SITE}${path}`),
    );
  });
});
