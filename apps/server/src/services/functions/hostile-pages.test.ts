import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callPreview } from './test-support/call-preview.ts';
import { startInternet, type TestInternet } from './test-support/start-internet.ts';

const SITE = '93.184.215.14';
const MEBIBYTE = 1_048_576;

let internet: TestInternet;
/** What the site at hand answers; each test sets its own. */
let answer: (url: string, response: ServerResponse, headers: Readonly<Record<string, unknown>>) => void;
let converse: (socket: Socket) => void;
let requests = 0;
beforeAll(async () => {
  internet = startInternet();
  await internet.serve(`${SITE}:80`, ({ url = '', headers }, response) => {
    requests += 1;
    answer(url, response, headers);
  });
  await internet.serveRaw('93.184.215.15:80', (socket) => converse(socket));
  internet.name('site.exemplo.com', [SITE]);
  internet.name('bruto.exemplo.com', ['93.184.215.15']);
});
afterAll(() => internet.stop());

const preview = (path = '/') => callPreview(internet, `http://site.exemplo.com${path}`);
const page = (response: ServerResponse, html: string | Buffer) =>
  response.setHeader('content-type', 'text/html; charset=utf-8').end(html);

describe('redirects', () => {
  test('are followed five times, and the last address is told', async () => {
    answer = (url, response) => {
      const step = Number(url.slice(1));
      if (step === 5) page(response, '<title>Chegou</title>');
      else response.writeHead([301, 302, 303, 307, 308][step] ?? 302, { location: `${step + 1}` }).end();
    };
    const { status, body } = await callPreview(internet, 'http://site.exemplo.com/0#parte');
    expect([status, body.title, body.url]).toEqual([200, 'Chegou', 'http://site.exemplo.com/5#parte']);
  });

  test('end after the fifth, and in a loop', async () => {
    requests = 0;
    answer = (url, response) => response.writeHead(302, { location: url }).end();
    expect(await preview()).toMatchObject({ status: 502, outcome: 'redirects' });
    expect(requests).toBe(6);
  });

  test('may be written in UTF-8', async () => {
    answer = (url, response) => {
      if (url === '/')
        response.writeHead(302, { location: Buffer.from('/notícias').toString('latin1') }).end();
      else page(response, `<title>${decodeURIComponent(url)}</title>`);
    };
    expect((await preview()).body.title).toBe('/notícias');
  });

  test.each(['http://', 'http://exa mple', 'https://[::1'])('to %j lead nowhere', async (location) => {
    answer = (_url, response) => response.writeHead(302, { location }).end();
    expect(await preview()).toMatchObject({ status: 502, outcome: 'redirects' });
  });
});

describe('slow sites are left after five seconds', () => {
  const patience = { timeout: 15_000 };

  test.concurrent(
    'that accept and say nothing, or trickle headers, or trickle the page',
    patience,
    async () => {
      const timers: NodeJS.Timeout[] = [];
      const trickle = (write: () => void) => timers.push(setInterval(write, 50));
      await internet.serveRaw('93.184.215.21:80', () => undefined);
      await internet.serveRaw('93.184.215.22:80', (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        trickle(() => socket.write(`x-${timers.length}: y\r\n`));
      });
      await internet.serveRaw('93.184.215.23:80', (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<title>');
        trickle(() => socket.write('a'));
      });
      await internet.serveRaw('93.184.215.24:443', () => undefined);
      const start = performance.now();
      const outcomes = await Promise.all([
        callPreview(internet, 'http://93.184.215.21/'),
        callPreview(internet, 'http://93.184.215.22/'),
        callPreview(internet, 'http://93.184.215.23/'),
        callPreview(internet, 'https://93.184.215.24/'),
        callPreview({ ...internet, resolve: () => new Promise(() => undefined) }, 'http://mudo.exemplo.com/'),
        callPreview({ ...internet, connect: () => new Promise(() => undefined) }, 'http://site.exemplo.com/'),
      ]);
      timers.forEach(clearInterval);
      expect(performance.now() - start).toBeLessThan(9_000);
      for (const { status, body } of outcomes)
        expect([status, body]).toEqual([504, { error: 'A página demorou demais para responder' }]);
      await eventually(() => expect(internet.openConnections()).toBe(0));
    },
  );
});

