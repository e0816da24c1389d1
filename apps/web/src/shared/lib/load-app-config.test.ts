import { expect, test } from 'vitest';
import { loadAppConfig } from './load-app-config.ts';

const load = (body: object) =>
  loadAppConfig(async () =>
    Response.json({ supabaseUrl: 'https://x.example/', supabaseAnonKey: 'k', ...body }),
  );

test('every provider whose flag is on can sign people in, and no other', async () => {
  const config = await load({
    googleEnabled: true,
    acmeEnabled: true,
    otherEnabled: false,
    oddEnabled: 'yes',
  });
  expect(config.signInProviders).toEqual(['google', 'acme']);
  expect((await load({})).signInProviders).toEqual([]);
});

test('a host that does not say where the services are is an error', async () => {
  await expect(load({ supabaseUrl: '' })).rejects.toThrow();
  await expect(loadAppConfig(async () => new Response('', { status: 404 }))).rejects.toThrow('404');
});
