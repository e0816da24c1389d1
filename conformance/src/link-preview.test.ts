import {
  type FunctionsError,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
} from '@supabase/supabase-js';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';

const deployment = inject('deployment');
let person: Person;
beforeAll(async () => {
  person = await createPerson(deployment);
});

async function preview(client: Client, body: unknown, name = 'link-preview') {
  const { data, error } = await client.functions.invoke(name, { body: JSON.stringify(body) });
  const response = (error as FunctionsError | null)?.context as Response | undefined;
  return { data, error, status: response?.status, body: await response?.text() };
}
const text = (answer: { body?: string | undefined }) => JSON.parse(answer.body ?? '{}').error;

describe('a preview is for people', () => {
  test.each([
    ['a visitor', () => createVisitor(deployment)],
    ['the operator’s key', () => createOperator(deployment)],
  ])('%s gets none', async (_who, create) => {
    const answer = await preview(create(), { url: 'https://example.com' });
    expect(answer.error).toBeInstanceOf(FunctionsHttpError);
    expect([answer.data, answer.status, text(answer)]).toEqual([
      null,
      401,
      'Você precisa estar autenticado para realizar esta operação',
    ]);
  });

  test('a token that does not verify is the platform’s refusal, not the function’s', async () => {
    const client = createVisitor(deployment);
    client.functions.setAuth('eyJhbGciOiJIUzI1NiJ9.e30.nobody');
    const answer = await preview(client, { url: 'https://example.com' });
    expect(answer.error).toBeInstanceOf(FunctionsRelayError);
    expect(answer.status).toBe(401);
  });
});

describe('a person', () => {
  test.each([
    [{}, 'URL inválida'],
    [{ url: 'javascript:alert(1)' }, 'URL inválida'],
    [{ url: 'http://localhost/' }, 'Este endereço não está na internet pública'],
    [{ url: 'http://127.0.0.1/' }, 'Este endereço não está na internet pública'],
    [{ url: 'http://2130706433/' }, 'Este endereço não está na internet pública'],
    [{ url: 'http://[::ffff:127.0.0.1]/' }, 'Este endereço não está na internet pública'],
    [{ url: 'http://169.254.169.254/latest/meta-data/' }, 'Este endereço não está na internet pública'],
    [
      { url: deployment.url.replace('localhost', '127.0.0.1') },
      'Só é possível ler páginas nas portas 80 e 443',
    ],
  ])('who asks for %j is told why not', async (body, error) => {
    const answer = await preview(person.client, body);
    expect(answer.error).toBeInstanceOf(FunctionsHttpError);
    expect([answer.data, answer.status, text(answer)]).toEqual([null, 400, error]);
  });

  test('is told when a page cannot be reached', async () => {
    const answer = await preview(person.client, { url: 'https://nao-existe.invalid-name.example/' });
    expect([502, 504]).toContain(answer.status);
    expect(text(answer)).toMatch(
      /^(Não foi possível acessar a página|A página demorou demais para responder)$/,
    );
  });

  test('finds no function that is not there', async () => {
    const answer = await preview(person.client, {}, 'not-there');
    expect(answer.error).toBeInstanceOf(FunctionsHttpError);
    expect(answer.error).not.toBeInstanceOf(FunctionsFetchError);
    expect([answer.status, answer.body]).toEqual([404, 'Function not found']);
  });
});

test('a page of another origin may ask, and may read the refusal', async () => {
  const url = `${deployment.url}/functions/v1/link-preview`;
  const origin = 'https://app.example.com';
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,apikey,x-client-info,content-type,x-region',
    },
  });
  expect([200, 204]).toContain(preflight.status);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-region');

  const refusal = await fetch(url, { method: 'POST', headers: { origin }, body: '{}' });
  expect(refusal.status).toBe(401);
  expect(refusal.headers.get('access-control-allow-origin')).toBe(origin);
  expect(refusal.headers.get('access-control-expose-headers')).toMatch(/x-relay-error/i);
  expect(await refusal.json()).toMatchObject({ msg: expect.any(String), error: expect.any(String) });
});
