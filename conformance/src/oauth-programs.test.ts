import { randomUUID } from 'node:crypto';
import * as oauth from 'openid-client';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createOperator } from './support/create-visitor.ts';
import { openRawSocket, type RawSocket } from './support/open-raw-socket.ts';
import { required } from './support/required.ts';
import { startDeployment } from './support/start-deployment.ts';

const deployment = inject('deployment');
const issuer = `${deployment.url}/auth/v1`;
const CALLBACK = 'http://127.0.0.1/volta';

let person: Person;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'plus' });
  await createShelf(person);
});

const sockets: RawSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A program that an operator registered, as a certified client library finds out about the server. */
async function connect(kind: 'public' | 'confidential', algorithm: 'oidc' | 'oauth2' = 'oidc') {
  const created = await createOperator(deployment).auth.admin.oauth.createClient({
    client_name: 'Leitor',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: kind === 'public' ? 'none' : 'client_secret_basic',
  });
  const { client_id: id, client_secret: secret } = required(created.data, created.error);
  const config = await oauth.discovery(
    new URL(issuer),
    id,
    undefined,
    secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret),
    { algorithm, execute: [oauth.allowInsecureRequests] },
  );
  return { config, id };
}

type Answered = {
  readonly back: URL;
  readonly checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce?: string };
};

/** Sends the person to the server, who says yes there. The program listens on a port that it found free. */
async function ask(config: oauth.Configuration, scope: string, as: Person = person): Promise<Answered> {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const isOpenId = scope.split(' ').includes('openid');
  const expectedNonce = oauth.randomNonce();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: 'http://127.0.0.1:51004/volta',
    scope,
    state: expectedState,
    ...(isOpenId ? { nonce: expectedNonce } : {}),
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const sent = await fetch(url, { redirect: 'manual' });
  const page = new URL(required(sent.headers.get('location')));
  expect(page.pathname).toBe('/oauth/consent');
  const id = required(page.searchParams.get('authorization_id'));
  const details = await as.client.auth.oauth.getAuthorizationDetails(id);
  expect(details.data).toMatchObject({ client: { name: 'Leitor' }, scope });
  const approved = await as.client.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
  return {
    back: new URL(required(approved.data, approved.error).redirect_url),
    checks: { pkceCodeVerifier, expectedState, ...(isOpenId ? { expectedNonce } : {}) },
  };
}

async function letIn(config: oauth.Configuration, scope: string, as: Person = person) {
  const { back, checks } = await ask(config, scope, as);
  return oauth.authorizationCodeGrant(config, back, checks);
}

async function read(token: string, path = '/rest/v1/folders?select=name'): Promise<unknown> {
  const headers = { apikey: deployment.anonKey, authorization: `Bearer ${token}` };
  return (await fetch(`${deployment.url}${path}`, { headers })).json();
}

describe('a certified client library', () => {
  test.each([
    ['public', 'oidc'],
    ['confidential', 'oidc'],
    ['public', 'oauth2'],
  ] as const)('lets a %s program in, and accepts every answer (%s)', async (kind, algorithm) => {
    const { config } = await connect(kind, algorithm);
    const tokens = await letIn(config, 'openid email links:read');
    // Signature, issuer, audience, nonce and the rest are checked by the library.
    expect(tokens.claims()).toMatchObject({ iss: issuer, sub: person.id, email: person.email });
    const info = await oauth.fetchUserInfo(config, tokens.access_token, person.id);
    expect(info).toEqual({ sub: person.id, email: person.email, email_verified: true });
    expect(await read(tokens.access_token)).toEqual([{ name: 'Trabalho' }]);

    const renewed = await oauth.refreshTokenGrant(config, required(tokens.refresh_token));
    expect(await read(renewed.access_token)).toEqual([{ name: 'Trabalho' }]);
    await oauth.tokenRevocation(config, required(renewed.refresh_token));
    expect(await read(renewed.access_token)).toEqual([]);
    await expect(oauth.refreshTokenGrant(config, required(renewed.refresh_token))).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('sees from whom an answer is, and takes none that another server could have sent', async () => {
    const { config } = await connect('public');
    const { back, checks } = await ask(config, 'links:read');
    for (const iss of ['https://mau.test/auth/v1', '']) {
      const forged = new URL(back);
      if (iss === '') forged.searchParams.delete('iss');
      else forged.searchParams.set('iss', iss);
      await expect(oauth.authorizationCodeGrant(config, forged, checks)).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/"iss"/) },
      });
    }
    expect((await oauth.authorizationCodeGrant(config, back, checks)).scope).toBe('links:read');
  });

  test('cannot register a program by itself, unless the operator lets it', async () => {
    const register = oauth.dynamicClientRegistration(
      new URL(issuer),
      { redirect_uris: [CALLBACK] },
      undefined,
      { execute: [oauth.allowInsecureRequests] },
    );
    await expect(register).rejects.toThrow();
  });
});

