import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { startTokenIssuer, type TokenIssuer } from '@linkoteca/server-process/start-token-issuer';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askServices, TOKEN_REFUSED } from './support/ask-services.ts';
import { type Keys, readKeys } from './support/read-keys.ts';

let data: DataFolder;
let issuer: TokenIssuer;
let stranger: TokenIssuer;
let server: ServerProcess;
let keys: Keys;

beforeAll(async () => {
  [data, issuer, stranger] = await Promise.all([createDataFolder(), startTokenIssuer(), startTokenIssuer()]);
  const port = await findFreePort();
  const environment = {
    SUPABASE_AUTH_THIRD_PARTY_WORKOS_ENABLED: 'true',
    SUPABASE_AUTH_THIRD_PARTY_WORKOS_ISSUER_URL: issuer.issuer,
  };
  server = await startServerProcess({ dataFolder: data.path, port, environment });
  keys = await readKeys({ dataFolder: data.path, port });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([issuer.stop(), stranger.stop()]);
  await data.remove();
});

const ANA = { sub: 'user_01ANA', role: 'authenticated' };
const ask = (token: string) =>
  askServices(server.url, { apikey: keys.publishableKey, authorization: `Bearer ${token}` });
/** No account of ours: sign-in does not know it, and the product's own tables ask for an id of ours, as on the platform. */
const ACCEPTED = { auth: 403, rest: 400, storage: 200, realtime: 202, functions: 400 };

test('a third party’s person is let in by every service but sign-in, with keys that are fetched when the first one comes', async () => {
  expect(issuer.keysAsked()).toBe(0);
  expect(await ask(issuer.signToken(ANA))).toEqual(ACCEPTED);
  expect(issuer.keysAsked()).toBe(1);
});

test.each<[string, () => string]>([
  ['somebody else', () => stranger.signToken({ ...ANA, iss: issuer.issuer })],
  ['an issuer that nobody named', () => stranger.signToken(ANA)],
  ['the third party, long ago', () => issuer.signToken({ ...ANA, exp: 1 })],
])('a token of %s is refused everywhere', async (_name, make) => {
  expect(await ask(make())).toEqual(TOKEN_REFUSED);
});

test('a third party makes nobody the operator', async () => {
  const token = issuer.signToken({ ...ANA, role: 'service_role' });
  expect(await ask(token)).toEqual(TOKEN_REFUSED);
  const headers = { apikey: keys.publishableKey, authorization: `Bearer ${token}` };
  expect((await fetch(`${server.url}/auth/v1/admin/users`, { headers })).status).toBe(403);
});

test('a person without a role is a visitor', async () => {
  const headers = { authorization: `Bearer ${issuer.signToken({ sub: 'user_01BIA' })}` };
  const asked = await fetch(`${server.url}/rest/v1/profiles?select=id`, { headers });
  const visitor = await fetch(`${server.url}/rest/v1/profiles?select=id`);
  expect([asked.status, await asked.text()]).toEqual([visitor.status, await visitor.text()]);
});

test('the published client acts as the third party’s person: policies read its claims, and channels let it in', async () => {
  const database = await openServerDatabase(server.dataFolder);
  await database.query(`create table public.notes (owner text not null, body text not null);
    alter table public.notes enable row level security;
    grant select, insert on public.notes to authenticated;
    create policy own on public.notes to authenticated
      using (owner = (auth.jwt() ->> 'sub')) with check (owner = (auth.jwt() ->> 'sub'));`);
  await database.end();
  const as = (sub: string) =>
    createClient(server.url, keys.publishableKey, {
      accessToken: async () => issuer.signToken({ ...ANA, sub }),
    });
  const [ana, bia] = [as('user_01ANA'), as('user_01BIA')];
  await expect
    .poll(async () => (await ana.from('notes').insert({ owner: 'user_01ANA', body: 'oi' })).error)
    .toBeNull();
  expect((await ana.from('notes').select()).data).toEqual([{ owner: 'user_01ANA', body: 'oi' }]);
  expect((await bia.from('notes').select()).data).toEqual([]);
  expect((await bia.from('notes').insert({ owner: 'user_01ANA', body: 'x' })).error?.code).toBe('42501');
  await ana.realtime.setAuth();
  const joined = await new Promise((resolve) => {
    ana.channel('sala').subscribe((status) => resolve(status));
  });
  expect(joined).toBe('SUBSCRIBED');
  await ana.removeAllChannels();
});
