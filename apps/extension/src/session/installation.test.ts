import { describe, expect, test } from 'vitest';
import { loadInstallation, NoInstallation, permissionOf, readOrigin } from './installation.ts';

test.each([
  ['links.exemplo.com.br', 'https://links.exemplo.com.br'],
  [' https://links.exemplo.com.br/dashboard?a=1#b ', 'https://links.exemplo.com.br'],
  ['http://intranet.local:8080/', 'http://intranet.local:8080'],
  ['localhost:3000', 'http://localhost:3000'],
  ['https://localhost:3000', 'https://localhost:3000'],
  ['javascript:alert(1)', null],
  ['uma palavra', null],
  ['', null],
])('the address %j is the origin %j', (typed, origin) => {
  expect(readOrigin(typed)).toBe(origin);
});

test('the browser is asked for the one host alone', () => {
  expect(permissionOf('http://intranet.local:8080')).toEqual({ origins: ['http://intranet.local/*'] });
});

describe('an installation', () => {
  const answer =
    (body: unknown, status = 200): typeof fetch =>
    async () =>
      Response.json(body, { status });
  const settings = { supabaseUrl: 'https://a.example/', supabaseAnonKey: 'chave' };

  test('is known by its settings', async () => {
    expect(await loadInstallation('https://a.example', answer(settings))).toEqual({
      origin: 'https://a.example',
      servicesUrl: 'https://a.example',
      anonKey: 'chave',
      clientId: null,
    });
    const registered = { ...settings, extensionClientId: 'b1f1c8ce' };
    expect(await loadInstallation('https://a.example', answer(registered))).toMatchObject({
      clientId: 'b1f1c8ce',
    });
  });

  test.each([
    ['another page', { hello: 'world' }, 200],
    ['no settings', null, 200],
    ['an error', settings, 404],
    ['services that are no address', { ...settings, supabaseUrl: 'nada' }, 200],
    ['services without encryption', { ...settings, supabaseUrl: 'http://a.example' }, 200],
  ])('is not %s', async (_name, body, status) => {
    await expect(loadInstallation('https://a.example', answer(body, status))).rejects.toThrow(NoInstallation);
  });

  test('is not a page in the place of settings', async () => {
    const page: typeof fetch = async () => new Response('<!doctype html>');
    await expect(loadInstallation('https://a.example', page)).rejects.toThrow(NoInstallation);
  });
});
