import { generateKeyPairSync, randomInt } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';
import { type Deployment, type RunningDeployment, startDeployment } from './support/start-deployment.ts';

/** What an operator switches on by GoTrue's own variables: phones as second factors, and organisations. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');

let running: RunningDeployment;
let deployment: Deployment;
beforeAll(async () => {
  running = await startDeployment({
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_MFA_PHONE_MAX_FREQUENCY: '0s',
    GOTRUE_SAML_ENABLED: 'true',
    GOTRUE_SAML_PRIVATE_KEY: KEY,
  });
  deployment = running.deployment;
});
afterAll(() => running.remove());

type Stored = { readonly to: string; readonly text: string };

/** The newest code that was texted to a number, once there are so many: an answer waits for its text only for a moment. */
async function readCode(number: string, count: number): Promise<string> {
  const read = async () => {
    const stored = (await (await fetch(`${deployment.url}/dev/mail.json`)).json()) as Stored[];
    return stored.filter(({ to }) => to === number);
  };
  await expect.poll(async () => (await read()).length, { timeout: 15_000 }).toBe(count);
  return /\d{6}/.exec(required((await read())[0]).text)?.[0] ?? '';
}

test('the pages are told what there is', async () => {
  const config = await (await fetch(`${deployment.url}/config.json`)).json();
  expect(config).toMatchObject({ phoneFactors: true, organisations: true, passkeys: true });
  expect(JSON.stringify(config)).not.toContain(KEY);
  const settings = await fetch(`${deployment.url}/auth/v1/settings`, {
    headers: { apikey: deployment.anonKey },
  });
  expect(await settings.json()).toMatchObject({ saml_enabled: true, passkeys_enabled: true });
});

test('whoever has a phone sees nothing before its code, and everything after', async () => {
  const person = await createPerson(deployment);
  const phone = `+5511${randomInt(10 ** 8, 10 ** 9)}`;
  const signIn = async () => {
    const client = createVisitor(deployment);
    const { error } = await client.auth.signInWithPassword(person);
    expect(error).toBeNull();
    return client;
  };
  const first = await signIn();
  const { mfa } = first.auth;
  const enrolled = await mfa.enroll({ factorType: 'phone', friendlyName: 'Celular', phone });
  const { id: factorId } = required(enrolled.data, enrolled.error);
  const asked = await mfa.challenge({ factorId, channel: 'sms' });
  const challengeId = required(asked.data, asked.error).id;
  expect((await mfa.verify({ factorId, challengeId, code: await readCode(phone, 1) })).error).toBeNull();

  const second = await signIn();
  expect((await second.from('profiles').select('id')).data).toEqual([]);
  const again = await second.auth.mfa.challenge({ factorId, channel: 'sms' });
  const proof = { factorId, challengeId: required(again.data, again.error).id };
  const wrong = await second.auth.mfa.verify({ ...proof, code: '12345' });
  expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 });
  expect((await second.auth.mfa.verify({ ...proof, code: await readCode(phone, 2) })).error).toBeNull();
  expect((await second.from('profiles').select('id')).data).toEqual([{ id: person.id }]);
});

test('an operator registers an organisation, whose people the published client sends there', async () => {
  const metadata = await (await fetch(`${deployment.url}/auth/v1/sso/saml/metadata`)).text();
  const certificate = /X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '';
  const entity = `https://idp.empresa.test/${randomInt(10 ** 9)}`;
  const registered = await fetch(`${deployment.url}/auth/v1/admin/sso/providers`, {
    method: 'POST',
    headers: {
      apikey: deployment.serviceRoleKey,
      authorization: `Bearer ${deployment.serviceRoleKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      type: 'saml',
      domains: ['empresa.test'],
      metadata_xml: `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entity}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entity}/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
    }),
  });
  expect(registered.status).toBe(201);
  const visitor = createVisitor(deployment);
  const sent = await visitor.auth.signInWithSSO({
    domain: 'empresa.test',
    options: { skipBrowserRedirect: true },
  });
  const { url } = required(sent.data, sent.error);
  expect(url.startsWith(`${entity}/sso?`)).toBe(true);
  const request = new URL(url).searchParams.get('SAMLRequest') ?? '';
  const asked = inflateRawSync(Buffer.from(request, 'base64')).toString();
  expect(asked).toContain(`${deployment.url}/auth/v1/sso/saml/acs`);
  const nobody = await visitor.auth.signInWithSSO({
    domain: 'outra.test',
    options: { skipBrowserRedirect: true },
  });
  expect(nobody.error).toMatchObject({ code: 'sso_provider_not_found', status: 404 });
});
