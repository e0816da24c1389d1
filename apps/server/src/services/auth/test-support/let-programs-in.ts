import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import { createPerson, signIn } from './sign-people-in.ts';
import type { TestService } from './start-auth-service.ts';

export const CALLBACK = 'https://programa.test/volta';

export type TestClient = { readonly client_id: string; readonly client_secret?: string };

/** An operator registers a program; public unless it says otherwise. */
export async function registerProgram(
  service: TestService,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<TestClient> {
  const reply = await call(service, 'POST /admin/oauth/clients', {
    token: service.keyring.serviceRoleKey,
    body: {
      client_name: 'Programa',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
  });
  expect(reply.status).toBe(201);
  return reply.body as TestClient;
}

export function createVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A program sends somebody's browser here. */
export function authorize(
  service: TestService,
  query: Readonly<Record<string, string | undefined>>,
): Promise<Reply> {
  const { challenge } = createVerifier();
  const whole = {
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...query,
  };
  const given = Object.entries(whole).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return call(service, `GET /oauth/authorize?${new URLSearchParams(given)}`);
}

/** @returns the id that the page of the consent is opened with */
export async function ask(
  service: TestService,
  query: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const reply = await authorize(service, query);
  expect(reply.status).toBe(302);
  const id = new URL(String(reply.headers['location'])).searchParams.get('authorization_id');
  expect(id).toMatch(/^[\w-]{43}$/);
  return id ?? '';
}

export function look(service: TestService, id: string, token: string): Promise<Reply> {
  return call(service, `GET /oauth/authorizations/${id}`, { token });
}

export function answer(
  service: TestService,
  id: string,
  token: string,
  action: 'approve' | 'deny' = 'approve',
): Promise<Reply> {
  return call(service, `POST /oauth/authorizations/${id}/consent`, { token, body: { action } });
}

export function redirectOf({ body }: Reply): URL {
  return new URL((body as { redirect_url: string }).redirect_url);
}

export type Consented = {
  readonly code: string;
  readonly verifier: string;
  readonly person: { readonly id: string; readonly email: string };
  readonly token: string;
};

/** A person says yes. @param as somebody who is there already */
export async function consent(
  service: TestService,
  client: TestClient,
  query: Readonly<Record<string, string | undefined>> = {},
  as?: Pick<Consented, 'person' | 'token'>,
): Promise<Consented> {
  const person = as?.person ?? (await createPerson(service));
  const token = as?.token ?? (await signIn(service, person.email)).access_token;
  const { verifier, challenge } = createVerifier();
  const id = await ask(service, { client_id: client.client_id, code_challenge: challenge, ...query });
  const looked = await look(service, id, token);
  expect(looked.status).toBe(200);
  const isKnown = 'redirect_url' in (looked.body as object);
  const url = redirectOf(isKnown ? looked : await answer(service, id, token));
  return { code: url.searchParams.get('code') ?? '', verifier, person, token };
}

export type ProgramTokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly id_token?: string;
};

export function exchange(
  service: TestService,
  client: TestClient,
  { code, verifier }: Pick<Consented, 'code' | 'verifier'>,
  further: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return call(service, 'POST /oauth/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: client.client_id,
      ...(client.client_secret === undefined ? {} : { client_secret: client.client_secret }),
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      ...further,
    },
  });
}

export function renew(
  service: TestService,
  client: TestClient,
  token: string,
  further: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return call(service, 'POST /oauth/token', {
    form: { grant_type: 'refresh_token', client_id: client.client_id, refresh_token: token, ...further },
  });
}

/** A person lets a program in, which comes for its tokens. */
export async function letIn(
  service: TestService,
  client: TestClient,
  scope = 'openid email',
  as?: Pick<Consented, 'person' | 'token'>,
): Promise<Consented & ProgramTokens> {
  const consented = await consent(service, client, { scope }, as);
  const reply = await exchange(service, client, consented);
  expect(reply.status).toBe(200);
  return { ...consented, ...(reply.body as ProgramTokens) };
}
