/** Letters and signs that `unaccent` spells with other ones, beyond what Unicode takes apart by itself. */
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ae: 'æ',
    d: 'ðđ',
    h: 'ħ',
    i: 'ı',
    l: 'łŀ',
    "'n": 'ŉ',
    n: 'ŋ',
    o: 'ø',
    oe: 'œ',
    q: 'ĸ',
    ss: 'ß',
    t: 'ŧ',
    th: 'þ',
    е: 'ё',
    '!': '¡',
    '?': '¿',
    '"': '“”‟″',
    "'": '‘’‛′',
    ',': '‚',
    ',,': '„',
    '-': '\u00ad‐‑‒–—―',
    '...': '…',
    '<<': '«',
    '>>': '»',
    '<': '‹',
    '>': '›',
    '(c)': '©',
    '(r)': '®',
    '*': '×',
    '/': '÷',
    '+/-': '±',
  }).flatMap(([spelling, characters]) => [...characters].map((character) => [character, spelling] as const)),
);

/** What `unaccent` drops. The marks of other scripts are letters to it, and stay. */
const ACCENTS = /[\u0300-\u0362]/g;

const LATIN_OR_GREEK = /^[a-zα-ω]*$/i;

const BLANKS = /[ \n\r\t]+/g;

const NOT_ASCII = /[^\0-\u007f]/gu;

/**
 * The form in which search compares: lower case, without accents, white space one blank ('Ação' becomes 'acao').
 * The twin of `private.normalize_search_text` in the database for the letters and signs of European languages.
 */
export function foldText(text: string): string {
  return text.replace(BLANKS, ' ').replace(NOT_ASCII, foldCharacter).toLowerCase();
}

/** What was typed, as it is compared; empty when there is nothing to look for. */
export function foldTerm(term: string): string {
  return foldText(term).replace(/^ +| +$/g, '');
}

const known = new Map<string, string>();

/** Remembers what it was asked: a library has few different letters and many of each. */
function foldCharacter(character: string): string {
  let folded = known.get(character);
  if (folded === undefined) {
    folded = lookUp(character);
    known.set(character, folded);
  }
  return folded;
}

function lookUp(character: string): string {
  const spelled = SPELLED.get(character.toLowerCase());
  if (spelled !== undefined) return spelled;
  const bare = character.normalize('NFKD').replace(ACCENTS, '');
  return (LATIN_OR_GREEK.test(bare) ? bare : character).toLowerCase();
}
