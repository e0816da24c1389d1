import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../kernel/database.ts';
import { createKeyring } from '../../kernel/keyring.ts';
import { createApiService } from './create-api-service.ts';

const webFolder = await mkdtemp(join(tmpdir(), 'linkoteca-viewer-'));
afterAll(() => rm(webFolder, { recursive: true }));
const NOW = new Date('2026-03-01T12:00:00Z');
const keyring = await createKeyring({ secrets: ['a-secret-of-enough-characters-for-hs256'] });
const token = await keyring.signAccessToken({
  sub: '00000000-0000-4000-8000-000000000001',
  role: 'authenticated',
  exp: NOW.getTime() / 1000 + 60,
});

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** The service over a database that does not answer. @param log what it writes down */
async function open(oauthServerEnabled = true, log: string[] = []): Promise<FastifyInstance> {
  const db = createDatabase({ host: '/nowhere/secret', connectionTimeoutMillis: 500 });
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => void log.push(line) } } });
  app.addHook('onClose', () => db.pool.end());
  const settings = { siteUrl: 'https://links.test', oauthServerEnabled };
  await app.register(
    createApiService({ db, keyring, now: () => NOW, readPage: async () => undefined, webFolder, settings }),
  );
  opened.push(app);
  return app;
}

describe('the plain API', () => {
  it('lets nobody in while the database does not say who may, and tells nothing of it', async () => {
    const app = await open();
    for (const [method, url] of [
      ['GET', '/api/v1/links'],
      ['DELETE', '/api/v1/links/00000000-0000-4000-8000-000000000001'],
    ] as const) {
      const reply = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
      expect(reply.headers['content-type']).toMatch('application/problem+json');
      expect(reply.body).not.toMatch(/nowhere|secret/);
    }
  });

  it('writes its own faults down, and no caller’s', async () => {
    const log: string[] = [];
    const app = await open(true, log);
    expect((await app.inject({ url: '/api/v1/links' })).statusCode).toBe(401);
    expect(log).toEqual([]);
    await app.inject({ url: '/api/v1/links', headers: { authorization: `Bearer ${token}` } });
    expect(log).toEqual([expect.stringContaining('API call failed')]);
  });

  it('answers paths that are nobody’s itself, also where the web app would take them', async () => {
    const app = await open();
    app.get('/*', async () => 'the web app');
    for (const url of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/links/a/b']) {
      const reply = await app.inject({ url });
      expect([reply.statusCode, reply.headers['content-type']], url).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
    for (const url of ['/api', '/api/', '/api/nothing', '/api/bookmarks/1/archive/'])
      expect((await app.inject({ url })).json(), url).toEqual({ detail: 'Esse caminho não existe.' });
    expect((await app.inject({ url: '/apix' })).body).toBe('the web app');
  });

  it('serves its document without the database, and names the authorization server where there is one', async () => {
    const read = async (enabled: boolean) =>
      (await (await open(enabled)).inject({ url: '/api/v1/openapi.json' })).json();
    expect((await read(true)).components.securitySchemes).toMatchObject({
      token: { scheme: 'bearer' },
      program: { flows: { authorizationCode: { tokenUrl: 'https://links.test/auth/v1/oauth/token' } } },
    });
    expect(Object.keys((await read(false)).components.securitySchemes)).toEqual(['token']);
  });

  it('is described with the limits by which it reads', async () => {
    const document = (await (await open()).inject({ url: '/api/v1/openapi.json' })).json();
    const { parameters } = document.paths['/links'].get;
    expect(parameters.find(({ name }: { name: string }) => name === 'limit')).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    });
    expect(document.components.schemas.Link).toMatchObject({
      properties: { title: { maxLength: 100 }, id: { format: 'uuid' } },
      additionalProperties: false,
    });
    expect(JSON.stringify(document.paths)).toContain('"$ref":"#/components/schemas/Link"');
  });

  it('has a page to try it, of no origin: its script sees nothing of this site', async () => {
    const app = await open();
    const page = await app.inject({ url: '/api/v1/try' });
    const policy = String(page.headers['content-security-policy']).split('; ');
    // Neither `allow-same-origin` nor a way to another window.
    expect(policy).toContain('sandbox allow-scripts allow-forms');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' https://links.test");
    expect(policy.find((part) => part.startsWith('script-src'))).not.toMatch(/unsafe/);
    expect(page.body).toContain('https://links.test/api/v1/openapi.json');

    const missing = await app.inject({ url: '/api/v1/try/viewer.js' });
    expect(missing.statusCode).toBe(404);
    await mkdir(join(webFolder, '.server/viewer'), { recursive: true });
    await writeFile(join(webFolder, '.server/viewer/viewer.js.gz'), gzipSync('viewer'));
    const file = await app.inject({ url: '/api/v1/try/viewer.js' });
    expect(file.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect((await app.inject({ url: '/api/v1/try/..%2Fsite%2Ffront.html' })).statusCode).toBe(404);
  });
});
