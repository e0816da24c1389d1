import { describe, expect, inject, test } from 'vitest';

const deployment = inject('deployment');
const HEADERS_OF_THE_CLIENT =
  'authorization,apikey,x-client-info,x-supabase-api-version,content-type,prefer,accept-profile,content-profile,range,x-retry-count,traceparent';

describe('a preflight', () => {
  test.each(['/auth/v1/token?grant_type=password', '/rest/v1/links', '/rest/v1/rpc/search_links'])(
    'to %s allows what the client sends, with credentials',
    async (path) => {
      const response = await fetch(`${deployment.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': HEADERS_OF_THE_CLIENT,
        },
      });
      expect([200, 204]).toContain(response.status);
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      expect(response.headers.get('access-control-allow-credentials')).toBe('true');
      expect(response.headers.get('vary')).toMatch(/origin/i);
      const methods = response.headers.get('access-control-allow-methods') ?? '';
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect(methods).toContain(method);
      const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase();
      for (const header of HEADERS_OF_THE_CLIENT.split(',')) expect(allowed).toContain(header);
    },
  );

  test('is answered for refusals too: the client must be able to read them', async () => {
    const response = await fetch(`${deployment.url}/rest/v1/links?select=segredo`, {
      headers: { origin: 'https://app.example.com', apikey: deployment.anonKey },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(response.headers.get('access-control-expose-headers')).toMatch(/content-range/i);
  });
});

describe('the outside contract', () => {
  test('/health says that the database answers', async () => {
    expect((await fetch(`${deployment.url}/health`)).status).toBe(200);
  });

  test('/metrics speaks the monitoring format', async () => {
    const response = await fetch(`${deployment.url}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^# TYPE \w+ /m);
  });

  test('/config.json tells the web app where it is', async () => {
    const response = await fetch(`${deployment.url}/config.json`);
    expect(await response.json()).toMatchObject({
      supabaseUrl: deployment.url,
      supabaseAnonKey: deployment.anonKey,
    });
  });

  test('/config.json and the app hold no secret', async () => {
    for (const path of ['/config.json', '/', '/metrics', '/auth/v1/settings']) {
      const text = await (await fetch(`${deployment.url}${path}`)).text();
      expect(text).not.toContain(deployment.serviceRoleKey);
    }
  });

  test('every route of the app answers with the page under a strict policy', async () => {
    for (const path of ['/login', '/dashboard', '/category/abc', '/nada/disso']) {
      const response = await fetch(`${deployment.url}${path}`, { headers: { accept: 'text/html' } });
      expect([200, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toMatch(/text\/html/);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src|script-src/);
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
      expect(policy).toMatch(/frame-ancestors|object-src/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).toContain('<div id="root">');
    }
  });

  test('an unknown file is 404, not the page', async () => {
    const response = await fetch(`${deployment.url}/assets/nao-existe.js`);
    expect(response.status).toBe(404);
  });

  test('the mails are shown to this machine', async () => {
    const response = await fetch(`${deployment.url}/dev/mail`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/html/);
  });
});
