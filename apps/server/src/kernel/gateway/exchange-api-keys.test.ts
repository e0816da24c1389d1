import type { IncomingHttpHeaders } from 'node:http';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../keyring.ts';
import { generateApiKey } from '../keys/api-keys.ts';
import { exchangeApiKeys } from './exchange-api-keys.ts';

const keyring = await createKeyring({ secrets: ['a-secret-of-enough-characters-for-hs256'] });
const [publishable = ''] = keyring.apiKeys.publishable;
const [secret = ''] = keyring.apiKeys.secret;
const anon = `Bearer ${keyring.anonKey}`;
const service = `Bearer ${keyring.serviceRoleKey}`;
const person = `Bearer ${await keyring.signAccessToken({ sub: 'ana', role: 'authenticated' })}`;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' };

/** What a service of the gateway is told, or the status and message of the refusal. */
async function ask(headers: IncomingHttpHeaders, url = '/rest/v1/links', method: 'GET' | 'OPTIONS' = 'GET') {
  const app = fastify();
  exchangeApiKeys(app, keyring);
  app.route({
    method: ['GET', 'OPTIONS'],
    url: '/*',
    handler: async ({ headers: told, raw }) => ({
      authorization: told.authorization ?? null,
      sent: raw.headers.authorization ?? null,
    }),
  });
  const response = await app.inject({ method, url, headers: headers as Record<string, string> });
  await app.close();
  const body = response.json<{ authorization?: string | null; sent?: string | null; message?: string }>();
  return response.statusCode === 200 ? body.authorization : `${response.statusCode} ${body.message}`;
}

describe('a publishable or secret key', () => {
  it.each([
    ['alone', { apikey: publishable }, anon],
    ['alone, secret', { apikey: secret }, service],
    [
      'twice, as the published client sends it',
      { apikey: publishable, authorization: `Bearer ${publishable}` },
      anon,
    ],
    ['twice, secret', { apikey: secret, authorization: `bearer  ${secret}` }, service],
    ['beside a person’s token', { apikey: publishable, authorization: person }, person],
    ['secret, beside a person’s token', { apikey: secret, authorization: person }, person],
    ['beside an empty token', { apikey: publishable, authorization: 'Bearer ' }, anon],
    ['secret, beside an empty token', { apikey: secret, authorization: 'bearer' }, service],
    ['beside an empty header', { apikey: publishable, authorization: '' }, anon],
  ])('becomes the token of its role where there is no person’s: %s', async (_name, headers, told) => {
    expect(await ask(headers)).toBe(told);
  });

  it.each([
    ['nothing', {}, null],
    ['an older key', { apikey: keyring.anonKey, authorization: service }, service],
    ['an older key alone', { apikey: keyring.anonKey }, null],
    ['a text that is no key', { apikey: 'sb_temp_x', authorization: person }, person],
  ])('is not looked for where there is none: %s', async (_name, headers, told) => {
    expect(await ask(headers)).toBe(told);
  });

  it.each([
    ['unknown', { apikey: generateApiKey('secret') }, '401 Unregistered API key'],
    [
      'unknown, beside a person’s token',
      { apikey: generateApiKey('publishable'), authorization: person },
      '401 Unregistered API key',
    ],
    ['half', { apikey: secret.slice(0, -4) }, '401 Unregistered API key'],
    ['where a person’s token belongs', { authorization: `Bearer ${secret}` }, '401 Invalid API key'],
    [
      'another where a person’s token belongs',
      { apikey: publishable, authorization: `Bearer ${secret}` },
      '401 Invalid API key',
    ],
    [
      'beside an older key',
      { apikey: keyring.anonKey, authorization: `Bearer ${secret}` },
      '401 Invalid API key',
    ],
    [
      'secret, in a browser',
      { apikey: secret, ...BROWSER },
      '401 Forbidden use of secret API key in browser',
    ],
    [
      'secret, in a browser, beside a person’s token',
      { apikey: secret, authorization: person, ...BROWSER },
      '401 Forbidden use of secret API key in browser',
    ],
  ])('is refused %s', async (_name, headers, refusal) => {
    expect(await ask(headers)).toBe(refusal);
  });

  it('is for browsers where it is publishable', async () => {
    expect(await ask({ apikey: publishable, ...BROWSER })).toBe(anon);
  });

  it('is left to functions as it was sent, which compare it themselves', async () => {
    expect(await ask({ authorization: `Bearer ${secret}` }, '/functions/v1/check-links')).toBe(
      `Bearer ${secret}`,
    );
    expect(await ask({ apikey: generateApiKey('secret') }, '/functions/v1/check-links')).toMatch(/^401/);
  });

  it('is nothing to pages, and never asked of a preflight', async () => {
    expect(await ask({ apikey: generateApiKey('secret') }, '/entrar')).toBeNull();
    expect(await ask({ apikey: generateApiKey('secret') }, '/rest/v1/links', 'OPTIONS')).toBeNull();
  });

  it('that is refused is answered to clients of every service, and by no cache', async () => {
    const app = fastify();
    exchangeApiKeys(app, keyring);
    const response = await app.inject({ url: '/rest/v1/links', headers: { apikey: 'sb_secret_x' } });
    await app.close();
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({
      message: 'Unregistered API key',
      hint: expect.stringContaining('not registered'),
      statusCode: '401',
    });
  });
});
