import { describe, expect, test } from 'vitest';
import { describeCapture, isTooLong } from './describe-capture.ts';

const read = (found: Parameters<typeof describeCapture>[0]) => describeCapture(found, 'id');

test('what was found, on one line and within a link’s limits', () => {
  expect(
    read({ url: 'https://a.example/x', title: ' Uma\n página ', description: 'Diz\nalgo\u0000' }),
  ).toEqual({
    id: 'id',
    url: 'https://a.example/x',
    title: 'Uma página',
    description: 'Diz\nalgo',
    categoryId: null,
    tags: [],
  });
  const long = read({
    url: 'https://a.example/',
    title: 'palavra '.repeat(50),
    description: 'x'.repeat(2_000_000),
  });
  expect(long?.title).toMatch(/^(?:palavra )+palavra…$/);
  expect([...(long?.title ?? '')].length).toBeLessThanOrEqual(100);
  expect(long?.description).toHaveLength(1200);
});

test('markup is text', () => {
  expect(read({ url: 'https://a.example/', title: '<script>alert(1)</script>' })?.title).toBe(
    '<script>alert(1)</script>',
  );
});

test('a page without a name has its host’s', () => {
  expect(read({ url: 'https://www.a.example/x', title: ' \n ' })?.title).toBe('a.example');
});

describe('nothing to save', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'chrome://settings',
    'about:blank',
    'file:///etc/passwd',
    '',
    `https://a.example/${'x'.repeat(600)}`,
    `https://a.example/${'x'.repeat(3_000_000)}`,
  ])('%.40s', (url) => {
    expect(read({ url })).toBeNull();
  });
});

test.each([
  [`https://a.example/${'é'.repeat(482)}`, false],
  [`https://a.example/${'é'.repeat(483)}`, true],
  [`https://a.example/${'x'.repeat(3_000_000)}`, true],
  [`data:text/html,${'x'.repeat(600)}`, false],
  ['chrome://settings', false],
  ['', false],
])('of an address it is known whether a link is too short for it: %.40s', (url, expected) => {
  expect(isTooLong(url)).toBe(expected);
});
