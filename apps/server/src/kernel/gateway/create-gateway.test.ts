import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../create-logger.ts';
import { asServiceRole, createDatabase, type Database } from '../database.ts';
import { createHealth } from '../health/create-health.ts';
import { createMailer } from '../mail.ts';
import { createFolderTexter } from '../text-messages.ts';
import { createGateway, type GatewayDeps } from './create-gateway.ts';
import { createOperatorAccess } from './operator-access.ts';

const PAGE = '<!doctype html><script>var theme = 1;</script><style>p{}</style><div id="root"></div>';
const SITE = 'https://links.example.com';
const OWN_SITE = 'http://localhost:3000';
const OPERATOR_KEY = 'a-key-that-only-the-operator-has';
const FORGED = { headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost:3000' } };

let folder: string;
let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 3 });
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-gateway-'));
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  mkdirSync(join(web, '.vite'));
  writeFileSync(join(web, 'index.html'), PAGE);
  writeFileSync(join(web, 'favicon.svg'), '<svg/>');
  writeFileSync(join(web, 'sw.js'), 'worker()');
  writeFileSync(join(web, 'manifest.webmanifest'), '{"name":"Linkoteca"}');
  writeFileSync(join(web, 'assets/app-4f2a.js'), 'script()');
  writeFileSync(join(web, 'assets/app-4f2a.js.br'), brotliCompressSync('script()'));
  writeFileSync(join(web, '.vite/manifest.json'), '{"secret":"map"}');
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const healthOf = (probes: Database, product: readonly string[] = []) =>
  createHealth({ probes, requiredMigrations: { platform: ['0001_roles.sql'], product } });

let app: FastifyInstance;
let logged: string[];
async function start(changes: Partial<GatewayDeps['settings']> = {}, others: Partial<GatewayDeps> = {}) {
  logged = [];
  const settings = {
    siteUrl: SITE,
    trustProxy: false,
    metricsAccess: 'loopback',
    smtpUrl: undefined,
    signInProviders: { google: undefined },
    ...changes,
  } as const;
  app = await createGateway({
    metrics: new Registry(),
    settings,
    operator: createOperatorAccess({ ...settings, key: OPERATOR_KEY }),
    logger: createLogger('info', { write: (line) => logged.push(line) }),
    anonKey: 'the-anon-key',
    health: healthOf(db),
    webFolder: join(folder, 'web'),
    mailFolder: join(folder, 'mail'),
    previewMails: () => ({
      invite: { to: 'bia@example.com', subject: 'Convite <b>', text: 'Olá', html: '<p>Bem-vinda</p>' },
    }),
    ...others,
  });
  await app.register(
    async (service) => {
      service.post('/echo', async (request) => ({ got: request.body }));
      service.get('/unreachable', async () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      });
      service.get('/broken', async () => {
        throw new Error('the secret inside');
      });
    },
    { prefix: '/rest/v1' },
  );
}
beforeEach(() => start());
afterEach(() => app.close());

const get = (url: string, options: Omit<InjectOptions, 'url'> = {}) =>
  app.inject({
    url,
    headers: { host: 'localhost:3000', ...options.headers },
    ...without(options, 'headers'),
  });
const navigate = (url: string) => get(url, { headers: { accept: 'text/html,application/xhtml+xml' } });

function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  const { [key]: _left, ...rest } = object;
  return rest;
}

describe('a call from a page of another origin', () => {
  const ORIGIN = 'https://app.example.org';

  it.each([
    '/auth/v1/token',
    '/rest/v1/links',
    '/storage/v1/object/a',
    '/functions/v1/x',
    '/realtime/v1/api',
  ])('to %s is asked for and let in, with credentials', async (url) => {
    const answer = await get(url, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,apikey,x-anything-new',
      },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization,apikey,x-anything-new',
    });
    expect(answer.headers.vary).toContain('Origin');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(answer.headers['access-control-allow-methods']).toContain(method);
  });

  it('can read refusals, unknown paths included, and the headers that the client needs', async () => {
    const answer = await get('/storage/v1/nothing', { headers: { origin: ORIGIN } });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(answer.headers['access-control-expose-headers']).toContain('Content-Range');
    expect(answer.headers['access-control-expose-headers']).not.toContain('*');
  });

  it.each(['/', '/config.json', '/health', '/metrics', '/dev/mail', '/dev/mail.json', '/assets/app-4f2a.js'])(
    'to %s is not let in',
    async (url) => {
      const answer = await get(url, { headers: { origin: ORIGIN } });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );
});

