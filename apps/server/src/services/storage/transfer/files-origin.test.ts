import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';

const FILES_URL = 'https://arquivos.example.net';
const FILES_HOST = 'arquivos.example.net';
const SITE_HOST = 'links.example.com';

let bench: FilesBench;
let ana: Person;
let signedPath: string;
beforeAll(async () => {
  bench = await startFiles({ filesUrl: FILES_URL });
  ana = await bench.createPerson();
  const name = '/object/publico/pasta/a%20b.txt';
  await bench.ask('POST', name, { as: ana, body: 'oi', headers: { 'content-type': 'text/plain' } });
  const signed = await bench.ask('POST', name.replace('/object/', '/object/sign/'), {
    as: ana,
    headers: { 'content-type': 'application/json' },
    body: '{"expiresIn":60}',
  });
  const { signedURL } = (await signed.json()) as { signedURL: string };
  signedPath = encodeURI(`/storage/v1${signedURL}`);
});
afterAll(() => bench.stop());

const PUBLIC_PATH = '/storage/v1/object/public/publico/pasta/a%20b.txt';

/** A request by a name of the server: `fetch` writes the host itself. */
function askAt(host: string, path: string, { method = 'GET', headers = {} } = {}) {
  const answered = Promise.withResolvers<IncomingMessage & { text: string }>();
  const asked = request({ port: bench.port, host: '127.0.0.1', path, method, headers: { ...headers, host } });
  asked.on('error', answered.reject).on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => answered.resolve(Object.assign(response, { text })));
  });
  asked.end();
  return answered.promise;
}

it('whoever opens a file by its address is led to the origin that has nothing but files', async () => {
  for (const path of [PUBLIC_PATH, `${PUBLIC_PATH}?download=a.txt`, signedPath])
    for (const host of [SITE_HOST, '10.0.0.7:3000', `${FILES_HOST}.example.com`, `x-${FILES_HOST}`]) {
      const led = await askAt(host, path);
      expect([led.statusCode, led.headers.location, led.text]).toEqual([307, `${FILES_URL}${path}`, '']);
      expect(led.headers['cache-control']).toBe('no-store');
      // Scripts of other origins, and players, follow it as well.
      const preflight = await askAt(FILES_HOST, path, {
        method: 'OPTIONS',
        headers: { origin: 'https://links.example.com', 'access-control-request-method': 'GET' },
      });
      expect(preflight.headers['access-control-allow-origin']).toBe('https://links.example.com');
      const given = await askAt(FILES_HOST, path);
      expect([given.statusCode, given.text]).toEqual([200, 'oi']);
      expect(given.headers['set-cookie']).toBeUndefined();
    }
});

it('a picture that is drawn anew is led there as its file is', async () => {
  const path = `${PUBLIC_PATH.replace('/object/', '/render/image/')}?width=10`;
  const led = await askAt(SITE_HOST, path);
  expect([led.statusCode, led.headers.location]).toEqual([307, `${FILES_URL}${path}`]);
  // Text is no picture; it is the service that says so.
  const refused = await askAt(FILES_HOST, path);
  expect([refused.statusCode, JSON.parse(refused.text).code]).toEqual([400, 'InvalidRequest']);
});

it('whoever asks with a token in a header gets the bytes where they asked', async () => {
  const headers = { authorization: `Bearer ${ana.token}` };
  const path = PUBLIC_PATH.replace('/public/', '/');
  expect((await askAt(SITE_HOST, path, { headers })).text).toBe('oi');
  expect((await askAt(SITE_HOST, path)).statusCode).toBe(400);
});

it('nothing else is served on the origin of files: no app, no account, no table, no way to write', async () => {
  const headers = { authorization: `Bearer ${ana.token}`, accept: 'text/html' };
  for (const path of [
    '/',
    '/login',
    '/config.json',
    '/health',
    '/metrics',
    '/assets/a.js',
    '/storage/v1/object/publico/pasta/a%20b.txt',
    '/storage/v1/object/authenticated/publico/pasta/a%20b.txt',
    '/storage/v1/object/info/public/publico/pasta/a%20b.txt',
    '/storage/v1/object/%70ublic/publico/pasta/a%20b.txt',
    '/storage/v1/bucket',
    '/storage/v1/render/image/authenticated/publico/pasta/a%20b.txt',
    '/rest/v1/links',
    '/auth/v1/user',
    '//storage/v1/object/public/publico/a',
  ])
    for (const host of [FILES_HOST, FILES_HOST.toUpperCase()])
      expect([path, (await askAt(host, path, { headers })).statusCode]).toEqual([path, 404]);
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await askAt(FILES_HOST, PUBLIC_PATH, { method, headers })).statusCode).toBe(404);
});
