import { expect, test, vi } from 'vitest';
import { askPermission } from './permissions.ts';

const WANTED = { origins: ['https://a.example/*'] };

test.each([
  ['given', async () => true, true],
  ['refused', async () => false, false],
  ['not asked for by the browser', () => Promise.reject(new Error('not from a user input handler')), false],
])('a permission that is %s', async (_how, request, given) => {
  vi.stubGlobal('chrome', { permissions: { request } });
  expect(await askPermission(WANTED)).toBe(given);
  vi.unstubAllGlobals();
});
