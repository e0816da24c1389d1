import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../kernel/database.ts';
import { createKeyring } from '../../kernel/keyring.ts';
import { createMcpService } from './create-mcp-service.ts';

const SITE = 'https://links.test';
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

/** The service over a database that does not answer. */
async function open({
  oauthServerEnabled,
}: {
  readonly oauthServerEnabled: boolean;
}): Promise<FastifyInstance> {
  const db = createDatabase({ host: '/nowhere/secret', connectionTimeoutMillis: 500 });
  const app = Fastify();
  app.addHook('onClose', () => db.pool.end());
  await app.register(
    createMcpService({ db, keyring, now: () => NOW, settings: { siteUrl: SITE, oauthServerEnabled } }),
  );
  opened.push(app);
  return app;
}

const METADATA = '/.well-known/oauth-protected-resource/mcp';

describe('the service', () => {
  it('leads programs to the authorization server where there is one', async () => {
    const app = await open({ oauthServerEnabled: true });
    const reply = await app.inject({ url: METADATA });
    expect(reply.json()).toMatchObject({ authorization_servers: [`${SITE}/auth/v1`] });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const refused = await app.inject({ method: 'POST', url: '/mcp', payload: {} });
    expect(refused.headers['www-authenticate']).toContain(`resource_metadata="${SITE}${METADATA}"`);
  });

  it('leads them nowhere where programs cannot ask', async () => {
    const app = await open({ oauthServerEnabled: false });
    expect((await app.inject({ url: METADATA })).statusCode).toBe(404);
    const refused = await app.inject({ method: 'POST', url: '/mcp', payload: {} });
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer scope="links:read"',
    ]);
    expect(refused.headers).not.toHaveProperty('retry-after');
  });

  it('lets nobody in while the database does not say who may, and tells nothing of it', async () => {
    const app = await open({ oauthServerEnabled: true });
    const reply = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${token}` },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(reply.body).not.toMatch(/nowhere|secret|search_links/);
  });

  it('does not read what a stranger sends', async () => {
    const app = await open({ oauthServerEnabled: true });
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'POST', url: '/mcp', headers, payload: '{ not json' });
    expect(reply.statusCode).toBe(401);
  });
});
