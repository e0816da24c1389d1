import { foldText } from '@linkoteca/domain/fold-text';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const letters = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

/** Asks the database for the normal form of each text, and names those that the screens fold otherwise. */
async function disagreements(texts: readonly string[]): Promise<string[]> {
  const { rows } = await database.admin.query<{ source: string; normal: string }>(
    'select source, private.normalize_search_text(source) as normal from unnest($1::text[]) as source',
    [texts],
  );
  expect(rows).toHaveLength(texts.length);
  return rows
    .filter(({ source, normal }) => foldText(source) !== normal)
    .map(({ source, normal }) => `${JSON.stringify(source)}: ${normal} here, ${foldText(source)} there`);
}

test.each([
  ['the letters of a keyboard', letters(0x20, 0x7e)],
  // Not ª, º, µ and the fractions: which of them count as letters changed between Postgres 15 and 17.
  ['Western signs and letters', letters(0xa0, 0xff).filter((letter) => !'ªºµ¼½¾'.includes(letter))],
  ['Central European letters', letters(0x100, 0x17e).filter((letter) => letter !== 'ŉ')],
  ['Vietnamese letters', letters(0x1ea0, 0x1ef9)],
  ['accents that stand alone', letters(0x300, 0x362)],
  ['Greek letters', letters(0x391, 0x3c9)],
  ['Cyrillic letters', letters(0x410, 0x451)],
  ['marks that belong to a letter', ['が', 'ぱ', 'किताब', 'שָׁלוֹם', 'كِتَاب', '한국']],
  ['typographic signs', [...'‐‑‒–—―‘’‚‛„…′‹›']],
  ['emoji', ['👍🏽', '👩‍👩‍👧', '❤️', '🇧🇷']],
  ['white space', ['a\nb', 'a \t\r\n  b', ' a ', '   ']],
])('%s are compared alike in the database and in the browser', async (_what, texts) => {
  expect(await disagreements(texts)).toEqual([]);
});
