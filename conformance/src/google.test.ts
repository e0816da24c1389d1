import { randomUUID } from 'node:crypto';
import { visitOpenIdProvider } from '@linkoteca/server-process/start-openid-provider';
import { createClient } from '@supabase/supabase-js';
import { createClient as createOlderClient } from 'supabase-js-2-49';
import { describe, expect, inject, test } from 'vitest';
import { createPerson } from './support/create-person.ts';

const deployment = inject('deployment');

/** A browser's storage, which holds the secret of the flow. */
function createAuthOptions(flowType: 'pkce' | 'implicit') {
  const kept = new Map<string, string>();
  return {
    flowType,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
  };
}

type Client = ReturnType<typeof createClient>;

const CLIENTS: readonly [string, (flow?: 'pkce' | 'implicit') => Client][] = [
  [
    '2.119',
    (flow = 'pkce') => createClient(deployment.url, deployment.anonKey, { auth: createAuthOptions(flow) }),
  ],
  [
    '2.49',
    (flow = 'pkce') =>
      createOlderClient(deployment.url, deployment.anonKey, {
        auth: createAuthOptions(flow),
      }) as unknown as Client,
  ],
];

/** Follows a client's address through the provider's pages, to where the application is opened again. */
async function followAs(email: string, address: string | null | undefined): Promise<URL> {
  const away = await fetch(`${address}&login_hint=${encodeURIComponent(email)}`, { redirect: 'manual' });
  expect(away.status).toBe(302);
  const back = await visitOpenIdProvider(away.headers.get('location') ?? '');
  const home = await fetch(back, { redirect: 'manual' });
  expect(home.status).toBe(302);
  return new URL(home.headers.get('location') ?? '');
}

const redirectTo = `${deployment.url}/login?from=%2Fplans`;

describe.each(CLIENTS)('signing in with Google by the client %s', (_version, open) => {
  test('leads through Google to a session, with the name that Google gave in the profile', async () => {
    const client = open();
    const email = `${randomUUID()}@example.com`;
    const { data } = await client.auth.signInWithOAuth({ provider: 'google', options: { redirectTo } });
    const home = await followAs(email, data.url);
    expect(home.searchParams.get('from')).toBe('/plans');

    const stranger = await open().auth.exchangeCodeForSession(home.searchParams.get('code') ?? '');
    expect(stranger.error).not.toBeNull();
    const { data: signedIn, error } = await client.auth.exchangeCodeForSession(
      home.searchParams.get('code') ?? '',
    );
    expect(error).toBeNull();
    expect(signedIn.session?.provider_token).toBeTruthy();
    expect(signedIn.user).toMatchObject({ email, app_metadata: { provider: 'google' } });
    const profile = await client.from('profiles').select('name').single();
    expect(profile.data).toEqual({ name: 'Ana do Provedor' });
  });

  test('joins the account of the same address, and its own page lists both ways in', async () => {
    const person = await createPerson(deployment);
    const client = open('implicit');
    const { data } = await client.auth.signInWithOAuth({ provider: 'google' });
    const fragment = new URLSearchParams((await followAs(person.email, data.url)).hash.slice(1));
    const tokens = {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    };
    const { data: signedIn, error } = await client.auth.setSession(tokens);
    expect(error).toBeNull();
    expect(signedIn.user?.id).toBe(person.id);
    const identities = await client.auth.getUserIdentities();
    expect(identities.data?.identities.map(({ provider }) => provider).sort()).toEqual(['email', 'google']);
    const google = identities.data?.identities.find(({ provider }) => provider === 'google');
    if (!google) throw new Error('no identity of Google');
    expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
  });
});
