import { hashAddress } from '@linkoteca/domain/address-hash';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDatabase } from '../session/database.ts';
import { createKeptPages } from './kept-pages.ts';

const INSTALLATION = {
  origin: 'https://a.example',
  servicesUrl: 'https://a.example',
  anonKey: 'anon',
  clientId: null,
};
const KEPT = 'https://exemplo.com.br/';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A library that has one page, and what it was asked. */
function serve(answer: () => Response = () => Response.json([hashAddress(KEPT).hash])) {
  const asked: number[][] = [];
  const sent: string[] = [];
  let time = 0;
  const request: typeof fetch = async (input, init) => {
    sent.push(`${input} ${init?.body}`);
    asked.push((JSON.parse(String(init?.body)) as { buckets: number[] }).buckets);
    return answer();
  };
  const database = createDatabase(INSTALLATION, async () => 'token', request);
  const pages = createKeptPages(
    async () => database,
    () => time,
  );
  const has = async (...urls: readonly string[]) => {
    const answers = Promise.all(urls.map((url) => pages.has(url)));
    await vi.runAllTimersAsync();
    return answers;
  };
  return { asked, sent, pages, has, pass: (ms: number) => (time += ms) };
}

test('the library is asked by buckets, once for many tabs, and never told an address', async () => {
  const { asked, sent, has } = serve();
  const urls = [
    KEPT,
    'https://www.exemplo.com.br/?utm_source=x',
    'https://outra.example/segredo',
    'about:blank',
  ];
  expect(await has(...urls)).toEqual([true, true, false, false]);
  expect(asked).toEqual([[hashAddress(KEPT).bucket, hashAddress('https://outra.example/segredo').bucket]]);
  expect(sent.join()).not.toMatch(/exemplo|segredo|outra/);
  expect(sent.join()).not.toContain(hashAddress(KEPT).hash);
});

test('more than a hundred buckets are several questions', async () => {
  const { asked, has } = serve();
  await has(...Array.from({ length: 150 }, (_, index) => `https://exemplo.com.br/${index}`));
  expect(asked.length).toBe(2);
  expect(Math.max(...asked.map((buckets) => buckets.length))).toBe(100);
});

test('an answer holds for a while, and until something is saved', async () => {
  const { asked, pages, has, pass } = serve();
  await has(KEPT);
  pass(599_000);
  expect(await has(KEPT)).toEqual([true]);
  expect(asked).toHaveLength(1);
  pass(2_000);
  await has(KEPT);
  expect(asked).toHaveLength(2);
  pages.forget();
  await has(KEPT);
  expect(asked).toHaveLength(3);
});

test('without a network nothing is said to be kept, and it is asked again', async () => {
  let isAway = true;
  const { asked, has } = serve(() => {
    if (isAway) throw new TypeError('Failed to fetch');
    return Response.json([hashAddress(KEPT).hash]);
  });
  expect(await has(KEPT)).toEqual([false]);
  isAway = false;
  expect(await has(KEPT)).toEqual([true]);
  expect(asked).toHaveLength(2);
});

test('nobody is asked where nobody is signed in', async () => {
  const pages = createKeptPages(async () => null);
  const answer = pages.has(KEPT);
  await vi.runAllTimersAsync();
  expect(await answer).toBe(false);
});
