import { decodeJwt } from 'jose/jwt/decode';

/** A person of the tests, with words that nobody else may be told: an address, a token. */
export type Known = { readonly id: string; readonly words: readonly string[] };

/** Who is spoken of. */
export type Belongings<Name extends string> = {
  /** Whose ids, addresses, hashes or tokens stand in a text, those inside of its tokens among them. @param except texts that were said before */
  ownersIn(text: string, except?: string): readonly Name[];
};

/** An id, a token, a hash; no word, address of the web or moment, which rows share by chance. */
const TELLING = /^(?!\d{4}-\d\d-\d\d|https?:)(?=.*\d).{20,}$/s;

/**
 * Finds by which words each person is known: their own, then each long value of a row in which one of these stands, unless it
 * stands in a row of another person as well; and so on, from row to row.
 */
export function readBelongings<Name extends string>(
  people: Readonly<Record<Name, Known>>,
  rows: readonly unknown[],
): Belongings<Name> {
  const words = new Map<Name, Set<string>>(
    (Object.entries(people) as [Name, Known][]).map(([name, known]) => [
      name,
      new Set([known.id, ...known.words]),
    ]),
  );
  const texts = rows.map((row) => ({ text: JSON.stringify(row), values: listTexts(row) }));
  const ownersIn = (text: string) =>
    [...words].filter(([, own]) => [...own].some((word) => text.includes(word))).map(([name]) => name);
  for (let known = -1; known !== count(words); ) {
    known = count(words);
    const owners = new Map<string, Set<Name>>();
    for (const { text, values } of texts)
      for (const owner of ownersIn(text))
        for (const value of values) owners.set(value, (owners.get(value) ?? new Set()).add(owner));
    for (const [value, [owner, another]] of owners)
      if (owner !== undefined && another === undefined) words.get(owner)?.add(value);
  }
  return {
    ownersIn: (text, except = '') => {
      const whole = text + openTokens(text);
      return [...words]
        .filter(([, own]) => [...own].some((word) => whole.includes(word) && !except.includes(word)))
        .map(([name]) => name);
    },
  };
}

function count(words: ReadonlyMap<string, ReadonlySet<string>>): number {
  return [...words.values()].reduce((sum, { size }) => sum + size, 0);
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return TELLING.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}

/** What the tokens in a text say. */
function openTokens(text: string): string {
  return [...text.matchAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g)]
    .map(([token]) => JSON.stringify(decodeJwt(token)))
    .join('');
}
