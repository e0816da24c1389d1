import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { required } from './support/required.ts';
import { type FunctionUnderDeno, startUnderDeno } from './support/start-under-deno.ts';

const deployment = inject('deployment');
const names = globSync('*/index.ts', { cwd: resolve(import.meta.dirname, '../../supabase/functions') }).map(
  (path) => dirname(path),
);

/** Nobody listens there: what would ask the payment provider is not part of this comparison. */
const NO_PROVIDER = 'http://127.0.0.1:9';

let person: Person;
let token: string;
beforeAll(async () => {
  person = await createPerson(deployment);
  const { data, error } = await person.client.auth.getSession();
  token = required(data.session, error).access_token;
});

test('there are functions to run', () => {
  expect(names.length).toBeGreaterThan(10);
});

describe.each(names)('%s, as it is deployed to the hosted platform,', (name) => {
  let underDeno: FunctionUnderDeno;
  beforeAll(async () => {
    underDeno = await startUnderDeno(name, {
      SUPABASE_URL: deployment.url,
      SUPABASE_ANON_KEY: deployment.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: deployment.serviceRoleKey,
      SITE_URL: deployment.url,
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_API_URL: NO_PROVIDER,
      STRIPE_PRICE_PLUS_MONTHLY: 'price_a',
      STRIPE_PRICE_PLUS_YEARLY: 'price_b',
      STRIPE_PRICE_PRO_MONTHLY: 'price_c',
      STRIPE_PRICE_PRO_YEARLY: 'price_d',
    });
  });
  afterAll(() => underDeno.stop());

  const ask = async (base: string, init: RequestInit) => {
    const response = await fetch(base, { ...init, redirect: 'manual' });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      origin: response.headers.get('access-control-allow-origin'),
      body: await response.text(),
    };
  };

  test.each<[what: string, init: (token: string) => RequestInit]>([
    [
      'a preflight',
      () => ({
        method: 'OPTIONS',
        headers: { origin: 'https://a.br', 'access-control-request-method': 'POST' },
      }),
    ],
    ['a method it does not know', (bearer) => ({ method: 'PATCH', headers: { authorization: bearer } })],
    [
      'a visitor',
      () => ({ method: 'POST', headers: { authorization: `Bearer ${deployment.anonKey}` }, body: '{}' }),
    ],
    ['a torn body', (bearer) => ({ method: 'POST', headers: { authorization: bearer }, body: '{"' })],
  ])('answers %s as here', async (_what, describeRequest) => {
    const init = describeRequest(`Bearer ${token}`);
    const there = await ask(underDeno.url, init);
    expect(there).toEqual(await ask(`${deployment.url}/functions/v1/${name}`, init));
    expect(there.status).toBeLessThan(500);
  });
});
