import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSamlRequest, type SamlIdentityProvider } from '@linkoteca/server-process/saml-identity-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createIdentityProvider } from '../test-support/identity-provider.ts';
import { waitForLocks } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let service: TestService;
let publisher: Server;
let address: string;
/** What the publisher says, and how often it was asked. */
let published: { status: number; body: string };
let asked: number;
beforeAll(async () => {
  service = await startAuthService({ settings: { saml: { privateKey, relayStateLifetime: 600 } } });
  publisher = createServer((_request, response) => {
    asked += 1;
    response.writeHead(published.status).end(published.body);
  }).listen(0, '127.0.0.1');
  await once(publisher, 'listening');
  address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/metadata`;
});
afterAll(async () => {
  publisher.close();
  await service.stop();
});

let old: SamlIdentityProvider;
let rotated: SamlIdentityProvider;
let providerId: string;
beforeEach(async () => {
  service.clock.hold();
  old = await createIdentityProvider();
  // The same provider, with another key.
  rotated = await createIdentityProvider(old.entityId);
  const reply = await call(service, 'POST /admin/sso/providers', {
    token: service.keyring.serviceRoleKey,
    body: { type: 'saml', metadata_xml: old.metadata() },
  });
  providerId = (reply.body as { id: string }).id;
  // As if it had been registered by its address, which has to be https.
  await service.admin.query('update auth.saml_providers set metadata_url = $2 where sso_provider_id = $1', [
    providerId,
    address,
  ]);
  published = { status: 200, body: rotated.metadata() };
  asked = 0;
});

async function isLetIn(idp: SamlIdentityProvider): Promise<boolean> {
  const body = { provider_id: providerId, skip_http_redirect: true };
  const left = await call(service, 'POST /sso', { body });
  const { requestId, relayState } = readSamlRequest((left.body as { url: string }).url);
  const xml = Buffer.from(idp.answer({ requestId })).toString('base64');
  const form = { SAMLResponse: xml, RelayState: relayState };
  const back = await call(service, 'POST /sso/saml/acs', { form });
  return new URL(String(back.headers['location'])).hash.includes('access_token=');
}

describe('metadata that are published', () => {
  it('are read again once a day: a new key is known by then, and the old one is not', async () => {
    expect(await isLetIn(old)).toBe(true);
    expect(await isLetIn(rotated)).toBe(false);
    service.clock.advance(86_399);
    expect(await isLetIn(old)).toBe(true);
    expect(asked).toBe(0);
    service.clock.advance(1);
    expect(await isLetIn(rotated)).toBe(true);
    expect(await isLetIn(old)).toBe(false);
    expect(asked).toBe(1);
  });

  it.each([
    ['cannot be read', () => ({ status: 503, body: '' })],
    ['are none', () => ({ status: 200, body: '<a/>' })],
    ['are too long', () => ({ status: 200, body: 'x'.repeat(300_000) })],
    [
      'are of somebody else',
      async () => ({ status: 200, body: (await createIdentityProvider()).metadata() }),
    ],
  ])('go on as they were where they %s', async (_what, publish) => {
    published = await publish();
    service.clock.advance(86_401);
    expect(await isLetIn(old)).toBe(true);
    expect(asked).toBeGreaterThan(0);
  });

  it('are not put in place of those that an operator gives meanwhile', async () => {
    const provider = await createIdentityProvider(old.entityId);
    const own = provider.metadata().replaceAll(provider.ssoUrl, 'https://novo.exemplo.test/sso');
    service.clock.advance(86_401);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query(
      'update auth.saml_providers set metadata_xml = $2, metadata_url = null where sso_provider_id = $1',
      [providerId, own],
    );
    const late = call(service, 'POST /sso', {
      body: { provider_id: providerId, skip_http_redirect: true },
    });
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/^https:\/\/novo\.exemplo\.test\/sso\?/) },
    });
    const token = service.keyring.serviceRoleKey;
    const shown = await call(service, `GET /admin/sso/providers/${providerId}`, { token });
    expect(shown.body).toMatchObject({ saml: { metadata_xml: own } });
  });

  it('are shown to the operator with the address that they come from', async () => {
    const token = service.keyring.serviceRoleKey;
    const shown = await call(service, `GET /admin/sso/providers/${providerId}`, { token });
    expect(shown.body).toMatchObject({ saml: { entity_id: old.entityId, metadata_url: address } });
  });

  it('are no reason to call other addresses: one that cannot be read is not registered', async () => {
    const reply = await call(service, 'POST /admin/sso/providers', {
      token: service.keyring.serviceRoleKey,
      body: { type: 'saml', metadata_url: 'https://127.0.0.1:1/metadata' },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'saml_metadata_fetch_failed' } });
  });
});
