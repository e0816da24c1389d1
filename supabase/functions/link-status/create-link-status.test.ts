import { describe, expect, test } from 'vitest';
import type { FetchPage, PageResponse } from '../link-preview/fetch-page.ts';
import { PreviewError } from '../link-preview/preview-error.ts';
import { createLinkStatus } from './create-link-status.ts';

const bearer = (role: string) =>
  `Bearer head.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.signature`;
const answer = (status: number, headers: Record<string, string> = {}): PageResponse => ({
  status,
  headers: new Headers(headers),
  body: null,
});

/** An internet of these answers; whoever is not among them is not there. */
function install(
  answers: Readonly<Record<string, (signal: AbortSignal) => PageResponse | Promise<PageResponse>>>,
  budgetMs = 60_000,
) {
  const asked: string[] = [];
  const fetchPage: FetchPage = async (url, signal) => {
    asked.push(url.href);
    const found = answers[url.href];
    if (!found) throw new Error('nobody there');
    return await found(signal);
  };
  const handle = createLinkStatus({ fetchPage, budgetMs });
  const call = (body: unknown, role = 'service_role', method = 'POST') =>
    handle(
      new Request('http://functions.internal/functions/v1/link-status', {
        method,
        headers: { authorization: bearer(role) },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const judge = async (...urls: readonly string[]) => (await (await call({ urls })).json()).verdicts;
  return { call, judge, asked };
}

describe('what a site answers', () => {
  test.each([
    [200, 'works'],
    [204, 'works'],
    [304, 'works'],
    [401, 'works'],
    [403, 'works'],
    [404, 'fails'],
    [405, 'works'],
    [410, 'fails'],
    [429, 'unsure'],
    [451, 'works'],
    [500, 'fails'],
    [502, 'fails'],
    [503, 'unsure'],
    [504, 'fails'],
  ])('%i: %s', async (status, outcome) => {
    const { judge } = install({ 'https://exemplo.com.br/': () => answer(status) });
    expect(await judge('https://exemplo.com.br/')).toEqual([{ outcome, status }]);
  });

  test('at the end of its redirects counts', async () => {
    const { judge } = install({
      'https://exemplo.com.br/': () => answer(301, { location: '/novo' }),
      'https://exemplo.com.br/novo': () => answer(404),
    });
    expect(await judge('https://exemplo.com.br/')).toEqual([{ outcome: 'fails', status: 404 }]);
  });
});

describe('where nobody answers', () => {
  const FAILS = { outcome: 'fails', status: null };
  const UNSURE = { outcome: 'unsure', status: null };

  test('a name that is nobody’s, and one that leads inside, fail alike', async () => {
    const { judge } = install({
      'https://dentro.exemplo.com.br/': () => {
        throw new PreviewError('private_name');
      },
    });
    expect(await judge('https://ninguem.exemplo.com.br/', 'https://dentro.exemplo.com.br/')).toEqual([
      FAILS,
      FAILS,
    ]);
  });

  test('what cannot be asked is not judged, and nobody is asked', async () => {
    const { judge, asked } = install({});
    const urls = [
      'http://127.0.0.1/',
      'http://impressora/',
      'https://a:b@exemplo.com.br/',
      'https://exemplo.com.br:8443/',
    ];
    expect(await judge(...urls, 'nada')).toEqual([...urls, ''].map(() => UNSURE));
    expect(asked).toEqual([]);
  });

  test('a redirect inside and one in circles are not judged', async () => {
    const { judge } = install({
      'https://a.br/': () => answer(302, { location: 'http://10.0.0.1/' }),
      'https://b.br/': () => answer(302, { location: 'https://b.br/' }),
    });
    expect(await judge('https://a.br/', 'https://b.br/')).toEqual([UNSURE, UNSURE]);
  });

  test('a site that leads on to nobody is not silent: its other links are asked', async () => {
    const { judge, asked } = install({
      'https://curto.br/morto': () => answer(301, { location: 'https://ninguem.br/' }),
      'https://curto.br/vivo': () => answer(301, { location: 'https://b.br/' }),
      'https://b.br/': () => answer(200),
    });
    expect(await judge('https://curto.br/morto', 'https://curto.br/vivo')).toEqual([
      FAILS,
      { outcome: 'works', status: 200 },
    ]);
    expect(asked).toContain('https://curto.br/vivo');
  });

  test('a silent site is asked once, and the others meanwhile', async () => {
    const { judge, asked } = install({ 'https://b.br/': () => answer(200) });
    expect(await judge('https://a.br/1', 'https://b.br/', 'https://a.br/2')).toEqual([
      FAILS,
      { outcome: 'works', status: 200 },
      FAILS,
    ]);
    expect(asked).toEqual(['https://a.br/1', 'https://b.br/']);
  });

  test('what is not looked at in time is unsure', async () => {
    const never = (signal: AbortSignal) =>
      new Promise<PageResponse>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    const { judge } = install({ 'https://a.br/': never, 'https://b.br/': () => answer(200) }, 50);
    expect(await judge('https://a.br/', 'https://b.br/')).toEqual([
      UNSURE,
      { outcome: 'works', status: 200 },
    ]);
  });
});

test('each site is asked one thing at a time, eight sites at once', async () => {
  let [now, most] = [0, 0];
  const open = new Set<string>();
  const visit = (host: string) => async () => {
    expect(open.has(host)).toBe(false);
    open.add(host);
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    open.delete(host);
    now -= 1;
    return answer(200);
  };
  const urls = Array.from({ length: 60 }, (_, at) => `https://s${at % 12}.br/${at}`);
  const { judge } = install(Object.fromEntries(urls.map((url) => [url, visit(new URL(url).host)])));
  expect(await judge(...urls)).toHaveLength(60);
  expect(most).toBe(8);
});

describe('a stranger', () => {
  test.each(['anon', 'authenticated', 'supabase_admin'])(
    'with the role %s asks for nothing',
    async (role) => {
      const { call, asked } = install({});
      expect((await call({ urls: ['https://a.br/'] }, role)).status).toBe(403);
      expect(asked).toEqual([]);
    },
  );

  test.each([
    undefined,
    {},
    { urls: 'https://a.br/' },
    { urls: [1] },
    { urls: Array(101).fill('https://a.br/') },
  ])('a body like %j is refused', async (body) => {
    expect((await install({}).call(body)).status).toBe(400);
  });

  test('other methods are refused', async () => {
    const response = await install({}).call(undefined, 'service_role', 'GET');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