describe('what a person lets a program do', () => {
  test('is all it does, in each service', async () => {
    const { config } = await connect('public');
    const { access_token: token } = await letIn(config, 'links:read links:write share');
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await fetch(`${deployment.url}${path}`, {
        method,
        headers: {
          apikey: deployment.anonKey,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return reply.status;
    };
    expect(await ask('POST', '/rest/v1/folders', { name: randomUUID() })).toBe(201);
    expect(await ask('GET', '/functions/v1/check-subscription')).toBe(401);
    expect(await ask('POST', '/functions/v1/delete-account', {})).toBe(401);
    expect(await ask('POST', '/functions/v1/create-checkout', {})).toBe(401);
    expect(await ask('POST', `/storage/v1/object/arquivos/${person.id}/a.txt`, {})).toBe(400);
    expect(await ask('POST', `/storage/v1/object/upload/sign/arquivos/${person.id}/a.txt`, {})).toBe(400);
    expect(await ask('GET', '/auth/v1/user')).toBe(403);
    expect(await ask('PUT', '/auth/v1/user', { password: 'outra senha boa' })).toBe(403);
    expect(await ask('POST', '/rest/v1/rpc/is_admin', {})).toBe(200);
    expect(await read(token, '/rest/v1/profiles?select=plan')).toEqual([]);
    expect(await read(token, '/rest/v1/subscribers?select=plan')).toEqual([]);
  });

  test('ends with a word: for tables at once, and for open channels soon after', async () => {
    const { config, id } = await connect('public');
    const { access_token: token } = await letIn(config, 'links:read');
    const socket = await openRawSocket(deployment, '2.0.0');
    sockets.push(socket);
    const rows = { event: '*', schema: 'public', table: 'folders', filter: `user_id=eq.${person.id}` };
    const config_ = { postgres_changes: [rows] };
    socket.push({
      topic: 'realtime:linhas',
      event: 'phx_join',
      payload: { config: config_, access_token: token },
      ref: '1',
      joinRef: '1',
    });
    expect((await socket.replyTo('1')).payload['status']).toBe('ok');
    await socket.find(({ event, payload }) => event === 'system' && payload['status'] === 'ok');
    const name = randomUUID();
    await person.client.from('folders').insert({ name });
    const change = await socket.find(({ event }) => event === 'postgres_changes');
    expect(change.payload).toMatchObject({ data: { record: { name } } });

    await person.client.auth.oauth.revokeGrant({ clientId: id });
    expect(await read(token)).toEqual([]);
    await socket.find(({ topic, event }) => topic === 'realtime:linhas' && event === 'phx_close');
  });

  test('hears of no change beyond it, and of nothing that is said in private', async () => {
    const { config } = await connect('public');
    const { access_token: token } = await letIn(config, 'email share');
    const socket = await openRawSocket(deployment, '2.0.0');
    sockets.push(socket);
    const rows = { event: '*', schema: 'public', table: 'folders' };
    const join = (topic: string, config: object, ref: string) => {
      socket.push({ topic, event: 'phx_join', payload: { config, access_token: token }, ref, joinRef: ref });
      return socket.replyTo(ref);
    };
    const { session_id: session } = JSON.parse(atob(required(token.split('.')[1]))) as { session_id: string };
    expect((await join(`realtime:session:${session}`, { private: true }, '1')).payload['status']).toBe(
      'error',
    );
    expect((await join('realtime:linhas', { postgres_changes: [rows] }, '2')).payload['status']).toBe('ok');
    await socket.find(({ event, payload }) => event === 'system' && payload['status'] === 'ok');
    await person.client.from('folders').insert({ name: randomUUID() });
    // What follows on another channel has been heard by then.
    expect((await join('realtime:outra', {}, '3')).payload['status']).toBe('ok');
    const heard = socket.heard.filter(({ event }) => event === 'postgres_changes');
    for (const { payload } of heard) expect(payload).toMatchObject({ data: { record: {} } });
    expect(JSON.stringify(heard)).not.toContain(person.id);
  });
});

describe('a token that a person makes', () => {
  test('is taken by the published client as its own, within its bounds, until it is ended', async () => {
    const { data } = await person.client.auth.getSession();
    const session = required(data.session);
    const own = (method: string, path: string, body?: object) =>
      fetch(`${deployment.url}/auth/v1${path}`, {
        method,
        headers: {
          apikey: deployment.anonKey,
          authorization: `Bearer ${session.access_token}`,
          'content-type': 'application/json',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const made = await own('POST', '/user/tokens', { name: 'Script', scope: 'links:read', days: 30 });
    const { id, token } = (await made.json()) as { id: string; token: string };
    const { createClient } = await import('@supabase/supabase-js');
    const client = createClient(deployment.url, deployment.anonKey, { accessToken: async () => token });
    const listed = await client.from('folders').select('name').eq('name', 'Trabalho');
    expect(listed.data).toEqual([{ name: 'Trabalho' }]);
    expect((await client.from('folders').insert({ name: randomUUID() })).error?.code).toBe('42501');
    expect((await client.functions.invoke('delete-account')).error).not.toBeNull();
    await own('DELETE', `/user/tokens/${id}`);
    expect((await client.from('folders').select('name')).data).toEqual([]);
  });
});

describe('where programs may register themselves', () => {
  test('one that nobody knows does, and is let in by the person alone', async () => {
    const { deployment: open, remove } = await startDeployment({
      SUPABASE_AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    });
    try {
      const ana = await createPerson(open);
      await createShelf(ana);
      const metadata = {
        client_name: 'Leitor',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
      };
      const config = await oauth.dynamicClientRegistration(
        new URL(`${open.url}/auth/v1`),
        metadata,
        oauth.None(),
        { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
      );
      expect(config.clientMetadata()).toMatchObject({ client_id: expect.any(String), client_name: 'Leitor' });
      const tokens = await letIn(config, 'links:read', ana);
      expect(tokens.scope).toBe('links:read');
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const folders = await fetch(`${open.url}/rest/v1/folders?select=name`, { headers });
      expect(await folders.json()).toEqual([{ name: 'Trabalho' }]);
    } finally {
      await remove();
    }
  });
});
