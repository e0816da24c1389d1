import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogLine, startFunctions, type TestFunctions } from './test-support/start-functions.ts';

const PROJECT = fileURLToPath(new URL('../../../../../supabase', import.meta.url));

let functions: TestFunctions;
beforeAll(async () => {
  functions = await startFunctions(
    {
      shared: [join(PROJECT, '../packages/domain/src')],
      preload: [fileURLToPath(new URL('test-support/provide-test-internet.ts', import.meta.url))],
    },
    PROJECT,
  );
});
afterAll(() => functions.stop());

async function preview(sub: string, url: string) {
  const headers = await functions.authorize(sub);
  return await functions.app.inject({
    method: 'POST',
    url: '/functions/v1/link-preview',
    headers,
    payload: { url },
  });
}

test('a preview is logged with its request, person and host, and nothing else of the address', async () => {
  const response = await preview('clara', 'https://exemplo.com/segredo?chave=1');
  expect(response.json()).toEqual({
    url: 'https://exemplo.com/segredo?chave=1',
    title: expect.stringContaining('Visita'),
    description: null,
  });
  // Lines of earlier calls may still be on their way from the function's process.
  const isHers = ({ details }: LogLine) => (details as { person?: string } | undefined)?.person === 'clara';
  const lines = () => functions.logged.filter(isHers);
  await eventually(() => expect(lines()).toHaveLength(1));
  expect(lines()).toEqual([
    {
      level: 'info',
      message: 'link preview',
      function: 'link-preview',
      reqId: expect.stringMatching(/\S/),
      details: {
        person: 'clara',
        host: 'exemplo.com',
        outcome: 'fetched',
        milliseconds: expect.any(Number),
      },
    },
  ]);
});

test('an address that several people save is fetched once', async () => {
  const first = await preview('maria', 'https://exemplo.com/noticia');
  const second = await preview('joana', 'https://exemplo.com/noticia');
  expect(first.json().title).toMatch(/^Visita \d+$/);
  expect(second.json().title).toBe(first.json().title);
});

test('a person may ask sixty times a minute', async () => {
  const answers = await Promise.all(
    Array.from({ length: 61 }, (_, at) => preview('ana', `https://exemplo.com/${at}`)),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(refused?.json().error).toMatch(/^Muitos pedidos em pouco tempo\. Tente de novo em \d+ segundos?\.$/);
});

test('a visitor’s key gets no preview, and a private address none for anybody', async () => {
  const authorization = `Bearer ${functions.keyring.anonKey}`;
  const asked = { method: 'POST', url: '/functions/v1/link-preview', headers: { authorization } } as const;
  const visitor = await functions.app.inject({ ...asked, payload: { url: 'https://exemplo.com/' } });
  expect(visitor.statusCode).toBe(401);
  expect((await preview('maria', 'http://127.0.0.1/')).json()).toEqual({
    error: 'Este endereço não está na internet pública',
  });
});
