import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  readSamlRequest,
  type SamlIdentityProvider,
  type SamlWords,
} from '@linkoteca/server-process/saml-identity-provider';
import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AuthSettings } from '../auth-settings.ts';
import { call, type Reply } from '../test-support/call-service.ts';
import { createIdentityProvider, OUR_ACS, OUR_ENTITY } from '../test-support/identity-provider.ts';
import { createPerson, signIn, type Tokens, waitForLocks } from '../test-support/sign-people-in.ts';
import { SITE_URL, startAuthService, type TestService } from '../test-support/start-auth-service.ts';
import { answerJson, startHookReceiver } from '../test-support/start-hook-receiver.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SAML = { privateKey, relayStateLifetime: 600 };

let service: TestService;
let idp: SamlIdentityProvider;
let providerId: string;
let domain: string;
let token: string;
beforeAll(async () => {
  service = await startAuthService({ settings: { saml: SAML } });
  token = service.keyring.serviceRoleKey;
});
afterAll(() => service.stop());
beforeEach(async () => {
  idp = await createIdentityProvider();
  domain = `${randomUUID()}.test`;
  providerId = await register(service, idp, { domains: [domain] });
});

async function register(own: TestService, provider: SamlIdentityProvider, fields = {}): Promise<string> {
  const reply = await call(own, 'POST /admin/sso/providers', {
    token: own.keyring.serviceRoleKey,
    body: { type: 'saml', metadata_xml: provider.metadata(), ...fields },
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return (reply.body as { id: string }).id;
}
async function leave(own = service, body: object = { domain }) {
  const reply = await call(own, 'POST /sso', { body: { skip_http_redirect: true, ...body } });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
  const { url } = reply.body as { url: string };
  return { url, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', ...readSamlRequest(url) };
}
function comeBack(relayState: string, xml: string, own = service, headers = {}): Promise<Reply> {
  const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState };
  return call(own, 'POST /sso/saml/acs', { form, headers });
}
const wordsOf = ({ headers }: Reply) => {
  const url = new URL(String(headers['location']));
  return { url, told: Object.fromEntries(new URLSearchParams(url.hash.slice(1))) };
};
/** Of the domain that the provider vouches for. */
const ana = () => ({ email: `ana@${domain}`, nameId: `ana-${domain}` });
async function enter(words: Partial<SamlWords> = {}): Promise<Record<string, string>> {
  const { requestId, relayState } = await leave();
  return wordsOf(await comeBack(relayState, idp.answer({ requestId, ...ana(), ...words }))).told;
}
const mapAttributes = (keys: object) =>
  call(service, `PUT /admin/sso/providers/${providerId}`, { token, body: { attribute_mapping: { keys } } });
const refused = (code: string, description?: string) => ({
  error_code: code,
  ...(description ? { error_description: description } : {}),
});
const INVALID = refused('validation_failed', 'SAML Assertion is not valid');

describe('an organisation’s person', () => {
  it('is sent to the identity provider by a signed question, and comes back with a session of an account of its own', async () => {
    const { email: other } = await createPerson(service, { email: ana().email });
    const { url, xml, isSigned, requestId, relayState } = await leave();
    expect(url.startsWith(`${idp.ssoUrl}?`)).toBe(true);
    expect(isSigned).toBe(true);
    expect(xml).toContain(`AssertionConsumerServiceURL="${OUR_ACS}"`);
    const attributes = { displayName: 'Ana', department: 'TI' };
    const back = await comeBack(relayState, idp.answer({ requestId, ...ana(), attributes }));
    expect(back.status).toBe(302);
    const { url: place, told } = wordsOf(back);
    expect(place.origin).toBe(SITE_URL);
    const claims = decodeJwt(told['access_token'] ?? '');
    const amr = [{ method: 'sso/saml', provider: providerId }];
    expect(claims).toMatchObject({
      email: other,
      amr,
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
    });
    // The account that has the same address with a password is somebody else's.
    expect(claims.sub).not.toBe((await signIn(service, other)).user.id);
    const refreshed = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: told['refresh_token'] },
    });
    expect(decodeJwt((refreshed.body as Tokens).access_token)).toMatchObject({ sub: claims.sub, amr });
    const again = await enter();
    expect(decodeJwt(again['access_token'] ?? '').sub).toBe(claims.sub);
    const { rows } = await service.admin.query(
      `select payload ->> 'action' as action, payload -> 'actor_via_sso' as by_sso from auth.audit_log_entries
       where payload ->> 'actor_id' = $1 order by created_at`,
      [claims.sub],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user_signedup', 'login', 'login']);
    expect(rows.every(({ by_sso: bySso }) => bySso)).toBe(true);
  });

  it('is remembered as the mapping says', async () => {
    const keys = {
      name: { name: 'displayName' },
      department: { names: ['depto', 'department'] },
      groups: { name: 'grupos', array: true },
      level: { default: 1 },
    };
    await mapAttributes(keys);
    const attributes = { displayName: 'Ana', department: 'TI', grupos: 'a', segredo: 'x' };
    const { access_token: own = '' } = await enter({ attributes });
    const { user_metadata } = decodeJwt(own);
    expect(user_metadata).toMatchObject({
      name: 'Ana',
      custom_claims: { department: 'TI', groups: ['a'], level: 1 },
      iss: idp.entityId,
      email_verified: true,
    });
    expect(JSON.stringify(user_metadata)).not.toContain('segredo');
  });

  it('takes the address along that the organisation says today', async () => {
    const { sub } = decodeJwt((await enter())['access_token'] ?? '');
    const { access_token: own = '' } = await enter({ email: `ana.souza@${domain}` });
    expect(decodeJwt(own)).toMatchObject({ sub, email: `ana.souza@${domain}` });
  });

  it('takes along what else the organisation says today, and keeps what the person has said', async () => {
    await mapAttributes({ name: { name: 'displayName' }, department: { name: 'department' } });
    const { access_token: own } = await enter({ attributes: { displayName: 'Ana', department: 'TI' } });
    await call(service, 'PUT /user', { token: own ?? '', body: { data: { tema: 'escuro' } } });
    const attributes = { displayName: 'Ana Souza', department: 'RH' };
    const { access_token: again = '' } = await enter({ attributes, email: `ana.souza@${domain}` });
    expect(decodeJwt(again)['user_metadata']).toMatchObject({
      name: 'Ana Souza',
      custom_claims: { department: 'RH' },
      email: `ana.souza@${domain}`,
      tema: 'escuro',
    });
  });

  it('comes in by an assertion that only we can read', async () => {
    const { body } = await call(service, 'GET /sso/saml/metadata');
    const certificate = /X509Certificate>([^<]+)</.exec(String(body))?.[1] ?? '';
    const { requestId, relayState } = await leave();
    const xml = await idp.encryptedAnswer({ requestId, ...ana() }, certificate);
    expect(xml).not.toContain('ana');
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject({ token_type: 'bearer' });
  });

  it('comes in by an answer that is signed around the assertion’s own signature', async () => {
    const { requestId, relayState } = await leave();
    const xml = idp.sign(idp.answer({ requestId, ...ana() }), 'Response');
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject({ token_type: 'bearer' });
  });

  it('is signed in by the published client, with a code that is of no use to others', async () => {
    const url = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const kept = new Map<string, string>();
    const { auth } = createClient(url, service.keyring.anonKey, {
      auth: {
        flowType: 'pkce',
        autoRefreshToken: false,
        detectSessionInUrl: false,
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, value) => void kept.set(key, value),
          removeItem: (key) => void kept.delete(key),
        },
      },
    });
    const asked = await auth.signInWithSSO({ domain, options: { skipBrowserRedirect: true } });
    const { requestId, relayState } = readSamlRequest(asked.data?.url ?? '');
    const { url: place } = wordsOf(await comeBack(relayState, idp.answer({ requestId, ...ana() })));
    const code = place.searchParams.get('code') ?? '';
    const stolen = await call(service, 'POST /token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: createHash('sha256').update('x').digest('hex') },
    });
    expect(stolen.body).toMatchObject({ code: 'bad_code_verifier' });
    const entered = await auth.exchangeCodeForSession(code);
    expect(entered).toMatchObject({ error: null, data: { user: { email: ana().email } } });
    expect(decodeJwt(entered.data.session?.access_token ?? '')).toMatchObject({
      amr: [{ method: 'sso/saml' }],
    });
  });

  it('opens no other way in, which would stay when the organisation lets go of somebody', async () => {
    const { access_token: own = '' } = await enter();
    for (const body of [{ password: 'uma senha nova' }, { email: 'outro@outro.test' }])
      expect(await call(service, 'PUT /user', { token: own, body })).toMatchObject({
        status: 422,
        body: { code: 'user_sso_managed' },
      });
    const begun = await call(service, 'POST /passkeys/registration/options', { token: own, body: {} });
    expect(begun).toMatchObject({ status: 422, body: { message: 'SSO users cannot register passkeys' } });
    expect((await call(service, 'PUT /user', { token: own, body: { data: { a: 1 } } })).status).toBe(200);
  });
});