describe('endless and swollen answers', () => {
  test('an endless page is read up to half a mebibyte', async () => {
    let written = 0;
    answer = (_url, response) => {
      response.setHeader('content-type', 'text/html');
      response.write('<title>Sem fim</title>');
      const piece = Buffer.alloc(65_536, 'a');
      const more = () => {
        while (!response.destroyed && response.write(piece)) written += piece.length;
      };
      response.on('drain', more);
      more();
    };
    expect(await preview()).toMatchObject({ status: 200, body: { title: 'Sem fim' } });
    // What the two sockets hold in between is sent as well.
    expect(written).toBeLessThan(16 * MEBIBYTE);
    await eventually(() => expect(internet.openConnections()).toBe(0));
  });

  test('nothing is read after the end of the head', async () => {
    answer = (_url, response) => {
      response.setHeader('content-type', 'text/html');
      response.write('<head><title>Cabeça</title></head><body>');
    };
    const start = performance.now();
    expect(await preview()).toMatchObject({ status: 200, body: { title: 'Cabeça' } });
    expect(performance.now() - start).toBeLessThan(4_000);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('a %s bomb is unpacked only as far as it is read', async (encoding, compress) => {
    const bomb = compress(Buffer.concat([Buffer.from('<title>Bomba</title>'), Buffer.alloc(64 * MEBIBYTE)]));
    answer = (_url, response) => {
      response.setHeader('content-encoding', encoding);
      page(response, bomb);
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(await preview()).toMatchObject({ status: 200, body: { title: 'Bomba' } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MEBIBYTE);
  });

  test('a compressed stream that never yields a byte is cut off by its own length', async () => {
    const nothing = gzipSync(Buffer.alloc(0));
    let sent = 0;
    answer = (_url, response) => {
      response.setHeader('content-type', 'text/html').setHeader('content-encoding', 'gzip');
      const piece = Buffer.concat(Array.from({ length: 4_000 }, () => nothing));
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    };
    expect(await preview()).toMatchObject({ status: 502, outcome: 'unreachable' });
    expect(sent).toBeLessThan(32 * MEBIBYTE);
  });

  test('headers beyond 32 KiB are not read', async () => {
    converse = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n');
      for (let at = 0; at < 2_000; at += 1) socket.write(`x-${at}: ${'y'.repeat(100)}\r\n`);
      socket.end('\r\n<title>Não</title>');
    };
    expect(await callPreview(internet, 'http://bruto.exemplo.com/')).toMatchObject({
      status: 502,
      outcome: 'unreachable',
    });
  });
});

describe('answers that are none', () => {
  test.each([
    ['silence', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'a status nobody knows',
      'HTTP/1.1 999 Request Denied\r\ncontent-type: text/html\r\n\r\n<title>x</title>',
    ],
    [
      'another protocol from here on',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['broken compression', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\n\r\nabc'],
    [
      'unknown compression',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: zstd\r\n\r\nabc',
    ],
    ['a cut body', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\n<title>a'],
    ['not found', 'HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\n\r\n<title>Não encontrada</title>'],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['a redirect to nowhere', 'HTTP/1.1 302 Found\r\ncontent-type: text/html\r\n\r\n<title>x</title>'],
    ['a picture', 'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n<title>x</title>'],
    ['a document', 'HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\n\r\n%PDF'],
  ])('%s is 502', async (_kind, raw) => {
    converse = (socket) => socket.once('data', () => socket.end(raw));
    const { status, body } = await callPreview(internet, 'http://bruto.exemplo.com/');
    expect({ status, body }).toEqual({ status: 502, body: { error: expect.stringMatching(/\S/) } });
  });
});

describe('what a site learns', () => {
  test('is who asks, and nothing of the person', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    answer = (_url, response, headers) => {
      seen = headers;
      response.setHeader('set-cookie', 'a=b');
      page(response, '<title>x</title>');
    };
    await preview();
    expect(seen).toEqual({
      host: 'site.exemplo.com',
      accept: expect.stringContaining('text/html'),
      'accept-encoding': 'gzip, br',
      'accept-language': expect.stringMatching(/^pt-BR/),
      'user-agent': expect.stringContaining('Linkoteca'),
      connection: 'close',
    });
  });

  test('no cookie is brought back to it by a redirect', async () => {
    let cookie: unknown = 'none asked';
    answer = (url, response, headers) => {
      cookie = headers['cookie'];
      if (url === '/') response.writeHead(302, { location: '/a', 'set-cookie': 'a=b' }).end();
      else page(response, '<title>x</title>');
    };
    await preview();
    expect(cookie).toBeUndefined();
  });
});

test('when the caller hangs up, so do we', async () => {
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<Socket>();
  converse = (socket) => arrived.resolve(socket);
  const call = callPreview(internet, 'http://bruto.exemplo.com/', leaving.signal);
  const socket = await arrived.promise;
  const closed = once(socket.resume(), 'close');
  leaving.abort();
  expect((await call).outcome).toBe('aborted');
  await closed;
});
