import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createCheckedFetch } from './create-checked-fetch.ts';

const fetchSpy = vi.fn(
  async (_url: URL | RequestInfo, _init?: RequestInit) => new Response('<title>a</title>'),
);
beforeEach(() => fetchSpy.mockClear());

const signal = AbortSignal.timeout(5_000);
function open(
  address: string,
  answers: { readonly A?: readonly string[]; readonly AAAA?: readonly string[] },
) {
  const resolve = vi.fn(async (_host: string, type: 'A' | 'AAAA') => {
    const found = answers[type];
    if (!found) throw new Error('no record found');
    return found;
  });
  return { resolve, opening: createCheckedFetch({ fetch: fetchSpy, resolve })(new URL(address), signal) };
}

describe('on the hosted platform', () => {
  test('a name that leads to the internet is fetched, without redirects and cookies', async () => {
    const { opening } = open('https://exemplo.com/a', { A: ['93.184.215.14'] });
    expect((await opening).status).toBe(200);
    expect(fetchSpy).toHaveBeenCalledExactlyOnceWith(
      new URL('https://exemplo.com/a'),
      expect.objectContaining({ redirect: 'manual', credentials: 'omit', signal }),
    );
    expect(new Headers(fetchSpy.mock.calls[0]?.[1]?.headers).get('user-agent')).toContain('Linkoteca');
  });

  test.each([
    [{ A: ['127.0.0.1'] }],
    [{ A: ['93.184.215.14', '10.0.0.5'] }],
    [{ A: ['93.184.215.14'], AAAA: ['fd00:ec2::254'] }],
    [{ AAAA: ['::ffff:7f00:1'] }],
  ])('a name that leads inside is not: %j', async (answers) => {
    await expect(open('https://armadilha.exemplo.com/', answers).opening).rejects.toThrow('private_name');
    expect(fetchSpy).not.toHaveBeenCalled();
  });

  test('nor is one that nobody can tell about', async () => {
    await expect(open('https://mudo.exemplo.com/', {}).opening).rejects.toThrow('unreachable');
    expect(fetchSpy).not.toHaveBeenCalled();
  });

  test('an address in numbers, judged before, needs no name server', async () => {
    const { opening, resolve } = open('https://1.1.1.1/', {});
    await opening;
    expect(resolve).not.toHaveBeenCalled();
  });

  test('an address inside is refused in numbers as well', async () => {
    await expect(open('http://127.0.0.1/', {}).opening).rejects.toThrow('private_name');
    expect(fetchSpy).not.toHaveBeenCalled();
  });
});
