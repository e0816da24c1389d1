import { describe, expect, it } from 'vitest';
import { readLinkdingQuestion, readRange } from './read-question.ts';

describe('a question of linkding’s', () => {
  it.each([
    ['', '', false],
    ['bolo fubá', 'bolo fubá', false],
    ['bolo #doces', 'bolo tag:"doces"', false],
    ['#a"b !untagged', '#a"b sem:tag', false],
    ['bolo !unread', 'bolo', true],
    ['pasta:Casa #', 'pasta:Casa #', false],
    [' a\0b ', 'a b', false],
  ])('asks in our operators: %j', (query, text, isNothing) => {
    expect(readLinkdingQuestion(query)).toEqual({ url: undefined, text, isNothing });
  });

  it('that is an address alone asks for that address', () => {
    const url = 'HTTPS://exemplo.test/a?b=c#d';
    expect(readLinkdingQuestion(url)).toEqual({ url, text: url, isNothing: false });
    expect(readLinkdingQuestion(`${url} bolo`).url).toBeUndefined();
  });
});

describe('a page by number', () => {
  const sizes = { usual: 100, most: 1_000 };
  it.each([
    [{}, { offset: 0, limit: 100 }],
    [
      { limit: '5', offset: '10' },
      { offset: 10, limit: 5 },
    ],
    [{ limit: '0' }, { offset: 0, limit: 100 }],
    [
      { limit: '1000000000', offset: '99999999' },
      { offset: 1_000_000, limit: 1_000 },
    ],
    [
      { limit: '-1', offset: '1e3' },
      { offset: 0, limit: 100 },
    ],
  ])('is read, and what is no number left out: %j', (query, range) => {
    expect(readRange(query, sizes)).toEqual(range);
  });
});
