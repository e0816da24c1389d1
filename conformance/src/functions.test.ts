import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import {
  FunctionRegion,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
} from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { type Client, createVisitor } from './support/create-visitor.ts';
import { readKeys } from './support/read-keys.ts';
import type { Deployment } from './support/start-deployment.ts';

/** Functions that somebody has put into a folder of their own. */
const FUNCTIONS = `${PROJECT_FOLDER}/apps/server/src/services/functions/test-support/project/functions`;

let data: DataFolder;
let server: ServerProcess;
let deployment: Deployment;
let person: Person;
let client: Client;
beforeAll(async () => {
  data = await createDataFolder();
  const port = await findFreePort();
  server = await startServerProcess({
    dataFolder: data.path,
    port,
    environment: { FUNCTIONS_DIR: FUNCTIONS, LOG_LEVEL: 'info', API_KEY: 'never for functions' },
  });
  deployment = {
    ...(await readKeys({ dataFolder: data.path, port })),
    url: server.url,
    dataFolder: data.path,
  };
  person = await createPerson(deployment);
  client = person.client;
});
afterAll(async () => {
  await server?.stop();
  await data?.remove();
});

const invoke = (name: string, options?: Parameters<Client['functions']['invoke']>[1]) =>
  client.functions.invoke(name, options);

describe('a body', () => {
  const bytes = new Uint8Array([0, 1, 254, 255]);
  const form = new FormData();
  form.set('nome', 'João');

  test.each([
    ['an object', { a: 'ç' }, 'application/json', '{"a":"ç"}'],
    ['a text', 'olá', 'text/plain;charset=UTF-8', 'olá'],
    ['a Blob', new Blob(['bolha'], { type: 'image/png' }), 'image/png', 'bolha'],
    ['a File', new File(['arquivo'], 'a.csv', { type: 'text/csv' }), 'text/csv', 'arquivo'],
    ['bytes', new TextEncoder().encode('cru').buffer, 'application/octet-stream', 'cru'],
    ['a form', form, 'multipart/form-data', 'João'],
    ['nothing', undefined, undefined, ''],
  ])('that is %s arrives as it is', async (_kind, body, type, text) => {
    const { data: seen, error } = await invoke('echo', body === undefined ? {} : { body });
    expect(error).toBeNull();
    expect(seen.method).toBe('POST');
    if (type) expect(seen.headers['content-type'].toLowerCase()).toContain(type.toLowerCase().split(';')[0]);
    expect(seen.body).toContain(text);
    expect(seen.headers.authorization).toMatch(/^Bearer ey/);
  });

  test('of bytes that are no text is not changed', async () => {
    const { data: seen } = await invoke('streams/count', { body: bytes.buffer });
    expect(seen).toEqual({ bytes: 4 });
  });

  test('that is a stream is answered while it still comes', async () => {
    const source = new TransformStream<Uint8Array, Uint8Array>();
    const writer = source.writable.getWriter();
    const asked = fetch(`${deployment.url}/functions/v1/streams/upper`, {
      method: 'POST',
      body: source.readable,
      duplex: 'half',
    } as RequestInit);
    void writer.write(new TextEncoder().encode('primeiro'));
    const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('PRIMEIRO');
    void writer.close();
    expect((await reader?.read())?.done).toBe(true);
  });

  test('beyond ten megabytes is refused', async () => {
    const { error } = await invoke('echo', { body: 'x'.repeat(11 * 1024 * 1024) });
    expect(error).toBeInstanceOf(FunctionsHttpError);
    expect(error.context.status).toBe(413);
  });
});

describe('an answer', () => {
  test('of JSON is parsed', async () => {
    expect((await invoke('replies/json')).data).toEqual({ ok: 'sim' });
  });

  test.each([
    ['bytes', new Uint8Array([0, 255, 1])],
    ['pdf', new TextEncoder().encode('%PDF-1.7')],
  ])('of %s is a Blob', async (kind, bytes) => {
    const { data: blob } = await invoke(`replies/${kind}`);
    expect(blob).toBeInstanceOf(Blob);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  });

  test('of events is the response itself, to be read as it comes', async () => {
    const { data: response } = await invoke('streams/ticks');
    expect(response).toBeInstanceOf(Response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/^data: 1\n\n/);
    await reader.cancel();
    await vi.waitFor(async () => expect((await invoke('streams/last')).data.cancelled).toBe(true), 10_000);
  });

  test('of a form is a form', async () => {
    const { data: form } = await invoke('replies/form');
    expect([form.get('nome'), await form.get('arquivo').text()]).toEqual(['Maria', 'olá']);
  });

  test.each([
    ['text', 'olá'],
    ['nothing', ''],
  ])('of %s is text', async (kind, text) => {
    expect(await invoke(`replies/${kind}`)).toMatchObject({ data: text, error: null });
  });

  test('of megabytes is whole', async () => {
    expect((await invoke('replies/large')).data).toHaveLength(3_000_000);
  });
});

