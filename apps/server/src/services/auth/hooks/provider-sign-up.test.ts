import { createHash, randomUUID } from 'node:crypto';
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitOpenIdProvider,
} from '@linkoteca/server-process/start-openid-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createPerson, newEmail } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
let google: OpenIdProvider;
beforeAll(async () => {
  google = await startOpenIdProvider(`${SITE_URL}/auth/v1/callback`);
  const { issuer, clientId, clientSecret } = google;
  service = await startAuthService({
    settings: {
      signInProviders: { google: { issuer, clientId, clientSecret } },
      hooks: {
        before_user_created: { kind: 'function', schema: 'public', name: 'antes' },
        after_user_created: { kind: 'function', schema: 'public', name: 'depois' },
      },
    },
  });
  // It writes down whom it was asked about, and has nobody who is not from the house.
  await service.admin.query(`create table public.asked (email text, provider text);
    grant insert on public.asked to supabase_auth_admin;
    create function public.antes(event jsonb) returns jsonb language plpgsql as $hook$
    begin
      insert into public.asked values (event #>> '{user,email}', event #>> '{user,app_metadata,provider}');
      if event #>> '{user,email}' like '%@casa.test' then return '{}'; end if;
      return '{"error":{"http_code":403,"message":"Só da casa"}}';
    end $hook$;
    grant execute on function public.antes(jsonb) to supabase_auth_admin;
    create table public.told (email text);
    grant insert on public.told to supabase_auth_admin;
    create function public.depois(event jsonb) returns jsonb language sql as $hook$
      insert into public.told values (event #>> '{user,email}') returning '{}'::jsonb
    $hook$;
    grant execute on function public.depois(jsonb) to supabase_auth_admin`);
});
afterAll(async () => {
  await service.stop();
  await google.stop();
});

const PKCE = {
  code_challenge: createHash('sha256').update('v'.repeat(64)).digest('base64url'),
  code_challenge_method: 's256',
};

async function comeFromGoogle(email: string): Promise<URL> {
  const subject = randomUUID();
  google.setPerson({ subject, email, name: 'Ana', picture: 'https://fotos.exemplo/ana.png' });
  const query = new URLSearchParams({ provider: 'google', login_hint: subject, ...PKCE });
  const away = await call(service, `GET /authorize?${query}`);
  const back = await visitOpenIdProvider(String(away.headers['location']));
  const reply = await call(service, `GET /callback${back.search}`);
  return new URL(String(reply.headers['location']));
}
const listTold = async () => (await service.admin.query('select email from public.told')).rows;
const listAsked = async () => (await service.admin.query('delete from public.asked returning *')).rows;

it('somebody new who comes from Google is asked about, and refused where the application reads it', async () => {
  const stranger = newEmail();
  const refused = await comeFromGoogle(stranger);
  expect(refused.searchParams.get('error_code')).toBe('unknown');
  expect(refused.searchParams.get('error_description')).toBe('Só da casa');
  // The hook's own note of it stays: it ran, and its refusal is no failure.
  expect(await listAsked()).toEqual([{ email: stranger, provider: 'google' }]);
  expect((await service.admin.query('select from auth.users where email = $1', [stranger])).rowCount).toBe(0);

  const friend = `${randomUUID()}@casa.test`;
  expect((await comeFromGoogle(friend)).searchParams.get('code')).toBeTruthy();
  expect(await listAsked()).toHaveLength(1);
  await expect.poll(listTold).toEqual([{ email: friend }]);
  await comeFromGoogle(friend);
  const another = `${randomUUID()}@casa.test`;
  await comeFromGoogle(another);
  await expect.poll(listTold).toEqual([{ email: friend }, { email: another }]);
  await listAsked();
});

it('whoever has an account by that address comes in without being asked about', async () => {
  const { email } = await createPerson(service);
  expect((await comeFromGoogle(email)).searchParams.get('code')).toBeTruthy();
  expect(await listAsked()).toEqual([]);
});
