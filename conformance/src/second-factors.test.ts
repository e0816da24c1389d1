import { createClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { createClient as createOlderClient } from 'supabase-js-2-49';
import { describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const CLIENTS = [
  ['the newest client', () => createClient(deployment.url, deployment.anonKey, options)],
  ['2.49', () => createOlderClient(deployment.url, deployment.anonKey, options)],
] as const;

/** The code that an app shows now, or half a minute from now: each is good once. */
function codeOf(secret: string, steps: 0 | 1): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function signIn(open: (typeof CLIENTS)[number][1], { email, password }: Person) {
  const client = open();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

describe.each(CLIENTS)('with %s', (_name, open) => {
  test('a person adds an authenticator app, is asked for it at the next sign-in, sees nothing before, and gives it up', async () => {
    const person = await createPerson(deployment);
    const first = await signIn(open, person);
    const levels = async (client: typeof first) =>
      required((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data, null);
    const profile = async (client: typeof first) => {
      const { session } = (await client.auth.getSession()).data;
      const headers = { apikey: deployment.anonKey, authorization: `Bearer ${session?.access_token}` };
      return (await fetch(`${deployment.url}/rest/v1/profiles?select=id`, { headers })).json();
    };
    expect(await levels(first)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });

    const enrolled = await first.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'Celular',
      issuer: 'Linkoteca',
    });
    const { id: factorId, totp } = required(enrolled.data, enrolled.error);
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    expect(totp.uri).toContain(`secret=${totp.secret}`);
    const wrong = await first.auth.mfa.challengeAndVerify({ factorId, code: '12345' });
    expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 });
    const proven = await first.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret, 0) });
    expect(proven.error).toBeNull();
    expect(await levels(first)).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
    });
    expect(await profile(first)).toEqual([{ id: person.id }]);

    const second = await signIn(open, person);
    expect(await levels(second)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect(await profile(second)).toEqual([]);
    expect((await second.auth.updateUser({ password: 'outra senha boa' })).error).toMatchObject({
      code: 'insufficient_aal',
    });
    const asked = await second.auth.mfa.challenge({ factorId });
    const { id: challengeId, expires_at: expiresAt } = required(asked.data, asked.error);
    expect(expiresAt).toBeGreaterThan(Date.now() / 1000 + 200);
    const answered = await second.auth.mfa.verify({ factorId, challengeId, code: codeOf(totp.secret, 1) });
    expect(answered.error).toBeNull();
    expect(await profile(second)).toEqual([{ id: person.id }]);
    await second.auth.refreshSession();
    expect(await levels(second)).toMatchObject({ currentLevel: 'aal2' });
    expect((await second.auth.mfa.listFactors()).data).toMatchObject({
      totp: [{ id: factorId, friendly_name: 'Celular', status: 'verified' }],
    });

    expect((await second.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    await second.auth.refreshSession();
    expect(await levels(second)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    expect(await profile(second)).toEqual([{ id: person.id }]);
  });
});

test('an operator takes the app of somebody who has lost it away, and nobody else does', async () => {
  const person = await createPerson(deployment);
  const { client: stranger } = await createPerson(deployment);
  const enrolled = await person.client.auth.mfa.enroll({ factorType: 'totp' });
  const { id: factorId, totp } = required(enrolled.data, enrolled.error);
  await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret, 0) });

  expect((await stranger.auth.mfa.challenge({ factorId })).error).toMatchObject({
    code: 'mfa_factor_not_found',
  });
  expect((await stranger.auth.mfa.unenroll({ factorId })).error).toMatchObject({
    code: 'mfa_factor_not_found',
  });
  expect((await createVisitor(deployment).auth.mfa.unenroll({ factorId })).error).not.toBeNull();
  const { mfa } = createOperator(deployment).auth.admin;
  const listed = await mfa.listFactors({ userId: person.id });
  expect(listed.data?.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
  expect((await mfa.deleteFactor({ userId: person.id, id: factorId })).error).toBeNull();
  expect((await mfa.listFactors({ userId: person.id })).data?.factors).toEqual([]);

  const { auth } = createVisitor(deployment);
  await auth.signInWithPassword(person);
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' });
});

test('recovery codes stand in for the app: ten, shown once, each good once', async () => {
  const person = await createPerson(deployment);
  const open = async () => {
    const client = createClient(deployment.url, deployment.anonKey, {
      auth: { ...options.auth, experimental: { recoveryCodes: true } },
    });
    await client.auth.signInWithPassword(person);
    return client.auth.mfa;
  };
  const mfa = await open();
  expect((await mfa.recoveryCodes.getStatus()).error).toMatchObject({ code: 'mfa_factor_not_found' });
  const enrolled = await mfa.enroll({ factorType: 'totp' });
  const { id: factorId, totp } = required(enrolled.data, enrolled.error);
  await mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret, 0) });
  const made = await mfa.recoveryCodes.generate({ friendlyName: 'Gaveta' });
  const { codes, total } = required(made.data, made.error);
  expect([total, new Set(codes).size]).toEqual([10, 10]);
  expect((await mfa.unenroll({ factorId })).error).toMatchObject({ code: 'mfa_recovery_codes_sole_factor' });

  const [second, third] = [await open(), await open()];
  expect((await third.recoveryCodes.generate()).error).toMatchObject({ code: 'insufficient_aal' });
  expect((await second.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
  expect((await second.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
  });
  expect((await second.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
  expect((await second.listFactors()).data?.recovery_code).toMatchObject([{ friendly_name: 'Gaveta' }]);
  const fourth = await open();
  expect((await fourth.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toMatchObject({
    code: 'mfa_verification_failed',
  });
  const again = await second.recoveryCodes.regenerate();
  expect(required(again.data, again.error).codes).not.toContain(codes[1]);
  expect((await second.recoveryCodes.unenroll()).error).toBeNull();
  expect((await second.unenroll({ factorId })).error).toBeNull();
});
