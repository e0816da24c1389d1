import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';
import { type WrittenProject, writeProject } from './test-support/write-project.ts';

let project: WrittenProject | undefined;
let functions: TestFunctions | undefined;
afterEach(async () => {
  await functions?.stop();
  project?.remove();
  functions = project = undefined;
});

const OPEN = (name: string) => `[functions.${name}]\nverify_jwt = false\n`;
const serve = (text: string) => `Deno.serve(() => new Response(${JSON.stringify(text)}));`;

async function start(
  files: Readonly<Record<string, string>>,
  deps: Parameters<typeof startFunctions>[0] = {},
) {
  project = writeProject(files);
  functions = await startFunctions(deps, project.path);
  return { project, functions };
}
const ask = async ({ url }: TestFunctions, name: string) => {
  const response = await fetch(`${url}/${name}`);
  return { status: response.status, text: await response.text() };
};

test('a folder and an entry in config.toml are all that a function needs', async () => {
  const { functions } = await start({
    'config.toml': OPEN('greeting'),
    'functions/greeting/index.ts': serve('olá'),
  });
  expect(await ask(functions, 'greeting')).toEqual({ status: 200, text: 'olá' });
});

test('a folder without an entry asks for a token', async () => {
  const { functions } = await start({ 'functions/greeting/index.ts': serve('olá') });
  expect((await ask(functions, 'greeting')).status).toBe(401);
});

test('what a function has fetched it hands on as it is, however it was packed', async () => {
  const text = 'olá, mundo '.repeat(200);
  const codings: Record<string, Uint8Array> = { gzip: gzipSync(text), unknown: Buffer.from(text) };
  const site = createServer(({ url = '' }, response) => {
    const [, coding = ''] = url.split('/');
    const packed = codings[coding] ?? '';
    response.setHeader('content-encoding', coding).setHeader('content-length', packed.length).end(packed);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    site.close();
    site.closeAllConnections();
  });
  const from = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const { functions } = await start({
    'config.toml': ['relay', 'copy', 'twice', 'packed', 'head'].map(OPEN).join(''),
    'functions/relay/index.ts': `Deno.serve(() => fetch('${from}/gzip'));`,
    'functions/copy/index.ts': `
      Deno.serve(async () => {
        const { body, headers, status } = await fetch('${from}/gzip');
        return new Response(body, { status, headers });
      });`,
    'functions/twice/index.ts': `Deno.serve(async () => (await fetch('${from}/gzip')).clone());`,
    'functions/head/index.ts': `Deno.serve(() => fetch('${from}/gzip', { method: 'HEAD' }));`,
    'functions/packed/index.ts': `
      Deno.serve(async () => {
        const { body, headers } = await fetch('${from}/unknown');
        return new Response(body, { headers: { 'x-coding': headers.get('content-encoding') } });
      });`,
  });
  for (const name of ['relay', 'copy', 'twice'])
    expect(await ask(functions, name)).toEqual({ status: 200, text });
  expect(await ask(functions, 'head')).toEqual({ status: 200, text: '' });
  expect((await fetch(`${functions.url}/packed`)).headers.get('x-coding')).toBe('unknown');
});

