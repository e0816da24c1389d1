import { describe, expect, test } from 'vitest';
import type { FetchPage, PageResponse, PageWish } from '../link-preview/fetch-page.ts';
import { type CoverReport, createLinkCover } from './create-link-cover.ts';
import { listImages } from './find-cover.ts';
import { judgeImage } from './judge-image.ts';

const bearer = (claims: object) =>
  `Bearer head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const MARIA = bearer({ role: 'authenticated', sub: 'maria' });
const PNG = Buffer.from('\x89PNG\r\n\x1A\n'.padEnd(64, '\0'), 'latin1');

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}
function answer(type: string | null, ...all: readonly (string | Uint8Array)[]): PageResponse {
  return {
    status: 200,
    headers: new Headers(type === null ? {} : { 'content-type': type }),
    body: pieces(...all.map((piece) => Buffer.from(piece as Uint8Array))),
  };
}
/** An internet of these answers. */
function install(answers: Readonly<Record<string, () => PageResponse>>) {
  const asked: { readonly address: string; readonly wish: PageWish | undefined }[] = [];
  const reports: CoverReport[] = [];
  const fetchPage: FetchPage = async (url, _signal, wish) => {
    asked.push({ address: url.href, wish });
    const found = answers[url.href];
    if (!found) throw new Error('nobody there');
    return found();
  };
  const handle = createLinkCover({ fetchPage, report: (report) => void reports.push(report) });
  const call = (body: unknown, authorization: string | null = MARIA, method = 'POST') =>
    handle(
      new Request('http://functions.internal/functions/v1/link-cover', {
        method,
        headers: authorization === null ? {} : { authorization },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return { call, asked, reports };
}
const page = (head: string) => () => answer('text/html', `<head>${head}</head>`);
const OG = page('<meta property="og:image" content="/capa.png">');
const SITE = 'https://exemplo.com.br/artigo';

test('answers the page’s own image as it is, by what its bytes are, and as nothing that a window would open', async () => {
  const { call, asked, reports } = install({
    [SITE]: OG,
    'https://exemplo.com.br/capa.png': () => answer('text/html', PNG.subarray(0, 5), PNG.subarray(5)),
  });
  const response = await call({ url: ' exemplo.com.br/artigo ' });
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'image/png',
    'cache-control': 'no-store',
    'content-disposition': 'attachment',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect(asked.map(({ address }) => address)).toEqual([SITE, 'https://exemplo.com.br/capa.png']);
  expect(asked[0]?.wish).toBeUndefined();
  expect(asked[1]?.wish?.accept).toMatch(/^image\//);
  expect(asked[1]?.wish?.accept).not.toMatch(/svg|\*/);
  // The path of an address is the person's own business.
  expect(reports).toEqual([
    {
      person: 'maria',
      host: 'exemplo.com.br',
      outcome: 'fetched',
      bytes: 64,
      milliseconds: expect.any(Number),
    },
  ]);
});

test('a link to an image is its own cover', async () => {
  const { call, asked } = install({ 'https://exemplo.com.br/a.png': () => answer('image/png', PNG) });
  const response = await call({ url: 'https://exemplo.com.br/a.png' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(asked[1]?.wish).toBeDefined();
});

test('tries what Twitter is told where the first image is none, and no third', async () => {
  const head =
    '<meta property=og:image content=/a><meta name=twitter:image content=/b><link rel=image_src href=/c>';
  const html = () => answer('text/html', '<p>oi</p>');
  const { call, asked } = install({
    [SITE]: page(head),
    'https://exemplo.com.br/a': html,
    'https://exemplo.com.br/b': html,
  });
  expect((await call({ url: SITE })).status).toBe(502);
  expect(asked.map(({ address }) => new URL(address).pathname)).toEqual(['/artigo', '/a', '/b']);
});

test.each([
  ['no image', page('<title>Olá</title>'), {}, 422, 'no_image'],
  [
    'an image that is data',
    page('<meta property=og:image content="data:image/png;base64,AAAA">'),
    {},
    422,
    'no_image',
  ],
  [
    'an image that is a script',
    page('<meta property=og:image content="javascript:alert(1)">'),
    {},
    422,
    'no_image',
  ],
  ['an image of a file', page('<meta property=og:image content="file:///etc/passwd">'), {}, 422, 'no_image'],
  ['no page', () => answer('application/pdf', '%PDF'), {}, 502, 'not_a_page'],
  [
    'an image that is a page',
    OG,
    { '/capa.png': () => answer('image/png', '<!doctype html><p>'.padEnd(99)) },
    502,
    'not_an_image',
  ],
  [
    'an image that is a drawing',
    OG,
    { '/capa.png': () => answer('image/png', '<svg xmlns="x" onload="alert(1)"/>'.padEnd(99)) },
    502,
    'not_an_image',
  ],
  ['an image of a few letters', OG, { '/capa.png': () => answer('image/png', 'GI') }, 502, 'not_an_image'],
  ['an image of nothing', OG, { '/capa.png': () => answer('image/png') }, 502, 'not_an_image'],
  ['an image that nobody has', OG, {}, 502, 'unreachable'],
] as const)('a page with %s has no cover', async (_what, first, others, status, outcome) => {
  const more = Object.entries(others).map(([path, found]) => [`https://exemplo.com.br${path}`, found]);
  const { call, reports } = install({ [SITE]: first, ...Object.fromEntries(more) });
  const response = await call({ url: SITE });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/\S/) });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(reports).toMatchObject([{ outcome, bytes: 0 }]);
});

