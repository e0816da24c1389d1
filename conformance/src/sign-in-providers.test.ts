import { randomUUID } from 'node:crypto';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import {
  launchServerProcess,
  type ServerProcess,
  startServerProcess,
} from '@linkoteca/server-process/start-server-process';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Keys, readKeys } from './support/read-keys.ts';

let data: DataFolder;
let provider: OpenIdProvider;
let server: ServerProcess;
let keys: Keys;

beforeAll(async () => {
  data = await createDataFolder();
  const port = await findFreePort();
  provider = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/v1/callback`);
  const environment = {
    GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
    GOTRUE_EXTERNAL_KEYCLOAK_URL: provider.issuer,
    GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: provider.clientId,
    SUPABASE_AUTH_EXTERNAL_KEYCLOAK_SECRET: provider.clientSecret,
  };
  server = await startServerProcess({ dataFolder: data.path, port, environment });
  keys = await readKeys({ dataFolder: data.path, port });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await data.remove();
});

test('what is switched on by the platform’s names is offered, and nothing else', async () => {
  const settings = await (await fetch(`${server.url}/auth/v1/settings`)).json();
  expect(settings.external).toMatchObject({ keycloak: true, google: false, apple: false, github: false });
  const config = await (await fetch(`${server.url}/config.json`)).json();
  expect(config).toMatchObject({ keycloakEnabled: true, googleEnabled: false, azureEnabled: false });
  const away = await fetch(`${server.url}/auth/v1/authorize?provider=github`, { redirect: 'manual' });
  expect(away.status).toBe(400);
});

test('the published client signs in by it', async () => {
  const kept = new Map<string, string>();
  const client = createClient(server.url, keys.publishableKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
  });
  const email = `${randomUUID()}@example.com`;
  const { data: started } = await client.auth.signInWithOAuth({
    provider: 'keycloak',
    options: { queryParams: { login_hint: email }, skipBrowserRedirect: true },
  });
  const away = await fetch(started.url ?? '', { redirect: 'manual' });
  const back = await visitOpenIdProvider(away.headers.get('location') ?? '');
  const home = await fetch(back, { redirect: 'manual' });
  const code = new URL(home.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { data: signedIn, error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toBeNull();
  expect(signedIn.user).toMatchObject({ email, app_metadata: { provider: 'keycloak' } });
});

test('one without its secret ends the start in one sentence that names the key', async () => {
  const folder = await createDataFolder();
  try {
    const launched = launchServerProcess({
      dataFolder: folder.path,
      port: await findFreePort(),
      environment: { GOTRUE_EXTERNAL_APPLE_ENABLED: 'true', GOTRUE_EXTERNAL_APPLE_CLIENT_ID: 'br.com.loja' },
    });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toContain('auth.external.apple.secret não pode ser vazio');
  } finally {
    await folder.remove();
  }
});
