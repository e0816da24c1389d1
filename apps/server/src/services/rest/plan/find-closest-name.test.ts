import { describe, expect, it } from 'vitest';
import { findClosestName, NEAR } from './find-closest-name.ts';

describe('findClosestName', () => {
  it.each([
    ['link', ['links', 'folders'], 'links'],
    ['Links', ['links'], 'links'],
    ['categoires', ['categories', 'folders'], 'categories'],
    ['zzz', ['links', 'folders'], undefined],
    ['', ['links'], undefined],
  ])('for %s', (name, names, expected) => {
    expect(findClosestName(name, names, NEAR)).toBe(expected);
  });

  it('takes no long time over a long name', () => {
    expect(findClosestName('x'.repeat(16_000), ['links'], NEAR)).toBeUndefined();
  });
});