describe('imports', () => {
  test('follow the function’s deno.json and npm: specifiers, and take what the platform’s bundler takes', async () => {
    const { functions } = await start({
      'config.toml': OPEN('imports'),
      'functions/_shared/greet.ts': `
        enum Greeting { Morning = 'Bom dia' }
        export class Greeter { constructor(private name: string) {} greet() { return Greeting.Morning + ', ' + this.name } }`,
      'functions/imports/deno.json':
        '{ "imports": { "ipaddr.js": "npm:ipaddr.js@2.5.0", "shared/": "../_shared/" } }',
      'functions/imports/index.ts': `
        import 'jsr:@supabase/functions-js/edge-runtime.d.ts';
        import ipaddr from 'ipaddr.js';
        import { createClient } from 'npm:@supabase/supabase-js@2';
        import { Greeter } from 'shared/greet.ts';
        import words from './words.json' with { type: 'json' };
        Deno.serve(() => Response.json([ipaddr.isValid('::1'), typeof createClient, new Greeter('Maria').greet(), words]));`,
      'functions/imports/words.json': '["do arquivo"]',
    });
    const { text } = await ask(functions, 'imports');
    expect(JSON.parse(text)).toEqual([true, 'function', 'Bom dia, Maria', ['do arquivo']]);
  });

  test('name packages as other registries do, where npm has them and they are installed', async () => {
    const { functions } = await start({
      'config.toml': OPEN('imports'),
      'functions/imports/index.ts': `
        import { serve } from 'https://deno.land/std@0.168.0/http/server.ts';
        import { createClient } from 'https://esm.sh/@supabase/supabase-js@2?target=deno&no-check';
        import { createClient as same } from 'jsr:@supabase/supabase-js@2';
        import { corsHeaders } from 'jsr:@supabase/supabase-js@^2/cors';
        import ipaddr from 'https://esm.sh/ipaddr.js@2.5.0';
        await serve(() => Response.json([createClient === same, typeof corsHeaders, ipaddr.isValid('::1')]));`,
    });
    const { text } = await ask(functions, 'imports');
    expect(JSON.parse(text)).toEqual([true, 'object', true]);
  });

  test('of the platform’s old server hand errors on, and take no second handler', async () => {
    const { functions } = await start({
      'config.toml': OPEN('old'),
      'functions/old/index.ts': `
        import { serve } from 'https://deno.land/std/http/server.ts';
        serve((request) => { throw new Error(new URL(request.url).pathname); },
          { onError: (error) => new Response('falhou: ' + error.message, { status: 418 }) });`,
    });
    expect(await ask(functions, 'old')).toEqual({ status: 418, text: 'falhou: /old' });
  });

  test('may be named in a map that config.toml names, or that all functions share', async () => {
    const { functions } = await start(
      {
        'config.toml': `${OPEN('named')}import_map = "./maps/named.json"\n${OPEN('shared')}`,
        'maps/named.json': '{ "imports": { "word": "./word.ts" } }',
        'maps/word.ts': 'export const word = "do mapa"',
        'functions/deno.json': '{ "imports": { "ip": "npm:ipaddr.js" } }',
        'functions/named/index.ts': `import { word } from 'word'; Deno.serve(() => new Response(word));`,
        'functions/shared/index.ts': `import ip from 'ip'; Deno.serve(() => new Response(String(ip.isValid('::1'))));`,
      },
      { shared: [] },
    );
    expect((await ask(functions, 'shared')).text).toBe('true');
    // The map lies outside of the folders that functions may read.
    expect((await ask(functions, 'named')).status).toBe(503);
  });

  test.each([
    ['npm:ipaddr.js@1.0.0', 'npm:ipaddr.js@1.0.0 is asked for, but 2.5.0 is installed'],
    ['https://esm.sh/left-pad', 'https://esm.sh/left-pad cannot be imported here'],
    ['https://esm.sh/ipaddr.js@1.0.0', 'npm:ipaddr.js@1.0.0 is asked for, but 2.5.0 is installed'],
    ['https://deno.land/std/http/cookie.ts', 'https://deno.land/std/http/cookie.ts cannot be imported here'],
    ['jsr:@std/assert', 'jsr:@std/assert cannot be imported here'],
    ['jsr:@supabase/not-there', 'nothing is downloaded'],
    ['./not-there.ts', 'not-there.ts'],
    ['npm:not-installed-anywhere', 'not-installed-anywhere'],
  ])('of %s keep a function from loading, and the log says why', async (specifier, reason) => {
    const { functions } = await start({
      'config.toml': OPEN('broken'),
      'functions/broken/index.ts': `import '${specifier}'; ${serve('não')}`,
    });
    expect((await ask(functions, 'broken')).status).toBe(503);
    const line = functions.logged.find(({ message }) => message === 'function could not be loaded');
    expect(line?.['failure']).toMatchObject({ message: expect.stringContaining(reason) });
  });
});

describe('a function that cannot be loaded', () => {
  test.each([
    ['throws', 'throw new Error("a secret reason")'],
    ['serves nothing', 'export const nothing = true'],
    ['is no program', 'const = ;'],
    ['never finishes loading', 'await new Promise(() => undefined)'],
    ['never lets go', 'for (;;);'],
    ['ends the process', 'process.exit(0)'],
  ])('because it %s is 503 without its reasons', async (_kind, code) => {
    const { functions } = await start(
      { 'config.toml': OPEN('broken'), 'functions/broken/index.ts': code },
      { limits: { bootMs: 1_500 } },
    );
    const { status, text } = await ask(functions, 'broken');
    expect([status, JSON.parse(text)]).toEqual([
      503,
      expect.objectContaining({
        code: 'BOOT_ERROR',
        message: expect.any(String),
        error: expect.stringMatching(/\S/),
      }),
    ]);
    expect(text).not.toContain('secret');
    const again = performance.now();
    expect((await ask(functions, 'broken')).status).toBe(503);
    expect(performance.now() - again).toBeLessThan(1_400);
  });
});

