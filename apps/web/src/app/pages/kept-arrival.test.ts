import { beforeEach, expect, test } from 'vitest';
import { arrivalOf } from './arrival-of.ts';
import { keepArrival, takeArrival } from './kept-arrival.ts';

const HREF = '/share-target?url=https%3A%2F%2Fexemplo.com';
const HOUR_MS = 60 * 60 * 1000;

beforeEach(() => localStorage.clear());

test('what was shared is given once, within a day', () => {
  keepArrival(HREF, true);
  expect(takeArrival(Date.now() + 23 * HOUR_MS)).toMatchObject({ href: HREF, isShared: true });
  expect(takeArrival()).toBeNull();
  keepArrival(HREF, true);
  expect(takeArrival(Date.now() + 25 * HOUR_MS)).toBeNull();
});

test('what the device shared stays so when a sign-in elsewhere comes back with it, for that address alone', () => {
  keepArrival(HREF, true);
  keepArrival(HREF, false);
  expect(takeArrival()).toMatchObject({ href: HREF, isShared: true });
  keepArrival(HREF, true);
  keepArrival(`${HREF}/outro`, false);
  expect(takeArrival()).toMatchObject({ href: `${HREF}/outro`, isShared: false });
});

test.each([
  '/share-target',
  '/dashboard?url=x',
  '//evil.example/share-target?',
  `/share-target?text=${'x'.repeat(4000)}`,
])('%s is not kept', (href) => {
  keepArrival(href, true);
  expect(takeArrival()).toBeNull();
});

test.each([
  ['https://exemplo.com/a?b=1&c=2', '/share-target?text=https%3A%2F%2Fexemplo.com%2Fa%3Fb%3D1%26c%3D2'],
  [' exemplo.com ', '/share-target?text=exemplo.com'],
  ['javascript:alert(1)', '/share-target?text=javascript%3Aalert%281%29'],
  ['//evil.example', '/share-target?text=%2F%2Fevil.example'],
  ['&url=https://evil.example', '/share-target?text=%26url%3Dhttps%3A%2F%2Fevil.example'],
  ['   ', null],
])(
  'what was pasted before there was an account, %s, is text of the form and nothing else',
  (pasted, href) => {
    expect(arrivalOf(pasted)).toBe(href);
  },
);

test.each(['é'.repeat(5000), '\uD800'.repeat(5000), 'x'.repeat(100_000)])(
  'too long, it is cut until it is kept',
  (pasted) => {
    const href = arrivalOf(pasted) ?? '';
    keepArrival(href, false);
    expect(takeArrival()).toMatchObject({ href, isShared: false });
    expect(href.length).toBeGreaterThan(3000);
  },
);

test('of what an earlier version kept it is not known that the device shared it', () => {
  localStorage.setItem('linkoteca-arrival', JSON.stringify({ href: HREF, at: Date.now() }));
  expect(takeArrival()).not.toHaveProperty('isShared');
});

test('what something else wrote there leads nowhere', () => {
  localStorage.setItem('linkoteca-arrival', JSON.stringify({ href: 'https://evil.example', at: Date.now() }));
  expect(takeArrival()).toBeNull();
  localStorage.setItem('linkoteca-arrival', '{');
  expect(takeArrival()).toBeNull();
});
