import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLinkCover } from '../../../../../supabase/functions/link-cover/create-link-cover.ts';
import { createPinnedFetch } from './outbound/create-pinned-fetch.ts';
import { startInternet, type TestInternet } from './test-support/start-internet.ts';

const MEBIBYTE = 1_048_576;
const INNER = ['127.0.0.1:80', '169.254.169.254:80', '::1:80'];
const CLAIMS = Buffer.from(JSON.stringify({ role: 'authenticated', sub: 'maria' })).toString('base64url');
const JPEG = Buffer.concat([Buffer.from('\xFF\xD8\xFF\xE0', 'latin1'), Buffer.alloc(60)]);

let internet: TestInternet;
let secretsRead = 0;
/** What the site answers for its image; each test sets its own. */
let answerImage: (response: ServerResponse, accept: string) => void;
/** What the page calls its image. */
let image = '/capa.jpg';
beforeAll(async () => {
  internet = startInternet();
  for (const endpoint of INNER)
    await internet.serve(endpoint, (_request, response) => {
      secretsRead += 1;
      response.setHeader('content-type', 'image/jpeg').end(JPEG);
    });
  await internet.serve('93.184.215.14:80', ({ url, headers }, response) => {
    if (url === '/capa.jpg') answerImage(response, String(headers.accept));
    else response.setHeader('content-type', 'text/html').end(`<meta property="og:image" content="${image}">`);
  });
  internet.name('site.exemplo.com', ['93.184.215.14']);
  internet.name('armadilha.exemplo.com', ['127.0.0.1']);
  let asked = 0;
  internet.name('muda.exemplo.com', () => {
    asked += 1;
    return [asked === 1 ? '93.184.215.14' : '127.0.0.1'];
  });
});
beforeEach(() => {
  secretsRead = 0;
  image = '/capa.jpg';
});
afterAll(() => internet.stop());

async function cover(site = 'http://site.exemplo.com/') {
  let outcome: string | undefined;
  const handle = createLinkCover({
    fetchPage: createPinnedFetch(internet),
    report: (report) => {
      outcome = report.outcome;
    },
  });
  const response = await handle(
    new Request('http://functions.internal/functions/v1/link-cover', {
      method: 'POST',
      headers: { authorization: `Bearer head.${CLAIMS}.signature` },
      body: JSON.stringify({ url: site }),
    }),
  );
  return { status: response.status, outcome, bytes: (await response.arrayBuffer()).byteLength };
}

test('an image is fetched like a page, and asked for as an image', async () => {
  let asked = '';
  answerImage = (response, accept) => {
    asked = accept;
    response.setHeader('content-type', 'image/jpeg').end(JPEG);
  };
  expect(await cover()).toEqual({ status: 200, outcome: 'fetched', bytes: 64 });
  expect(asked).toMatch(/^image\/webp/);
});

test('one of more than a page may have comes whole, one of more than 4 MiB does not', async () => {
  const large = (bytes: number) => Buffer.concat([JPEG, Buffer.alloc(bytes - JPEG.length)]);
  answerImage = (response) => response.end(large(4 * MEBIBYTE));
  expect(await cover()).toMatchObject({ status: 200, bytes: 4 * MEBIBYTE });
  answerImage = (response) => response.end(large(4 * MEBIBYTE + 1));
  expect(await cover()).toMatchObject({ status: 502, outcome: 'heavy_image' });
});

describe('nothing inside is reached', () => {
  test.each([
    ['an address of this machine', 'http://127.0.0.1/a.jpg', 'private_address'],
    ['an address of this machine in disguise', 'http://2130706433/a.jpg', 'private_address'],
    ['a cloud’s metadata', 'http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['an IPv6 address of this machine', 'http://[::1]/a.jpg', 'private_address'],
    ['another port', 'http://site.exemplo.com:8080/a.jpg', 'port'],
    ['a name that leads inside', 'http://armadilha.exemplo.com/a.jpg', 'private_name'],
    ['credentials', 'http://a:b@site.exemplo.com/a.jpg', 'credentials'],
  ])('by a page that calls %s its image', async (_what, address, outcome) => {
    image = address;
    expect(await cover()).toMatchObject({ outcome });
    expect(secretsRead).toBe(0);
  });

  test.each(['http://127.0.0.1/a.jpg', 'http://armadilha.exemplo.com/a.jpg', 'http://[::ffff:7f00:1]/'])(
    'by an image that redirects to %s',
    async (location) => {
      answerImage = (response) => response.writeHead(302, { location }).end();
      const { outcome } = await cover();
      expect(outcome).toMatch(/^private_/);
      expect(secretsRead).toBe(0);
    },
  );

  test('by a name that changes its mind between page and image', async () => {
    image = 'http://muda.exemplo.com/capa.jpg';
    expect(await cover('http://muda.exemplo.com/')).toMatchObject({ outcome: 'private_name' });
    expect(secretsRead).toBe(0);
  });
});

describe('an image that is none', () => {
  test('but a page is left at its first bytes', async () => {
    let written = 0;
    answerImage = (response) => {
      response.setHeader('content-type', 'image/jpeg');
      const piece = Buffer.alloc(65_536, '<p>');
      const more = () => {
        while (!response.destroyed && response.write(piece)) written += piece.length;
      };
      response.on('drain', more);
      more();
    };
    expect(await cover()).toMatchObject({ status: 502, outcome: 'not_an_image' });
    // What the sockets between hold is sent as well.
    expect(written).toBeLessThan(3 * MEBIBYTE);
    await eventually(() => expect(internet.openConnections()).toBe(0));
  });

  test('but endless is left at 4 MiB, whatever it says of itself', async () => {
    answerImage = (response) => {
      response.write(JPEG);
      const piece = Buffer.alloc(65_536);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    };
    expect(await cover()).toMatchObject({ status: 502, bytes: expect.any(Number) });
    await eventually(() => expect(internet.openConnections()).toBe(0));
  });

  test('but a bomb is unpacked as far as it is read', async () => {
    const bomb = gzipSync(Buffer.concat([JPEG, Buffer.alloc(64 * MEBIBYTE)]));
    answerImage = (response) => response.setHeader('content-encoding', 'gzip').end(bomb);
    const before = process.memoryUsage().arrayBuffers;
    expect(await cover()).toMatchObject({ status: 502, outcome: 'heavy_image' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * MEBIBYTE);
  });

  test.each([404, 500, 204])('but a status of %i has no cover', async (status) => {
    answerImage = (response) => response.writeHead(status).end();
    expect((await cover()).status).toBe(502);
  });

  test('but slow is left after eight seconds together', { timeout: 20_000 }, async () => {
    let timer: NodeJS.Timeout | undefined;
    answerImage = (response) => {
      response.write(JPEG);
      timer = setInterval(() => response.write('a'), 50);
    };
    const start = performance.now();
    expect(await cover()).toMatchObject({ status: 504, outcome: 'timeout' });
    clearInterval(timer);
    expect(performance.now() - start).toBeLessThan(14_000);
    await eventually(() => expect(internet.openConnections()).toBe(0));
  });
});
