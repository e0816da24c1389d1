import { describe, expect, it } from 'vitest';
import { requireValidBucketName, requireValidKey } from './validate-names.ts';

describe('the name of a file', () => {
  it.each([
    'a',
    'a/b/c.txt',
    '...',
    'a/.b',
    'a b',
    "!-.*'() &$@=;:+,?_",
    'x'.repeat(1_024),
    'a//b',
    'a/',
    '/a',
    '/',
  ])('%s is one', (key) => {
    expect(requireValidKey(key)).toBe(key);
  });

  it.each(['', '.', '..', 'a/./b', 'a/../b', 'á', 'a\n', 'a\0', 'a"b', 'a\\b', 'a#b'])(
    '%j is none',
    (key) => {
      expect(() => requireValidKey(key)).toThrow(
        expect.objectContaining({ code: 'InvalidKey', message: `Invalid key: ${key}` }),
      );
    },
  );

  it('has 1,024 characters at most, and no more of one is said again', () => {
    expect(() => requireValidKey('x'.repeat(1_025))).toThrow(
      expect.objectContaining({ message: `Invalid key: ${'x'.repeat(1_024)}` }),
    );
  });
});

describe('the name of a bucket', () => {
  it.each(['a', 'Meus arquivos & mais (1)', '...', 'x'.repeat(100)])('%s is one', (name) => {
    expect(requireValidBucketName(name)).toBe(name);
  });

  it.each(['', ' ', ' a', 'a ', '.', '..', 'a/b', 'á', 'x'.repeat(101)])('%j is none', (name) => {
    expect(() => requireValidBucketName(name)).toThrow(
      expect.objectContaining({ code: 'InvalidBucketName' }),
    );
  });
});
