import { countCharacters } from './text.ts';

/** What the longest emoji takes (a flag of a region, a family with skin tones) and some more. Code points. */
const MOST_CHARACTERS = 16;

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|\u20E3/u;
/** What an emoji is made of; the database accepts no other character. */
const MADE_OF_SYMBOLS =
  /^(?:\u200D|\u20E3|\uFE0F|[\u00A9\u00AE\u203C\u2049\u2100-\u2BFF\u3030\u303D\u3297\u3299\u{1F000}-\u{1FAFF}#*0-9]|[\u{E0020}-\u{E007F}])+$/u;

/** The last emoji of what was typed, so that a new one takes the place of the one before; null where there is none. */
export function pickEmoji(typed: string): string | null {
  const segments = [...new Intl.Segmenter().segment(typed)].map(({ segment }) => segment);
  return segments.findLast(isEmoji) ?? null;
}

function isEmoji(segment: string): boolean {
  return EMOJI.test(segment) && MADE_OF_SYMBOLS.test(segment) && countCharacters(segment) <= MOST_CHARACTERS;
}
