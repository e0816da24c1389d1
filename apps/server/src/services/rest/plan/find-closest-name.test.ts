import { describe, expect, it } from 'vitest';
import { findClosestName, NEAR } from './find-closest-name.ts';

describe('findClosestName', () => {
  it.each([
    ['link', ['links', 'folders'], 'links'],
    ['Links', ['links'], 'links'],
    ['categoires', ['categories', 'folders'], 'categories'],
    ['zzz', ['links', 'folders'], undefined],
    ['', ['links'], undefined],
    ['', [''], undefined],
    ['abcd', ['abce'], 'abce'],
    ['abcd', ['abxx'], undefined],
    ['abcd', ['abcx', 'abcy', 'abcd', 'abcz'], 'abcd'],
    ['abcd', ['abcx', 'abcy'], 'abcx'],
    ['abc', ['abcd'], 'abcd'],
    ['abcdefgh', ['abcdef'], 'abcdef'],
  ])('for %s', (name, names, expected) => {
    expect(findClosestName(name, names, NEAR)).toBe(expected);
  });

  it('compares as much of a name as a list of parameters may have', () => {
    const long = 'x'.repeat(200);
    expect(findClosestName(`${long}${'y'.repeat(200)}`, [`${long}${'z'.repeat(200)}`], 1)).toBeDefined();
  });

  it('takes no long time over a long name', () => {
    expect(findClosestName('x'.repeat(16_000), ['links'], NEAR)).toBeUndefined();
  });

  it('looks at those alone that share letters in a row with it', () => {
    // Half as long and yet nothing in common but single letters.
    expect(findClosestName('abcd', ['badc'], 0.1)).toBeUndefined();
    expect(findClosestName('abcd', ['xabx', 'badc'], 0.1)).toBe('xabx');
    expect(findClosestName('a', ['ab'], 0.33)).toBe('ab');
  });
});
