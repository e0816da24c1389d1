import { createHash, randomBytes } from 'node:crypto';
import { readSamlRequest } from '@linkoteca/server-process/saml-identity-provider';
import { expect } from 'vitest';
import { call } from '../call-service.ts';
import { createIdentityProvider } from '../identity-provider.ts';
import { askSignIn } from '../passkeys.ts';
import { OUR_SITE } from '../security-keys.ts';
import { follow, linkMailedTo } from '../sign-people-in.ts';
import type { TestService } from '../start-auth-service.ts';
import type { Places } from './places.ts';
import type { Things } from './things.ts';

/** A verifier, and what is sent ahead of it. Each flow has its own, by which nobody else is known. */
export function createPkce() {
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, pkce: { code_challenge: challenge, code_challenge_method: 's256' } };
}
export const ORGANISATION = 'organizacao.test';
const ANAS_GITHUB_ID = 4711;

/** Proofs that are on their way: whoever has one comes in by it, once. */
export type WaysIn = {
  readonly githubIdentityId: string;
  /** Where the browser is sent from here, to come back from GitHub as Ana. */
  readonly githubAddress: string;
  /** What a mailed link carries. */
  readonly linkHash: string;
  readonly pkce: { readonly auth_code: string; readonly code_verifier: string };
  readonly passkeyAnswer: { readonly challenge_id: string; readonly credential: unknown };
  /** Of a person of Google's who has no account yet. */
  readonly idToken: string;
  readonly organisationId: string;
  /** The metadata of one that is not known yet. */
  readonly anotherOrganisation: string;
  /** An organisation's person comes back from its identity provider. */
  readonly samlAnswer: Readonly<Record<string, string>>;
};

export async function keepWaysIn(
  service: TestService,
  places: Places,
  ana: { readonly id: string; readonly email: string } & Pick<Things, 'passkey'>,
): Promise<WaysIn> {
  const { challenge_id, options } = await askSignIn(service);
  const { challenge } = options;
  const credential = ana.passkey.authenticator.request({ ...OUR_SITE, challenge, userHandle: ana.id });
  places.github.answers.set('/user', { id: ANAS_GITHUB_ID, login: 'ana' });
  places.github.answers.set('/user/emails', [{ email: ana.email, primary: true, verified: true }]);
  const wanted = new URLSearchParams({ provider: 'github', ...createPkce().pkce });
  const away = await call(service, `GET /authorize?${wanted}`);
  const { verifier, pkce } = createPkce();
  expect((await call(service, 'POST /recover', { body: { email: ana.email, ...pkce } })).status).toBe(200);
  const back = await follow(service, linkMailedTo(service, ana.email));
  const body = { type: 'recovery', email: ana.email };
  const link = await call(service, 'POST /admin/generate_link', {
    token: service.keyring.serviceRoleKey,
    body,
  });
  return {
    githubIdentityId: await addGithubIdentity(service, ana.id, ANAS_GITHUB_ID),
    githubAddress: String(away.headers['location']),
    linkHash: (link.body as { hashed_token: string }).hashed_token,
    pkce: { auth_code: back.searchParams.get('code') ?? '', code_verifier: verifier },
    passkeyAnswer: { challenge_id, credential },
    idToken: await signIdToken(service, places),
    ...(await joinOrganisation(service, places)),
  };
}

/** As if it had been linked: the provider's own pages are not asked. */
export async function addGithubIdentity(
  service: TestService,
  userId: string,
  githubId: number,
): Promise<string> {
  const { rows } = await service.admin.query<{ id: string }>(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1::text, $2, jsonb_build_object('sub', $1::text), 'github', now(), now()) returning id`,
    [String(githubId), userId],
  );
  return rows[0]?.id ?? '';
}

function signIdToken({ clock }: TestService, { google }: Places): Promise<string> {
  const iat = Math.floor(clock.now().getTime() / 1000);
  const person = { sub: 'uma pessoa do Google', email: 'google@exemplo.test', email_verified: true };
  return google.sign({ iss: google.issuer, aud: 'linkoteca', iat, exp: iat + 600, ...person });
}

async function joinOrganisation(service: TestService, { organisation }: Places) {
  const registered = await call(service, 'POST /admin/sso/providers', {
    token: service.keyring.serviceRoleKey,
    body: { type: 'saml', metadata_xml: organisation.metadata(), domains: [ORGANISATION] },
  });
  const body = { domain: ORGANISATION, skip_http_redirect: true, ...createPkce().pkce };
  const asked = await call(service, 'POST /sso', { body });
  const { requestId, relayState } = readSamlRequest((asked.body as { url: string }).url);
  const xml = organisation.answer({ requestId, email: `eva@${ORGANISATION}`, nameId: 'eva' });
  return {
    organisationId: (registered.body as { id: string }).id,
    anotherOrganisation: (await createIdentityProvider()).metadata(),
    samlAnswer: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState },
  };
}