describe('an attacker', () => {
  const signedBy = async (other: SamlIdentityProvider, words: Partial<SamlWords> = {}) => {
    const { requestId, relayState } = await leave();
    const xml = other.response(
      other.sign(other.assertion({ requestId, ...ana(), issuer: idp.entityId, ...words })),
      requestId,
    );
    return wordsOf(await comeBack(relayState, xml)).told;
  };

  it.each<[string, Partial<SamlWords>]>([
    ['for another audience', { audience: 'https://outro.test' }],
    ['for another place', { recipient: 'https://outro.test/acs' }],
    ['to another question', { requestId: 'id-outra' }],
    ['of yesterday', { notOnOrAfter: -2 }],
    ['of tomorrow', { notBefore: 3 }],
    ['of another issuer', { issuer: 'https://outro.test' }],
    ['that the bearer does not prove', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }],
  ])('does not come in by an assertion %s', async (_what, words) => {
    const { requestId, relayState } = await leave();
    const assertion = idp.sign(idp.assertion({ requestId, ...ana(), ...words }));
    // The envelope says what it should.
    expect(wordsOf(await comeBack(relayState, idp.response(assertion, requestId))).told).toMatchObject(
      INVALID,
    );
  });

  it('does not come in by the signature of another provider, registered or not, or by none', async () => {
    const stranger = await createIdentityProvider();
    expect(await signedBy(stranger)).toMatchObject(INVALID);
    await register(service, stranger);
    expect(await signedBy(stranger)).toMatchObject(INVALID);
    const { requestId, relayState } = await leave();
    const bare = idp.response(idp.assertion({ requestId, ...ana() }), requestId);
    expect(wordsOf(await comeBack(relayState, bare)).told).toMatchObject(INVALID);
  });

  it('does not come in by an answer that was altered after it was signed', async () => {
    const { requestId, relayState } = await leave();
    const xml = idp.answer({ requestId, ...ana() }).replaceAll(`ana@${domain}`, `bia@${domain}`);
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject(INVALID);
  });

  it('does not come in by wrapping: a second assertion beside, around or inside the signed one', async () => {
    const evil = (requestId: string) =>
      idp.assertion({ requestId, email: `chefe@${domain}`, nameId: 'chefe' });
    const wraps: ((signed: string, requestId: string) => string)[] = [
      (signed, requestId) => idp.response(evil(requestId) + signed, requestId),
      (signed, requestId) => idp.response(signed + evil(requestId), requestId),
      (signed, requestId) =>
        idp.response(evil(requestId).replace('</saml:Assertion>', `${signed}</saml:Assertion>`), requestId),
      (signed, requestId) =>
        idp.response(
          evil(requestId).replace('<saml:Subject>', `<saml:Advice>${signed}</saml:Advice><saml:Subject>`),
          requestId,
        ),
      (signed, requestId) =>
        idp.response(
          `${evil(requestId)}<samlp:Extensions xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${signed}</samlp:Extensions>`,
          requestId,
        ),
    ];
    for (const wrap of wraps) {
      const { requestId, relayState } = await leave();
      const signed = idp.sign(idp.assertion({ requestId, ...ana() }));
      const { told } = wordsOf(await comeBack(relayState, wrap(signed, requestId)));
      expect(told['access_token'] ? decodeJwt(told['access_token'])['email'] : undefined).not.toBe(
        `chefe@${domain}`,
      );
      expect(told).toMatchObject(INVALID);
    }
  });

  it('does not become somebody else by a comment in a name', async () => {
    const victim = decodeJwt((await enter({ nameId: 'chefe' }))['access_token'] ?? '').sub;
    const { access_token: own = '' } = await enter({ nameId: 'chefe<!-- -->.outro' });
    expect(decodeJwt(own).sub).not.toBe(victim);
  });

  it('does not come in twice by one answer, nor by an old one under a new question', async () => {
    const { requestId, relayState } = await leave();
    const xml = idp.answer({ requestId, ...ana() });
    const replies = await Promise.all([1, 2].map(() => comeBack(relayState, xml)));
    const told = replies.map((reply) => wordsOf(reply).told);
    expect(told.filter((one) => one['access_token'])).toHaveLength(1);
    expect(told.find((one) => one['error_code'])).toMatchObject(refused('saml_relay_state_not_found'));
    const later = await leave();
    expect(wordsOf(await comeBack(later.relayState, xml)).told).toMatchObject(INVALID);
  });

  it('posts nothing that was not asked for, by no state, an address or a made-up one', async () => {
    const { requestId } = await leave();
    for (const state of ['', 'https://evil.test', randomUUID()]) {
      const { url, told } = wordsOf(await comeBack(state, idp.answer({ requestId, ...ana() })));
      expect(told).toMatchObject(refused('saml_relay_state_not_found'));
      expect(url.origin).toBe(SITE_URL);
    }
  });

  it('leads nobody’s browser into the attacker’s account', async () => {
    const navigates = { 'sec-fetch-mode': 'navigate' };
    const stolen = await leave();
    const posted = await comeBack(
      stolen.relayState,
      idp.answer({ requestId: stolen.requestId, ...ana() }),
      service,
      navigates,
    );
    expect(wordsOf(posted).told).toMatchObject(refused('saml_relay_state_not_found'));
    const { requestId, relayState, cookie } = await leave();
    const headers = { ...navigates, cookie };
    const own = await comeBack(relayState, idp.answer({ requestId, ...ana() }), service, headers);
    expect(wordsOf(own).told).toMatchObject({ token_type: 'bearer' });
  });

  it('leads nobody to a place that is not allowed', async () => {
    const body = { domain, redirect_to: 'https://evil.test/x' };
    const { requestId, relayState } = await leave(service, body);
    const { url } = wordsOf(await comeBack(relayState, idp.answer({ requestId, ...ana() })));
    expect(url.origin).toBe(SITE_URL);
  });

  it('vouches for no address of a domain that is not its own', async () => {
    for (const email of ['ana@gmail.com', `ana@x.${domain}`, `ana@gmail.com@${domain}.test`])
      expect(await enter({ email })).toMatchObject(refused('saml_assertion_no_email'));
  });

  it('sends no document that unfolds', async () => {
    const { relayState } = await leave();
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>';
    expect(wordsOf(await comeBack(relayState, bomb)).told).toMatchObject(INVALID);
  });

  it.each(['', 'x', '<a/>', '<samlp:Response/>'])('gets nothing for %j', async (xml) => {
    const { relayState } = await leave();
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject(INVALID);
  });

  it('who is no operator registers, sees, changes and removes no organisation', async () => {
    const stranger = (await signIn(service, (await createPerson(service)).email)).access_token;
    const one = `/admin/sso/providers/${providerId}`;
    for (const line of [
      'GET /admin/sso/providers',
      'POST /admin/sso/providers',
      `GET ${one}`,
      `PUT ${one}`,
      `DELETE ${one}`,
    ])
      for (const given of [{ token: stranger }, {}])
        expect([401, 403]).toContain((await call(service, line, { ...given, body: {} })).status);
  });
});