describe('in development', () => {
  test('the next call runs the code as it is now; in production the code that was there at first', async () => {
    const { functions, project } = await start(
      { 'config.toml': OPEN('greeting'), 'functions/greeting/index.ts': serve('antes') },
      { reload: true },
    );
    expect((await ask(functions, 'greeting')).text).toBe('antes');
    project.write('functions/greeting/index.ts', serve('depois de uma mudança'));
    expect((await ask(functions, 'greeting')).text).toBe('depois de uma mudança');
    project.write('functions/new/index.ts', serve('nova'));
    project.write('config.toml', `${OPEN('greeting')}${OPEN('new')}`);
    expect((await ask(functions, 'new')).text).toBe('nova');
    project.write('config.toml', 'isto não é TOML');
    expect((await ask(functions, 'new')).text).toBe('nova');
    expect(functions.logged.at(-1)).toMatchObject({ message: 'the functions could not be read again' });

    const lasting = await startFunctions({}, project.path).catch((error: unknown) => String(error));
    expect(lasting).toContain('config.toml não pôde ser lido (linha 1');
  });

  test('not so without it', async () => {
    const { functions, project } = await start({
      'config.toml': OPEN('greeting'),
      'functions/greeting/index.ts': serve('antes'),
    });
    expect((await ask(functions, 'greeting')).text).toBe('antes');
    project.write('functions/greeting/index.ts', serve('depois'));
    expect((await ask(functions, 'greeting')).text).toBe('antes');
  });
});

describe('a wrong description', () => {
  test.each([
    ['[functions.a]\nverify_jwt = "no"', 'functions.a.verify_jwt deve ser true ou false'],
    ['[functions.a]\nverify_jwt = false', 'A função a'],
    ['[edge_runtime.secrets]\nSUPABASE_URL = "x"', 'não pode começar com SUPABASE_'],
    ['[functions', 'linha 1'],
  ])('%j keeps the server from starting, with the reason', async (config, reason) => {
    project = writeProject({ 'config.toml': config });
    await expect(startFunctions({}, project.path)).rejects.toThrow(reason);
  });

  test('of secrets as well', async () => {
    project = writeProject({
      'config.toml': '[edge_runtime.secrets]\nOWN_KEY = "x"',
      'functions/a/index.ts': serve('a'),
      'functions/a/limits.toml': 'secrets = ["OWN_KEY", "SUPABASE_DB_URL", "JWT_SECRET"]',
    });
    await expect(startFunctions({}, project.path)).rejects.toThrow('pede o segredo JWT_SECRET');
  });

  test('of limits as well', async () => {
    project = writeProject({
      'functions/a/index.ts': serve('a'),
      'functions/a/limits.toml': '[person]\ncalls = 0\nseconds = 1.5',
    });
    await expect(startFunctions({}, project.path)).rejects.toThrow('person.calls deve ser um número inteiro');
  });
});

test('work that goes on after the answer keeps the process, and its failure ends nothing', async () => {
  const { functions } = await start(
    {
      'config.toml': OPEN('later'),
      'functions/later/index.ts': `
        Deno.serve(() => {
          EdgeRuntime.waitUntil(new Promise((resolve) => setTimeout(resolve, 1_500)).then(() => console.info('feito')));
          EdgeRuntime.waitUntil(Promise.reject(new Error('em vão')));
          return new Response('já');
        });`,
    },
    // What a worker says of itself may come by way of another process, and behind its answer.
    { limits: { retireAfterMs: 1_000 } },
  );
  expect((await ask(functions, 'later')).text).toBe('já');
  await eventually(() => expect(functions.logged.map(({ message }) => message)).toContain('feito'));
  expect(functions.logged).toContainEqual(
    expect.objectContaining({
      message: 'background work failed',
      failure: expect.objectContaining({ message: 'em vão' }),
    }),
  );
});

test('a setting of nothing but blanks is not there for a function either', async () => {
  const { functions } = await start(
    {
      'config.toml': `${OPEN('days')}[edge_runtime.secrets]\nOWN_DAYS = "env(OWN_DAYS)"\n`,
      'functions/days/limits.toml': 'secrets = ["OWN_DAYS"]',
      'functions/days/index.ts': `Deno.serve(() => Response.json(Number(Deno.env.get('OWN_DAYS') || 30)));`,
    },
    { environment: () => ({ OWN_DAYS: ' ' }) },
  );
  expect(await ask(functions, 'days')).toEqual({ status: 200, text: '30' });
});
