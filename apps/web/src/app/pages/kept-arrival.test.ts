import { beforeEach, expect, test } from 'vitest';
import { keepArrival, takeArrival } from './kept-arrival.ts';

const HREF = '/share-target?url=https%3A%2F%2Fexemplo.com';
const HOUR_MS = 60 * 60 * 1000;

beforeEach(() => localStorage.clear());

test('what was shared is given once, within a day', () => {
  keepArrival(HREF);
  expect(takeArrival(Date.now() + 23 * HOUR_MS)).toBe(HREF);
  expect(takeArrival()).toBeNull();
  keepArrival(HREF);
  expect(takeArrival(Date.now() + 25 * HOUR_MS)).toBeNull();
});

test.each([
  '/share-target',
  '/dashboard?url=x',
  '//evil.example/share-target?',
  `/share-target?text=${'x'.repeat(4000)}`,
])('%s is not kept', (href) => {
  keepArrival(href);
  expect(takeArrival()).toBeNull();
});

test('what something else wrote there leads nowhere', () => {
  localStorage.setItem('linkoteca-arrival', JSON.stringify({ href: 'https://evil.example', at: Date.now() }));
  expect(takeArrival()).toBeNull();
  localStorage.setItem('linkoteca-arrival', '{');
  expect(takeArrival()).toBeNull();
});
