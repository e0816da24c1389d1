import { describe, expect, test } from 'vitest';
import { pickEmoji } from './emoji.ts';
import { FOLDER_COLORS, hueOfFolder } from './folder-look.ts';
import { HUE_COUNT, pickHue } from './pick-hue.ts';

describe('the hue of a folder', () => {
  test('is the chosen one, each colour another', () => {
    const hues = FOLDER_COLORS.map((color) => hueOfFolder('f', color));
    expect(hues).toEqual(Array.from({ length: HUE_COUNT }, (_, hue) => hue));
  });

  test.each([null, undefined, '', 'gold'])('follows from its id where none is chosen: %j', (color) => {
    for (const id of ['a', 'b', 'c', 'd']) expect(hueOfFolder(id, color)).toBe(pickHue(id));
  });
});

describe('an emoji', () => {
  test.each(['📚', '✈️', '❤️', '👩🏽‍🍳', '👨‍👩‍👧‍👦', '🇧🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '#️⃣', '©️', '〰️', '🫠'])(
    'is taken whole: %s',
    (emoji) => {
      expect(pickEmoji(emoji)).toBe(emoji);
    },
  );

  test('is the last one of what was typed, whatever stands around it', () => {
    expect(pickEmoji('📚🍳')).toBe('🍳');
    expect(pickEmoji('📚🇧🇷 viagem')).toBe('🇧🇷');
  });

  test.each(['', ' ', 'abc', 'á', '12', '#', '-', '\u200d', '\ufe0f', '漢', '\u202e', 'م', '<b>'])(
    'is not what is none: %j',
    (text) => {
      expect(pickEmoji(text)).toBeNull();
    },
  );

  test('is not longer than what is kept of it', () => {
    expect(pickEmoji(['👩', '👩', '👩', '👩', '👩', '👩', '👩', '👩', '👩'].join('\u200d'))).toBeNull();
  });
});
