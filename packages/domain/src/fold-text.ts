/** Letters that carry no separable accent, as Postgres `unaccent` spells them. */
const SPELLED: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

const MARKS = /\p{M}/gu;

/** Lower case without accents: the form in which search compares ('Ação' becomes 'acao'). */
export function foldText(text: string): string {
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

export interface TextPart {
  readonly text: string;
  readonly matched: boolean;
}

/**
 * Splits a text around every place where the term occurs, ignoring case and accents, for highlighting.
 * The parts joined give the text back, character for character.
 */
export function splitMatches(text: string, term: string): readonly TextPart[] {
  const needle = foldText(term.trim());
  if (needle === '') return [{ text, matched: false }];
  const { folded, origins } = foldWithOrigins(text);
  const parts: TextPart[] = [];
  let shown = 0;
  let at = folded.indexOf(needle);
  while (at !== -1) {
    const start = Math.max(origins[at] ?? text.length, shown);
    const end = origins[at + needle.length] ?? text.length;
    if (end > start) {
      if (start > shown) parts.push({ text: text.slice(shown, start), matched: false });
      parts.push({ text: text.slice(start, end), matched: true });
      shown = end;
    }
    at = folded.indexOf(needle, at + needle.length);
  }
  if (shown < text.length) parts.push({ text: text.slice(shown), matched: false });
  return parts;
}

/** For each unit of the folded text, where in the original it came from; one more entry marks the end. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = [];
  let folded = '';
  let position = 0;
  for (const character of text) {
    const piece = foldCharacter(character);
    for (let unit = 0; unit < piece.length; unit += 1) origins.push(position);
    folded += piece;
    position += character.length;
  }
  origins.push(position);
  return { folded, origins };
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const spelled = SPELLED[lower];
  return spelled ?? lower.normalize('NFD').replace(MARKS, '');
}
