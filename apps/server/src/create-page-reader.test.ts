import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPageReader } from './create-page-reader.ts';
import type { ReadPage } from './services/api/linkding/page-text.ts';
import {
  CLOSED_ACCOUNT,
  startFunctions,
  type TestFunctions,
} from './services/functions/test-support/start-functions.ts';

const PROJECT = fileURLToPath(new URL('../../../supabase', import.meta.url));

let functions: TestFunctions;
let readPage: ReadPage;
beforeAll(async () => {
  functions = await startFunctions(
    {
      shared: [join(PROJECT, '../packages/domain/src')],
      preload: [
        fileURLToPath(new URL('services/functions/test-support/provide-test-internet.ts', import.meta.url)),
      ],
    },
    PROJECT,
  );
  const { app, keyring } = functions;
  // The process of the function is there before anybody's patience runs.
  await fetch(`${functions.url}/link-preview`, { method: 'OPTIONS' });
  readPage = createPageReader({ server: app.server, keyring, now: () => new Date() });
});
afterAll(() => functions.stop());

it('reads what a page says of itself', async () => {
  expect(await readPage('maria', 'https://exemplo.com/')).toMatchObject({
    title: expect.stringContaining('Visita'),
    description: null,
  });
});

it.each(['http://127.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'javascript:alert(1)', ''])(
  'opens no address that is no page of the internet: %j',
  async (url) => {
    expect(await readPage('maria', url)).toBeUndefined();
  },
);

it('opens nothing for a person whose account is closed', async () => {
  expect(await readPage(CLOSED_ACCOUNT, 'https://exemplo.com/')).toBeUndefined();
});

it('opens sixty pages a minute of a person, and goes on without them', async () => {
  const pages: unknown[] = [];
  for (let batch = 0; batch < 6; batch += 1) {
    const asked = Array.from({ length: 10 }, (_, at) =>
      readPage('ana', `https://exemplo.com/${batch}-${at}`),
    );
    pages.push(...(await Promise.all(asked)));
  }
  expect(pages).not.toContain(undefined);
  expect(await readPage('ana', 'https://exemplo.com/')).toBeUndefined();
});

it('finds nothing where nobody listens', async () => {
  const { keyring } = functions;
  for (const address of [null, { address: '127.0.0.1', family: 'IPv4', port: 1 }]) {
    const reader = createPageReader({ server: { address: () => address }, keyring, now: () => new Date() });
    expect(await reader('maria', 'https://exemplo.com/')).toBeUndefined();
  }
});
