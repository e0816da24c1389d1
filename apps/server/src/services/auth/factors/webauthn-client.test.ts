import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OUR_SITE } from '../test-support/security-keys.ts';
import { createPerson } from '../test-support/sign-people-in.ts';
import { SoftwareAuthenticator } from '../test-support/software-authenticator.ts';
import { PASSWORD, startAuthService, type TestService } from '../test-support/start-auth-service.ts';

/** The published client against a listening server. */
let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startAuthService({
    settings: { webAuthnEnrollEnabled: true, webAuthnVerifyEnabled: true },
  });
  url = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.stop());

async function signInAs(email: string) {
  const { auth } = createClient(url, service.keyring.anonKey, {
    auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false },
  });
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  return auth;
}

/** What a browser gives: it writes itself as JSON (WebAuthn, section 5.1). */
const asCredential = (answer: object) => ({ toJSON: () => answer }) as never;
const webauthn = { rpId: OUR_SITE.rpId, rpOrigins: [OUR_SITE.origin] };
const textOf = (bytes: BufferSource) => Buffer.from(bytes as ArrayBuffer).toString('base64url');

it('adds a key by the published client, and proves it at the next sign-in', async () => {
  const { email } = await createPerson(service);
  const authenticator = new SoftwareAuthenticator();
  const first = await signInAs(email);
  const enrolled = await first.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Chave' });
  expect(enrolled).toMatchObject({ error: null, data: { type: 'webauthn', friendly_name: 'Chave' } });
  const factorId = enrolled.data?.id ?? '';

  const asked = await first.mfa.challenge({ factorId, webauthn });
  if (asked.data?.webauthn.type !== 'create') throw new Error('a new key was not asked for');
  const created = authenticator.create({
    ...OUR_SITE,
    challenge: textOf(asked.data.webauthn.credential_options.publicKey.challenge),
  });
  const added = await first.mfa.verify({
    factorId,
    challengeId: asked.data.id,
    webauthn: { ...webauthn, type: 'create', credential_response: asCredential(created) },
  });
  expect(added.error).toBeNull();
  expect((await first.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2' });
  expect((await first.mfa.listFactors()).data?.webauthn).toMatchObject([
    { id: factorId, friendly_name: 'Chave', status: 'verified' },
  ]);

  const second = await signInAs(email);
  expect((await second.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  const again = await second.mfa.challenge({ factorId, webauthn });
  if (again.data?.webauthn.type !== 'request') throw new Error('the key was not asked for');
  const proof = authenticator.request({
    ...OUR_SITE,
    challenge: textOf(again.data.webauthn.credential_options.publicKey.challenge),
  });
  const proven = await second.mfa.verify({
    factorId,
    challengeId: again.data.id,
    webauthn: { ...webauthn, type: 'request', credential_response: asCredential(proof) },
  });
  expect(proven.error).toBeNull();
  expect((await second.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'mfa/webauthn' }, { method: 'password' }],
  });
});