describe('a call', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('may use %s', async (method) => {
    const { data: seen } = await invoke('echo', { method });
    expect(seen.method).toBe(method);
  });

  test('may name a region, and has its headers', async () => {
    const { data: seen } = await invoke('echo', {
      region: FunctionRegion.SaEast1,
      headers: { 'x-own': 'sim', 'content-type': 'application/vnd.linkoteca' },
      body: 'corpo',
    });
    expect(seen.headers).toMatchObject({
      'x-region': 'sa-east-1',
      'x-own': 'sim',
      'content-type': 'application/vnd.linkoteca',
    });
    expect(new URL(seen.url).searchParams.get('forceFunctionRegion')).toBe('sa-east-1');
  });

  test('that is broken off is a FunctionsFetchError, and the function hears of it', async () => {
    const leaving = new AbortController();
    const asked = invoke('streams/silent?call=left', { signal: leaving.signal });
    const heard = async () => (await invoke('streams/last?call=left')).data;
    await vi.waitFor(async () => expect(await heard()).toMatchObject({ aborted: false }), 10_000);
    leaving.abort();
    expect((await asked).error).toBeInstanceOf(FunctionsFetchError);
    await vi.waitFor(async () => expect(await heard()).toMatchObject({ aborted: true }), 10_000);
    expect((await invoke('streams/silent', { timeout: 200 })).error).toBeInstanceOf(FunctionsFetchError);
  });
});

describe('an error', () => {
  async function fail(name: string, as: Client = client) {
    const { data: nothing, error } = await as.functions.invoke(name);
    expect(nothing).toBeNull();
    return { error, status: error.context.status, body: await error.context.text() };
  }

  test.each([
    ['replies/teapot', 418, '{"error":"Não há café"}'],
    ['replies/failed', 500, '{"error":"Caiu"}'],
    ['not-there', 404, 'Function not found'],
  ])('of %s is a FunctionsHttpError with status %i', async (name, status, body) => {
    const failed = await fail(name);
    expect(failed.error).toBeInstanceOf(FunctionsHttpError);
    expect(failed).toMatchObject({ status, body });
  });

  test.each([
    ['hostile/throw', 500, 'WORKER_ERROR'],
    ['hostile/reject', 500, 'WORKER_ERROR'],
    ['hostile/huge-buffer', 546, 'WORKER_LIMIT'],
  ])('of %s is a FunctionsHttpError with the platform’s own words', async (name, status, code) => {
    const failed = await fail(name);
    expect(failed.error).toBeInstanceOf(FunctionsHttpError);
    expect([failed.status, JSON.parse(failed.body)]).toEqual([
      status,
      expect.objectContaining({ code, message: expect.any(String) }),
    ]);
  });

  test('of a broken token is a FunctionsRelayError', async () => {
    const stranger = createVisitor(deployment);
    stranger.functions.setAuth('eyJhbGciOiJIUzI1NiJ9.e30.nobody');
    const failed = await fail('echo', stranger);
    expect(failed.error).toBeInstanceOf(FunctionsRelayError);
    expect([failed.status, JSON.parse(failed.body).msg]).toEqual([401, 'Invalid JWT']);
  });

  test('of a loop without end hurts nobody else', async () => {
    const stuck = fail('hostile/loop');
    expect((await invoke('open')).data).toBe('aberta');
    expect((await client.from('folders').select('id')).error).toBeNull();
    expect(await stuck).toMatchObject({ status: 546 });
  });
});

test('a function reaches the data as its caller, as the service and in SQL, and is no superuser', async () => {
  await createShelf(person, 'Da Ana');
  const other = await createPerson(deployment);
  await createShelf(other, 'De outra pessoa');
  const { data: answer } = await invoke('client');
  expect(answer).toEqual({
    user: person.email,
    own: [{ name: 'Da Ana' }],
    all: 2,
    database: {
      current_user: 'service_role',
      session_user: 'authenticator',
      folders: 2,
      is_superuser: false,
    },
    error: null,
  });
});

test('a function sees of the environment what is documented, and its output is in the log without secrets', async () => {
  const { data: seen } = await invoke('environment');
  expect(Object.keys(seen.node).sort()).toEqual([
    'FROM_FILE',
    // Asked for in their config.toml; without a provider it is the emulator's.
    'STRIPE_SECRET_KEY',
    'SUPABASE_ANON_KEY',
    'SUPABASE_DB_URL',
    'SUPABASE_PUBLISHABLE_KEYS',
    'SUPABASE_SERVICE_ROLE_KEY',
    'SUPABASE_URL',
  ]);
  expect(seen.node.SUPABASE_URL).toBe(deployment.url);
  await invoke('prints');
  await vi.waitFor(() => expect(server.output()).toContain('depois da resposta'), 10_000);
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"function":"prints"'));
  expect(JSON.parse(lines.find((line) => line.includes('visita')) ?? '{}')).toMatchObject({
    level: 'info',
    reqId: expect.any(String),
    details: { host: 'exemplo.com', token: '[redacted]' },
    msg: 'visita',
  });
  expect(server.output()).not.toContain(deployment.serviceRoleKey);
});
