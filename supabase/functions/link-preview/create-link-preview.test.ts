import { beforeEach, describe, expect, test } from 'vitest';
import { createLinkPreview, type PreviewReport } from './create-link-preview.ts';
import type { FetchPage, PageResponse } from './fetch-page.ts';
import type { Preview } from './preview-page.ts';

const encodeClaims = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const bearer = (claims: object) => `Bearer head.${encodeClaims(claims)}.signature`;
const MARIA = bearer({ role: 'authenticated', sub: 'maria', user_metadata: { name: 'María?>' } });

let reports: PreviewReport[];
let fetched: string[];
beforeEach(() => {
  reports = [];
  fetched = [];
});

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
function page(html: string, headers: Record<string, string> = {}, status = 200): PageResponse {
  return {
    status,
    headers: new Headers({ 'content-type': 'text/html; charset=utf-8', ...headers }),
    body: inOnePiece(html),
  };
}

const answerTitle: FetchPage = async (url) => {
  fetched.push(url.href);
  return page('<title>Olá</title><meta name=description content=Oi>');
};
function create(fetchPage: FetchPage = answerTitle, memory?: Map<string, Preview>) {
  const report = (one: PreviewReport) => void reports.push(one);
  return createLinkPreview({ fetchPage, report, ...(memory ? { memory } : {}) });
}
function post(body: unknown, authorization: string | null = MARIA, init: RequestInit = {}): Request {
  return new Request('http://functions.internal/functions/v1/link-preview', {
    method: 'POST',
    headers: authorization === null ? {} : { authorization },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}
async function call(request: Request, handler = create()) {
  const response = await handler(request);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

test('answers address, title and description of the page', async () => {
  const { status, body, headers } = await call(post({ url: ' Exemplo.com.br/a b?q=1 ' }));
  expect([status, body]).toEqual([
    200,
    { url: 'https://exemplo.com.br/a%20b?q=1', title: 'Olá', description: 'Oi' },
  ]);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
});

describe('who asks', () => {
  test.each([
    ['nobody', null],
    ['the public key', bearer({ role: 'anon' })],
    ['the operator’s key', bearer({ role: 'service_role' })],
    ['an account without a name', bearer({ role: 'authenticated', sub: 'x', is_anonymous: true })],
    ['a token without a person', bearer({ role: 'authenticated' })],
    ['garbage', 'Bearer garbage'],
    ['garbage in three parts', 'Bearer a.b.c'],
    ['another scheme', 'Basic bWFyaWE6c2VncmVkbw=='],
  ])('must be a person: %s is 401', async (_who, authorization) => {
    const { status, body } = await call(post({ url: 'https://exemplo.com' }, authorization));
    expect([status, body]).toEqual([
      401,
      { error: 'Você precisa estar autenticado para realizar esta operação' },
    ]);
    expect(fetched).toEqual([]);
  });
});

describe('what is asked', () => {
  test.each([
    ['no JSON', 'url=https://exemplo.com', 400, 'O pedido está malformado'],
    ['nothing', '', 400, 'O pedido está malformado'],
    ['null', 'null', 400, 'URL inválida'],
    ['no address', {}, 400, 'URL inválida'],
    ['a number', { url: 1 }, 400, 'URL inválida'],
    ['several', { url: ['https://exemplo.com'] }, 400, 'URL inválida'],
    ['a word', { url: 'palavra' }, 400, 'URL inválida'],
    ['a script', { url: 'javascript:alert(1)' }, 400, 'URL inválida'],
    ['more than fits into a link', { url: `https://exemplo.com/${'a'.repeat(500)}` }, 400, 'URL inválida'],
    ['an address inside', { url: 'http://127.0.0.1/' }, 400, 'Este endereço não está na internet pública'],
    ['far too much', { url: 'x'.repeat(9_000) }, 413, 'O pedido é grande demais'],
  ])('%s is refused', async (_what, given, status, error) => {
    expect(await call(post(given))).toMatchObject({ status, body: { error } });
    expect(fetched).toEqual([]);
  });

  test('with another method is 405', async () => {
    const { status, headers } = await call(
      new Request('http://functions.internal/', { headers: { authorization: MARIA } }),
    );
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('what pages answer', () => {
  const visit = (response: PageResponse) =>
    call(
      post({ url: 'https://exemplo.com' }),
      create(async () => response),
    );

  test.each([
    ['application/xhtml+xml', 200],
    ['TEXT/HTML', 200],
    ['', 200],
    ['application/json', 502],
    ['text/plain', 502],
    ['image/svg+xml', 502],
    ['text/htmlx', 502],
  ])('of the type %j is %s', async (type, status) => {
    expect((await visit(page('<title>a</title>', { 'content-type': type }))).status).toBe(status);
  });

  test.each([304, 401, 403, 404, 500, 503])('with status %s is 502', async (status) => {
    expect(await visit(page('<title>Não</title>', {}, status))).toMatchObject({
      status: 502,
      body: { error: 'O site respondeu com um erro' },
    });
  });

  test('without title and description is an empty preview', async () => {
    expect((await visit(page('<p>oi'))).body).toMatchObject({ title: null, description: null });
  });

  test('a failure of ours is not taken for one of the page', async () => {
    const handler = create(() => {
      throw new TypeError('bug');
    });
    expect((await call(post({ url: 'https://exemplo.com' }), handler)).status).toBe(502);
    const broken = createLinkPreview({
      fetchPage: answerTitle,
      memory: {
        get: () => {
          throw new TypeError('bug');
        },
        set: () => undefined,
      },
    });
    await expect(broken(post({ url: 'https://exemplo.com' }))).rejects.toThrow('bug');
  });
});

describe('a preview of a while ago', () => {
  test('is not fetched again, and failures are not remembered', async () => {
    const handler = create(answerTitle, new Map());
    const first = await call(post({ url: 'https://exemplo.com/a' }), handler);
    const second = await call(post({ url: 'https://EXEMPLO.com/a' }), handler);
    expect(second.body).toEqual(first.body);
    expect(fetched).toEqual(['https://exemplo.com/a']);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['fetched', 'remembered']);

    let isUp = false;
    const flaky = create(async () => page('<title>a</title>', {}, isUp ? 200 : 503), new Map());
    expect((await call(post({ url: 'https://exemplo.com/b' }), flaky)).status).toBe(502);
    isUp = true;
    expect((await call(post({ url: 'https://exemplo.com/b' }), flaky)).status).toBe(200);
  });
});

test('the report names person and host, never the rest of the address', async () => {
  await call(post({ url: 'https://exemplo.com/segredo/token?chave=1#x' }));
  await call(post({ url: 'http://10.0.0.5/painel' }));
  expect(reports).toEqual([
    { person: 'maria', host: 'exemplo.com', outcome: 'fetched', milliseconds: expect.any(Number) },
    { person: 'maria', host: '10.0.0.5', outcome: 'private_address', milliseconds: expect.any(Number) },
  ]);
});