describe('who asks, and how', () => {
  test.each([
    ['nobody', null],
    ['the public key', bearer({ role: 'anon' })],
    ['the operator’s key', bearer({ role: 'service_role' })],
    ['an account without a name', bearer({ role: 'authenticated', sub: 'x', is_anonymous: true })],
    ['garbage', 'Bearer a.b.c'],
  ])('must be a person: %s is 401', async (_who, authorization) => {
    const { call, asked } = install({ [SITE]: OG });
    expect((await call({ url: SITE }, authorization)).status).toBe(401);
    expect(asked).toEqual([]);
  });

  test('has one method: no page of somebody else’s can show an image through it', async () => {
    const { call, asked } = install({ [SITE]: OG });
    const response = await call(undefined, MARIA, 'GET');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(asked).toEqual([]);
  });

  test.each([
    [{}],
    [{ url: 3 }],
    [{ url: 'javascript:alert(1)' }],
    [{ url: `https://a.br/${'x'.repeat(600)}` }],
  ])('%j is refused before anything is asked for', async (body) => {
    const { call, asked } = install({});
    expect((await call(body)).status).toBe(400);
    expect(asked).toEqual([]);
  });
});

test('the images of a page, the likeliest first and each once', () => {
  const at = new URL('https://exemplo.com.br/pasta/pagina');
  const list = (html: string) => listImages(html, at).map(({ href }) => href);
  expect(
    list(`<link rel="image_src" href="c.png"><meta name="twitter:image" content="//cdn.exemplo.com.br/b.png">
      <meta property="og:image:secure_url" content=" ../a.png ">`),
  ).toEqual([
    'https://exemplo.com.br/a.png',
    'https://cdn.exemplo.com.br/b.png',
    'https://exemplo.com.br/pasta/c.png',
  ]);
  expect(list('<meta property=og:image content=/a><meta name=twitter:image content=/a>')).toHaveLength(1);
  expect(list('<meta property=og:image content="http://[">')).toEqual([]);
});

test.each([
  ['\xFF\xD8\xFF\xE0', 'image/jpeg'],
  ['\x89PNG\r\n\x1A\n', 'image/png'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'image/avif'],
  ['RIFF\x10\0\0\0WAVE', undefined],
  ['\0\0\0\x20ftypisom', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
  ['%PDF-1.7', undefined],
  ['BM', undefined],
  ['', undefined],
])('%j is %s', (bytes, type) => {
  expect(judgeImage(Buffer.from(bytes, 'latin1'))).toBe(type);
});
