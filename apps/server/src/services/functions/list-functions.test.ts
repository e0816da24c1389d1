import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../kernel/keyring.ts';
import { createFunctionsService } from './create-functions-service.ts';
import { listFunctions } from './list-functions.ts';

let keyring: Keyring;
let app: FastifyInstance;
const logged: object[] = [];
let fetches = 0;

async function* page(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<title>Olá</title>');
}
beforeAll(async () => {
  keyring = await createKeyring({ secrets: ['a secret that only the tests of functions use'] });
  app = fastify();
  const functions = listFunctions({
    logger: { info: (line: object) => void logged.push(line) },
    fetchPage: async () => {
      fetches += 1;
      return { status: 200, headers: new Headers({ 'content-type': 'text/html' }), body: page() };
    },
  });
  await app.register(createFunctionsService({ keyring, now: () => new Date(), functions }), {
    prefix: '/functions/v1',
  });
});
afterAll(() => app.close());

async function preview(sub: string, url: string) {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const token = await keyring.signAccessToken({ sub, role: 'authenticated', exp });
  const headers = { authorization: `Bearer ${token}` };
  return await app.inject({ method: 'POST', url: '/functions/v1/link-preview', headers, payload: { url } });
}

test('a preview is logged with its request, person and host, and nothing else of the address', async () => {
  const response = await preview('maria', 'https://exemplo.com/segredo?chave=1');
  expect(response.json()).toEqual({
    url: 'https://exemplo.com/segredo?chave=1',
    title: 'Olá',
    description: null,
  });
  expect(logged).toEqual([
    {
      reqId: expect.stringMatching(/\S/),
      person: 'maria',
      host: 'exemplo.com',
      outcome: 'fetched',
      milliseconds: expect.any(Number),
    },
  ]);
});

test('an address that several people save is fetched once', async () => {
  const before = fetches;
  await preview('maria', 'https://exemplo.com/noticia');
  await preview('joana', 'https://exemplo.com/noticia');
  expect(fetches - before).toBe(1);
});

test('a person may ask sixty times a minute', async () => {
  const answers = await Promise.all(
    Array.from({ length: 61 }, (_, at) => preview('ana', `https://exemplo.com/${at}`)),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(refused?.json().error).toMatch(/^Muitos pedidos em pouco tempo\. Tente de novo em \d+ segundos?\.$/);
});