describe('the web app', () => {
  it.each([
    '/',
    '/dashboard',
    '/category/0b5e',
    '/shared/x',
    '/oauth/consent?authorization_id=x',
    '/nada/disso',
    '/rest',
    '/authors/v1',
  ])('%s shows its page under a strict policy', async (url) => {
    const answer = await navigate(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(PAGE);
    expect(answer.headers['cache-control']).toBe('no-cache, no-transform');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
    expect(policy).toMatch(/style-src 'self' 'sha256-/);
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src 'self' ${SITE} wss://links.example.com`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(answer.headers['strict-transport-security']).toContain('max-age=');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['x-frame-options']).toBe('DENY');
  });

  it('pins no certificate on a laptop', async () => {
    await app.close();
    await start({ siteUrl: 'http://localhost:3000' });
    const answer = await navigate('/');
    expect(answer.headers['strict-transport-security']).toBeUndefined();
    expect(answer.headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });

  it('lets browsers keep hashed files for good, compressed where they can', async () => {
    const plain = await get('/assets/app-4f2a.js');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.body).toBe('script()');
    const compressed = await get('/assets/app-4f2a.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(compressed.headers['content-type']).toMatch(/javascript/);
    expect(compressed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(String(brotliDecompressSync(compressed.rawPayload))).toBe('script()');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache, no-transform');
  });

  it('has the worker asked about at each check, and names the manifest for what it is', async () => {
    const worker = await get('/sw.js');
    expect(worker.headers['cache-control']).toBe('no-cache, no-transform');
    expect(worker.headers['content-type']).toMatch(/javascript/);
    const policy = String(worker.headers['content-security-policy']);
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain("manifest-src 'self'");
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers['cache-control']).toBe('no-cache, no-transform');
    expect(manifest.headers['content-type']).toMatch(/^application\/manifest\+json/);
  });

  it.each(['/assets/old-1111.js', '/.vite/manifest.json', '/assets/%00', '/dev/nothing'])(
    '%s is no page of it',
    async (url) => {
      const answer = await navigate(url);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toContain('root');
      expect(answer.body).not.toContain('secret');
    },
  );

  it.each([
    '/%2e%2e/mail/x.eml',
    '/..%2fmail/x.eml',
    '/assets/..%2f..%2fmail/x.eml',
    '/assets/%2e%2e/%2e%2e/mail/x.eml',
  ])('%s leads to no file outside of it', async (url) => {
    mkdirSync(join(folder, 'mail'), { recursive: true });
    writeFileSync(join(folder, 'mail/x.eml'), 'Subject: secret\r\n\r\nsecret');
    for (const answer of [await navigate(url), await get(url)]) {
      expect(answer.body).not.toContain('secret');
      expect(answer.statusCode).toBeLessThan(500);
    }
    rmSync(join(folder, 'mail/x.eml'));
  });

  it('answers programs that ask for an unknown path with 404', async () => {
    expect((await get('/dashboard')).statusCode).toBe(404);
    expect((await navigate('/dashboard')).statusCode).toBe(200);
    for (const url of [
      '/dashboard',
      '/rest/v1/nothing',
      '/rest/v1/broken',
      '/dev/mail',
      '/dev/mail.json',
      '/metrics',
      '/%zz',
    ])
      expect((await get(url)).headers['cache-control']).toBe('no-store');
    expect((await app.inject({ url: '/dashboard', method: 'POST' })).statusCode).toBe(404);
  });

  it('is missing without the build, and the services are not', async () => {
    await app.close();
    await start({}, { webFolder: join(folder, 'nowhere') });
    const page = await navigate('/');
    expect(page.statusCode).toBe(503);
    expect(page.body).toContain('npm start');
    expect((await app.inject({ url: '/rest/v1/echo', method: 'POST', payload: { a: 1 } })).json()).toEqual({
      got: { a: 1 },
    });
  });
});

describe('bad input', () => {
  it.each([
    ['malformed JSON', { payload: '{"a":', headers: { 'content-type': 'application/json' } }, 400],
    ['a body over 1 MiB', { payload: { a: 'x'.repeat(1_100_000) } }, 413],
    ['an unknown content type', { payload: 'x', headers: { 'content-type': 'application/x-strange' } }, 415],
    [
      'a prototype in JSON',
      { payload: '{"__proto__":{"a":1}}', headers: { 'content-type': 'application/json' } },
      400,
    ],
  ])('%s is refused, not a failure', async (_what, options, status) => {
    const answer = await app.inject({ url: '/rest/v1/echo', method: 'POST', ...options });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({
      message: expect.any(String),
      msg: expect.any(String),
      details: null,
    });
  });

  it.each([
    ['of a stated length', (text: string) => text],
    ['of an open length', (text: string) => Readable.from([Buffer.from(text)])],
  ])('a body of exactly 1 MiB, %s, is taken, and one byte more is not', async (_what, send) => {
    const headers = { 'content-type': 'application/json' };
    const post = async (bytes: number) => {
      const payload = send(`"${'x'.repeat(bytes - 2)}"`);
      return (await app.inject({ url: '/rest/v1/echo', method: 'POST', headers, payload })).statusCode;
    };
    expect([await post(1_048_576), await post(1_048_577)]).toEqual([200, 413]);
  });

  it('a client that still sends 10 MB is drained before it reads the refusal', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const body = JSON.stringify({ a: 'x'.repeat(10_000_000) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}/rest/v1/echo`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, null]);
  });

  it.each(['/%zz', '/rest/v1/%zz', '/%', '/%ff'])(
    'an address that cannot be decoded (%s) is refused',
    async (url) => {
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
    },
  );

  it('a service that does not exist answers 404 as JSON, to people too', async () => {
    const answer = await navigate('/functions/v1/nothing');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it.each(['/rest/%761/echo', '/%72est/v1/echo'])(
    'a service is protected, too, under %s, which the router takes for its address',
    async (url) => {
      const answer = await app.inject({ method: 'POST', url, payload: { a: 1 } });
      expect([answer.statusCode, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    },
  );

  it('a failure of ours is 500 and tells nothing; the log has its cause', async () => {
    const answer = await app.inject({ url: '/rest/v1/broken' });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('inside');
    expect(logged.join('')).toContain('the secret inside');
  });

  it('a database that does not answer is 503, to be asked again', async () => {
    const answer = await app.inject({ url: '/rest/v1/unreachable' });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('what is no HTTP at all is answered and cut off', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('/health', () => {
  it('is 200 while the database answers with every migration applied', async () => {
    const answer = await get('/health');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
  });

  it('is 503 while a migration is missing', async () => {
    await app.close();
    await start({}, { health: healthOf(db, ['99999999999999']) });
    const answer = await get('/health');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'unavailable', reason: 'migrations' });
  });

  it('is 503 without a database, and tells nothing of where it is', async () => {
    await app.close();
    const nowhere: Database = {
      pool: new pg.Pool({ host: '/nowhere/secret', connectionTimeoutMillis: 500 }),
    };
    await start({}, { health: healthOf(nowhere) });
    const answer = await get('/health');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'unavailable', reason: 'database' });
    await nowhere.pool.end();
  });

  it('is answered in two words for what runs the server and what sends it requests', async () => {
    for (const url of ['/health/live', '/health/ready']) {
      const answer = await get(url);
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    }
    const health = healthOf(db);
    await app.close();
    await start({}, { health });
    expect((await get('/config.json')).headers.connection).not.toBe('close');
    health.drain();
    const ready = await get('/health/ready');
    expect([ready.statusCode, ready.json()]).toMatchObject([
      503,
      { status: 'unavailable', reason: 'draining' },
    ]);
    expect((await app.inject({ method: 'HEAD', url: '/health/ready' })).statusCode).toBe(503);
    expect((await get('/health/live')).statusCode).toBe(200);
    // Everything else is still answered, on connections that nobody keeps.
    const other = await get('/config.json');
    expect([other.statusCode, other.headers.connection]).toEqual([200, 'close']);
  });

  it('asks the database once for many who ask at the same time', async () => {
    const before = db.pool.totalCount;
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('/health')));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(db.pool.totalCount).toBeLessThanOrEqual(Math.max(before, 1));
  });
});

describe('/metrics', () => {
  beforeEach(async () => {
    await app.close();
    await start({ siteUrl: OWN_SITE });
  });

  it('counts requests by service and status', async () => {
    await get('/rest/v1/nothing');
    await get('/health');
    const answer = await get('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=/);
    expect(answer.body).toContain(
      'linkoteca_http_requests_total{service="rest",method="GET",status="404"} 1',
    );
    expect(answer.body).toContain('linkoteca_http_requests_total{service="web",method="GET",status="200"} 1');
    expect(answer.body).toMatch(/linkoteca_http_request_duration_seconds_count\{service="rest"\} 1/);
    expect(answer.body).toContain('linkoteca_database_up 1');
    expect(answer.body).toMatch(/process_resident_memory_bytes \d{7,}/);
  });

  it('says how long those waited who got no connection at once', async () => {
    const pool = createDatabase({ ...database.authenticator, max: 1 });
    await app.close();
    await start({ siteUrl: OWN_SITE }, { pools: [pool] });
    const ask = () => asServiceRole(pool, 'a request', (tx) => tx.query({ text: 'select pg_sleep(0.03)' }));
    await ask();
    const counts = async () => {
      const { body } = await get('/metrics');
      return ['count', 'sum'].map((part) =>
        Number(new RegExp(`linkoteca_pool_wait_seconds_${part} (\\S+)`).exec(body)?.[1]),
      );
    };
    const [opened = 0] = await counts();
    await ask();
    expect((await counts())[0]).toBe(opened);
    await Promise.all([ask(), ask(), ask()]);
    const [count = 0, sum = 0] = await counts();
    expect(count).toBe(opened + 2);
    expect(sum).toBeGreaterThan(0.08);
    await pool.pool.end();
  });

  it('says what is ready and what is not, and whether the database answers', async () => {
    expect((await get('/metrics')).body).toContain('linkoteca_ready{condition="database"} 1');
    await app.close();
    const nowhere = createDatabase({ host: '/nowhere', connectionTimeoutMillis: 500 });
    await start({ siteUrl: OWN_SITE }, { health: healthOf(nowhere) });
    const { body } = await get('/metrics');
    expect(body).toContain('linkoteca_ready{condition="database"} 0');
    expect(body).toContain('linkoteca_ready{condition="disk"} 1');
    expect(body).toContain('linkoteca_database_up 0');
    await nowhere.pool.end();
  });

  it('measures how late the process gets to its work, anew for each look', async () => {
    const longest = async () =>
      Number(
        /linkoteca_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec((await get('/metrics')).body)?.[1],
      );
    // A timer that is late comes before the tick that was due with it; one that is set then, after it.
    const letTick = async () => {
      for (let timers = 0; timers < 2; timers += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await letTick();
    const until = performance.now() + 600;
    while (performance.now() < until);
    await letTick();
    expect(await longest()).toBeGreaterThan(0.5);
    await expect.poll(longest).toBeLessThan(0.5);
  });

  it('is for everyone only when the operator says so', async () => {
    const stranger = { remoteAddress: '203.0.113.9' };
    expect((await get('/metrics', stranger)).statusCode).toBe(404);
    await app.close();
    await start({ siteUrl: OWN_SITE, metricsAccess: 'everyone' });
    expect((await get('/metrics', stranger)).statusCode).toBe(200);
  });
});

describe('/config.json', () => {
  it('says where programs may not ask people', async () => {
    await app.close();
    await start({ auth: { oauthServerEnabled: false } });
    expect((await get('/config.json')).json()).toMatchObject({ oauthServer: false });
  });

  it('says where people may add security keys', async () => {
    await app.close();
    await start({ auth: { webAuthnEnrollEnabled: true } });
    expect((await get('/config.json')).json()).toMatchObject({ securityKeys: true });
  });

  it('says where nobody signs in with a passkey', async () => {
    await app.close();
    await start({ auth: { passkeysEnabled: false } });
    expect((await get('/config.json')).json()).toMatchObject({ passkeys: false });
  });

  it('says where people may add phones as second factors', async () => {
    await app.close();
    await start({ auth: { phoneFactorEnrollEnabled: true } });
    expect((await get('/config.json')).json()).toMatchObject({ phoneFactors: true });
  });

  it('says where the services are, and nothing secret', async () => {
    const answer = await get('/config.json');
    expect(answer.json()).toEqual({
      supabaseUrl: SITE,
      supabaseAnonKey: 'the-anon-key',
      googleEnabled: false,
      paymentsEmulated: true,
      publicPagesDrawn: true,
      personalTokens: true,
      oauthServer: true,
      securityKeys: false,
      passkeys: true,
      organisations: false,
      phoneFactors: false,
      linkChecks: true,
      webhooks: true,
    });
  });

  it('says where links are not looked at', async () => {
    await app.close();
    await start({ linkChecks: false });
    expect((await get('/config.json')).json()).toMatchObject({ linkChecks: false });
  });

  it('says where webhooks are not sent', async () => {
    await app.close();
    await start({ webhooks: false });
    expect((await get('/config.json')).json()).toMatchObject({ webhooks: false });
  });

  it('says where links are received by mail', async () => {
    await app.close();
    await start({ mailDomain: 'entrada.exemplo.com.br' });
    expect((await get('/config.json')).json()).toMatchObject({ mailDomain: 'entrada.exemplo.com.br' });
  });

  it('says as which program the browser extension signs in, where the operator has registered it', async () => {
    await app.close();
    await start({ extensionClientId: 'b1f1c8ce-3a55-4c1e-9b0e-5b5b0a5f2a11' });
    expect((await get('/config.json')).json()).toMatchObject({
      extensionClientId: 'b1f1c8ce-3a55-4c1e-9b0e-5b5b0a5f2a11',
    });
  });

  it('names the address for support where the operator has one', async () => {
    await app.close();
    await start({ supportEmail: 'ajuda@example.com' });
    expect((await get('/config.json')).json()).toMatchObject({ supportEmail: 'ajuda@example.com' });
  });
});

describe('/dev/mail', () => {
  const mails = () => createMailer({ from: 'Linkoteca <a@example.com>', mailFolder: join(folder, 'mail') });
  beforeEach(async () => {
    rmSync(join(folder, 'mail'), { recursive: true, force: true });
    await mails().send({ to: 'ana@example.com', subject: 'Primeiro', text: 'Olá', html: '<p>Olá</p>' });
    await mails().send({
      to: 'bia@example.com',
      subject: '<script>alert(1)</script> Confirme',
      text: 'Abra https://links.example.com/auth/v1/verify?token=abc&type=signup agora',
      html: '<p><a href="https://links.example.com/x">Confirmar</a></p><script>alert(2)</script>',
    });
  });

  beforeEach(async () => {
    await app.close();
    await start({ siteUrl: OWN_SITE });
  });

  it('lists them, newest first, with links to click and nothing that runs', async () => {
    const page = await get('/dev/mail');
    expect(page.statusCode).toBe(200);
    expect(page.body.indexOf('Confirme')).toBeLessThan(page.body.indexOf('Primeiro'));
    expect(page.body).toContain('lang="pt-BR"');
    expect(page.body).toContain('href="https://links.example.com/auth/v1/verify?token=abc&amp;type=signup"');
    expect(page.body).not.toContain('<script');
    expect(
      page.body.match(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/g),
    ).toHaveLength(2);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['cache-control']).toBe('no-store');
  });

  it('shows one in a frame that may not run scripts', async () => {
    const [mail] = (await get('/dev/mail.json')).json() as { id: string; subject: string; to: string }[];
    expect(mail).toMatchObject({ to: 'bia@example.com', subject: '<script>alert(1)</script> Confirme' });
    const frame = await get(`/dev/mail/${mail?.id}`);
    expect(frame.body).toContain('Confirmar</a>');
    expect(frame.headers['content-security-policy']).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
    );
  });

  it('lists text messages that nobody sends among them', async () => {
    await createFolderTexter(join(folder, 'mail'), { info: () => undefined }).send({
      to: '5511999990000',
      channel: 'whatsapp',
      text: '123456 <b>é</b> o seu código',
      code: '123456',
    });
    const [text] = (await get('/dev/mail.json')).json() as { id: string; subject: string; to: string }[];
    expect(text).toMatchObject({ to: '+5511999990000', subject: 'Mensagem de WhatsApp' });
    const frame = await get(`/dev/mail/${text?.id}`);
    expect(frame.body).toContain('123456 &lt;b&gt;é&lt;/b&gt; o seu código');
  });

  it.each(['/dev/mail/..%2f..%2fsecrets', '/dev/mail/nothing', '/dev/mail/%2e%2e'])(
    'has no %s',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );

  it('shows each kind of mail as it is written now, though none was sent', async () => {
    const page = await get('/dev/mail/preview');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Convite &lt;b&gt;');
    expect(page.body).toContain('src="/dev/mail/preview/invite"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const frame = await get('/dev/mail/preview/invite');
    expect(frame.body).toContain('<p>Bem-vinda</p>');
    expect(frame.headers['content-security-policy']).toMatch(/^sandbox /);
    for (const name of ['nothing', 'constructor', '..%2fx'])
      expect((await get(`/dev/mail/preview/${name}`)).statusCode).toBe(404);
  });

  it('does not exist with a mail server', async () => {
    await app.close();
    await start({ siteUrl: OWN_SITE, smtpUrl: 'smtp://mail.example.com' });
    expect((await get('/dev/mail')).statusCode).toBe(404);
    expect((await get('/dev/mail/preview')).statusCode).toBe(404);
    expect((await navigate('/dev/mail')).statusCode).toBe(404);
  });
});

describe('the operator’s pages', () => {
  const PAGES = ['/dev/mail', '/dev/mail.json', '/dev/mail/x', '/dev/mail/preview', '/metrics'];
  const SITES = {
    own: { siteUrl: OWN_SITE },
    public: { siteUrl: SITE },
    'own, behind a proxy': { siteUrl: OWN_SITE, trustProxy: true },
    'public, behind a proxy': { siteUrl: SITE, trustProxy: true },
  };
  const open = async (site: keyof typeof SITES) => {
    await app.close();
    await start(SITES[site]);
  };
  const statuses = async (options: Omit<InjectOptions, 'url'>) =>
    Promise.all(PAGES.map(async (url) => (await get(url, options)).statusCode));
  const NOT_FOUND = PAGES.map(() => 404);

  it.each<[string, keyof typeof SITES, Omit<InjectOptions, 'url'>]>([
    ['another machine', 'own', { remoteAddress: '203.0.113.9' }],
    ['another machine that names this one', 'own', { remoteAddress: '::ffff:203.0.113.9' }],
    ['a proxy that says for whom', 'own', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a page whose name was pointed here', 'own', { headers: { host: 'evil.example.com' } }],
    ['a page whose name begins as this machine’s', 'own', { headers: { host: 'localhost.example.com' } }],
    ['a proxy that says nothing', 'public', { headers: { host: 'links.example.com' } }],
    ['a proxy that writes this machine’s name', 'public', { headers: { host: 'localhost:3000' } }],
    ['a proxy on IPv6', 'public', { remoteAddress: '::1', headers: { host: 'links.example.com' } }],
    ['a mapped address', 'public', { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } }],
    ['a declared proxy that says nothing', 'own, behind a proxy', {}],
    ['a declared proxy that passes a forged address', 'own, behind a proxy', FORGED],
    ['a declared proxy', 'public, behind a proxy', { headers: { host: 'links.example.com' } }],
  ])('do not exist for %s (%s)', async (_who, site, options) => {
    await open(site);
    expect(await statuses(options)).toEqual(NOT_FOUND);
    for (const [name, value] of [
      ['authorization', 'Bearer the-anon-key'],
      ['authorization', `Bearer ${OPERATOR_KEY}x`],
      ['cookie', 'linkoteca_operator=x'],
    ] as const)
      expect(await statuses({ ...options, headers: { ...options.headers, [name]: value } })).toEqual(
        NOT_FOUND,
      );
    expect((await get('/dev/mail?key=wrong', options)).statusCode).toBe(404);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'answer this machine at its own name, from %s',
    async (from) => {
      await open('own');
      for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
        expect((await get('/metrics', { remoteAddress: from, headers: { host } })).statusCode).toBe(200);
    },
  );

  it.each(['public', 'public, behind a proxy'] as const)(
    'answer the key from anywhere (%s)',
    async (site) => {
      await open(site);
      const elsewhere = {
        remoteAddress: '203.0.113.9',
        headers: { authorization: `Bearer ${OPERATOR_KEY}` },
      };
      expect((await get('/metrics', elsewhere)).statusCode).toBe(200);
      expect((await get('/dev/mail.json', elsewhere)).headers['cache-control']).toBe('no-store');
    },
  );

  it('take the key out of the address into a cookie that only they get', async () => {
    await open('public');
    const entered = await get(`/dev/mail?key=${encodeURIComponent(OPERATOR_KEY)}`);
    expect([entered.statusCode, entered.headers.location]).toEqual([303, '/dev/mail']);
    const cookie = String(entered.headers['set-cookie']);
    expect(cookie).toMatch(/; Path=\/dev\/mail; HttpOnly; SameSite=Strict; Secure$/);
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` };
    expect((await get('/dev/mail', { headers })).statusCode).toBe(200);
    expect(logged.join('')).not.toContain(OPERATOR_KEY);
  });
});

describe('the address of a caller', () => {
  const asked = async (forwarded: string) => {
    await get('/rest/v1/nothing', {
      remoteAddress: '203.0.113.1',
      headers: { 'x-forwarded-for': forwarded },
    });
    return logged
      .map((text) => JSON.parse(text) as { msg: string; ip: string })
      .findLast(({ msg }) => msg === 'request')?.ip;
  };

  it('is that of the connection, whatever a header claims', async () => {
    expect(await asked('198.51.100.7')).toBe('203.0.113.1');
  });

  it('behind a proxy is what the proxy saw, not what the caller had claimed', async () => {
    await app.close();
    await start({ trustProxy: true });
    expect(await asked('10.0.0.1, 198.51.100.7')).toBe('198.51.100.7');
  });
});

describe('the request log', () => {
  it('names what was asked and how it went, without secrets', async () => {
    await get('/rest/v1/nothing?apikey=segredo&email=eq.segredo', {
      headers: { authorization: 'Bearer segredo' },
    });
    const line = logged
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ msg }) => msg === 'request');
    expect(line).toMatchObject({
      method: 'GET',
      url: '/rest/v1/nothing?apikey=[redacted]&email=[redacted]',
      status: 404,
      reqId: expect.any(String),
    });
    expect(logged.join('')).not.toContain('segredo');
  });
});
