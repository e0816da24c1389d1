import { expect, test, vi } from 'vitest';
import { collectPages } from './collect-pages.ts';

test('pages are read until one is not full', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'];
  const readPage = vi.fn(async (from: number, to: number) => all.slice(from, to + 1));
  expect(await collectPages(readPage, 2)).toEqual(all);
  expect(readPage.mock.calls).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
});

test('a page that fails fails the whole', async () => {
  await expect(collectPages(() => Promise.reject(new Error('sem rede')))).rejects.toThrow('sem rede');
});