describe('an answer that says too much', () => {
  const TOO_MUCH = refused('validation_failed', 'User metadata cannot be longer than 4096 bytes');
  const enterWith = (bytes: number) => enter({ attributes: { grupos: 'x'.repeat(bytes) } });

  it('opens no account', async () => {
    await mapAttributes({ groups: { name: 'grupos' } });
    expect(await enterWith(4096)).toMatchObject(TOO_MUCH);
    expect(await enterWith(1000)).toMatchObject({ token_type: 'bearer' });
  });

  it('lets in whoever has one, with what was said before', async () => {
    await mapAttributes({ groups: { name: 'grupos' } });
    await enterWith(10);
    const { access_token: own = '' } = await enterWith(4096);
    expect(decodeJwt(own)['user_metadata']).toMatchObject({ custom_claims: { groups: 'x'.repeat(10) } });
  });
});

describe('an answer that says too little', () => {
  it('is refused: without a lasting name, without an address', async () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    expect(await enter({ nameIdFormat })).toMatchObject(refused('saml_assertion_no_user_id'));
    expect(await enter({ email: '' })).toMatchObject(refused('saml_assertion_no_email'));
  });

  it('comes too late after ten minutes', async () => {
    const { requestId, relayState } = await leave();
    service.clock.advance(601);
    const xml = idp.answer({ requestId, ...ana() });
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject(refused('saml_relay_state_expired'));
  });
});

