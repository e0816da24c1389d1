import { expect, it } from 'vitest';
import { printableJson, printableText } from './printable-text.ts';

it('a saved text tells a terminal nothing', () => {
  expect(printableText('a\u001b]0;x\u0007b\u009b31m\u202ec\nd')).toBe('a ]0;x b 31m c d');
  expect(printableText('👨‍👩‍👧 ção')).toBe('👨‍👩‍👧 ção');
  const json = printableJson({ title: 'a\u001b\u009b\u202e' });
  expect(json).toBe('{"title":"a\\u001b\\u009b\\u202e"}');
  expect(JSON.parse(json)).toEqual({ title: 'a\u001b\u009b\u202e' });
});