describe('an operator', () => {
  const post = (body: object) =>
    call(service, 'POST /admin/sso/providers', { token, body: { type: 'saml', ...body } });

  it('registers, lists, changes, shuts and removes an organisation, as on the platform', async () => {
    const line = `/admin/sso/providers/${providerId}`;
    const shown = await call(service, `GET ${line}`, { token });
    expect(shown.body).toMatchObject({
      id: providerId,
      disabled: false,
      saml: { entity_id: idp.entityId, metadata_xml: idp.metadata() },
      domains: [{ domain }],
    });
    const { items } = (await call(service, 'GET /admin/sso/providers', { token })).body as {
      items: { id: string; saml: object }[];
    };
    expect(items.find(({ id }) => id === providerId)?.saml).not.toHaveProperty('metadata_xml');
    const changed = await call(service, `PUT ${line}`, {
      token,
      body: { domains: ['NOVO.test'], disabled: true },
    });
    expect(changed.body).toMatchObject({ disabled: true, domains: [{ domain: 'novo.test' }] });
    expect(await call(service, 'POST /sso', { body: { domain } })).toMatchObject({
      status: 404,
      body: { code: 'sso_provider_not_found' },
    });
    expect(await call(service, 'POST /sso', { body: { domain: 'novo.TEST' } })).toMatchObject({
      body: { code: 'sso_provider_disabled' },
    });
    expect((await call(service, `DELETE ${line}`, { token })).body).toMatchObject({ id: providerId });
    expect(await call(service, `GET ${line}`, { token })).toMatchObject({ status: 404 });
  });

  it('keeps an organisation shut that another shuts while something else of it is changed', async () => {
    const line = `/admin/sso/providers/${providerId}`;
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('update auth.sso_providers set disabled = true where id = $1', [providerId]);
    const late = call(service, `PUT ${line}`, { token, body: { domains: [`novo.${domain}`] } });
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect((await late).body).toMatchObject({ disabled: true, domains: [{ domain: `novo.${domain}` }] });
    expect((await call(service, `GET ${line}`, { token })).body).toMatchObject({ disabled: true });
  });

  it('is told when an organisation is removed while it is changed', async () => {
    const line = `/admin/sso/providers/${providerId}`;
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('delete from auth.sso_providers where id = $1', [providerId]);
    const late = call(service, `PUT ${line}`, { token, body: { disabled: true } });
    await waitForLocks(service, 1);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 404, body: { code: 'sso_provider_not_found' } });
  });

  it('shuts an organisation out at once, also for whoever is on the way', async () => {
    const { requestId, relayState } = await leave();
    await call(service, `PUT /admin/sso/providers/${providerId}`, { token, body: { disabled: true } });
    const xml = idp.answer({ requestId, ...ana() });
    expect(wordsOf(await comeBack(relayState, xml)).told).toMatchObject(refused('sso_provider_disabled'));
  });

  it('bans one of its people', async () => {
    const { sub } = decodeJwt((await enter())['access_token'] ?? '');
    await call(service, `PUT /admin/users/${sub}`, { token, body: { ban_duration: '1h' } });
    expect(await enter()).toMatchObject(refused('user_banned'));
  });

  it('may let nobody new in', async () => {
    const own = await startAuthService({ settings: { saml: SAML, signUpEnabled: false } });
    onTestFinished(() => own.stop());
    await register(own, idp, { domains: [domain] });
    const { requestId, relayState } = await leave(own);
    const back = await comeBack(relayState, idp.answer({ requestId, ...ana() }), own);
    expect(wordsOf(back).told).toMatchObject(refused('signup_disabled'));
  });

  it('has hooks asked and told about somebody new, and nobody about who comes again', async () => {
    const receiver = await startHookReceiver();
    onTestFinished(() => receiver.stop());
    const hooks = {
      before_user_created: receiver.at('/antes'),
      after_user_created: receiver.at('/depois'),
    };
    const own = await startAuthService({ settings: { saml: SAML, hooks, hookPauseMs: 0 } });
    onTestFinished(() => own.stop());
    await register(own, idp, { domains: [domain] });
    const comeIn = async () => {
      const { requestId, relayState } = await leave(own);
      return wordsOf(await comeBack(relayState, idp.answer({ requestId, ...ana() }), own)).told;
    };
    receiver.answer(answerJson({ error: { http_code: 403, message: 'Só da casa' } }));
    expect(await comeIn()).toMatchObject({ error_description: 'Só da casa' });
    const { rowCount } = await own.admin.query('select from auth.users');
    expect(rowCount).toBe(0);
    receiver.answer(answerJson({}));
    receiver.forget();
    expect(await comeIn()).toMatchObject({ token_type: 'bearer' });
    await expect.poll(() => receiver.messages.map(({ path }) => path)).toEqual(['/antes', '/depois']);
    expect(JSON.parse(receiver.messages[0]?.body ?? '').user).toMatchObject({ email: ana().email });
    expect(await comeIn()).toMatchObject({ token_type: 'bearer' });
    expect(receiver.messages).toHaveLength(2);
  });

  it('is told what is wrong with what is registered', async () => {
    const other = await createIdentityProvider();
    const metadata_xml = other.metadata();
    const cases: [object, string][] = [
      [{ type: 'oidc', metadata_xml }, 'validation_failed'],
      [{}, 'validation_failed'],
      [{ metadata_xml, metadata_url: 'https://idp.test' }, 'validation_failed'],
      [{ metadata_url: 'http://idp.test/metadata' }, 'validation_failed'],
      [{ metadata_xml: '<a/>' }, 'validation_failed'],
      [{ metadata_xml: `<!DOCTYPE a>${metadata_xml}` }, 'validation_failed'],
      [{ metadata_xml: other.metadata({ certificate: 'AAAA' }) }, 'validation_failed'],
      [{ metadata_xml: other.metadata({ validUntil: '2020-01-01T00:00:00Z' }) }, 'validation_failed'],
      [{ metadata_xml: other.metadata({ inside: '<md:IDPSSODescriptor/>' }) }, 'validation_failed'],
      [{ metadata_xml, domains: ['não é'] }, 'validation_failed'],
      [{ metadata_xml, domains: ['bom.test', 'não é'] }, 'validation_failed'],
      [{ metadata_xml, name_id_format: 'x' }, 'validation_failed'],
      [{ metadata_xml, domains: [domain] }, 'sso_domain_already_exists'],
      [{ metadata_xml: idp.metadata() }, 'saml_idp_already_exists'],
    ];
    for (const [body, code] of cases)
      expect((await post(body)).body, JSON.stringify(body).slice(0, 90)).toMatchObject({ code });
    const changed = await call(service, `PUT /admin/sso/providers/${providerId}`, {
      token,
      body: { metadata_xml },
    });
    expect(changed).toMatchObject({ status: 400, body: { code: 'saml_entity_id_mismatch' } });
  });

  it('publishes metadata that say who we are, without the key', async () => {
    const { status, headers, body } = await call(service, 'GET /sso/saml/metadata');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/xml');
    for (const part of [
      `entityID="${OUR_ENTITY}"`,
      `Location="${OUR_ACS}"`,
      'WantAssertionsSigned="true"',
      'use="encryption"',
    ])
      expect(String(body)).toContain(part);
    expect(String(body)).not.toContain('PRIVATE');
    const copy = await startAuthService({ settings: { saml: SAML } });
    onTestFinished(() => copy.stop());
    expect((await call(copy, 'GET /sso/saml/metadata')).body).toBe(body);
  });

  it('who says nothing has none', async () => {
    const off = await startAuthService({ settings: {} satisfies Partial<AuthSettings> });
    onTestFinished(() => off.stop());
    const none = { status: 404, body: { code: 'saml_provider_disabled' } };
    const asOperator = { token: off.keyring.serviceRoleKey };
    expect(await call(off, 'POST /sso', { body: { domain } })).toMatchObject(none);
    expect(await call(off, 'GET /sso/saml/metadata')).toMatchObject(none);
    expect(await call(off, 'POST /sso/saml/acs', { body: {} })).toMatchObject(none);
    expect(await call(off, 'GET /admin/sso/providers', asOperator)).toMatchObject(none);
    expect((await call(off, 'GET /settings')).body).toMatchObject({ saml_enabled: false });
  });

  it.each([
    [{}, 'A provider_id or domain needs to be provided'],
    [{ domain: 'a.test', provider_id: randomUUID() }, 'Only one of provider_id or domain supported'],
  ])('is asked for one organisation: %j', async (body, message) => {
    expect(await call(service, 'POST /sso', { body })).toMatchObject({ status: 400, body: { message } });
  });

  it.each(['x', randomUUID()])('is asked for none that is not there: %s', async (provider_id) => {
    expect(await call(service, 'POST /sso', { body: { provider_id } })).toMatchObject({
      status: 404,
      body: { code: 'sso_provider_not_found' },
    });
  });

  it('sends a browser by itself where nobody asks for the address', async () => {
    const reply = await call(service, 'POST /sso', { body: { provider_id: providerId } });
    expect(reply.status).toBe(303);
    expect(String(reply.headers['location'])).toContain(idp.ssoUrl);
    expect(String(reply.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=None; Secure/);
  });
});
