import { foldTerm } from './fold-text.ts';

/** Twin of `private.most_tags` in the database. A plan gives a person as many tags as links, and never more than these. */
export const TAG_LIMITS = { person: 10_000, link: 20, undo: 30 } as const;

/** Links that get or lose tags in one call: more would keep a person's other devices waiting. The database takes more. */
export const LINKS_PER_TAGGING = 5_000;

/** Characters of a tag's name. */
const NAME_LENGTH = 50;

/** What separates tags in a field, in a question or in a file, and white space. */
const SEPARATORS = /[\s",;|“”\p{Cc}]+/gu;

/**
 * A tag's name as it is kept, of one that was typed or stands in a file: '#receitas ' is 'receitas'. Twin of `private.tag_name`.
 * @returns null where nothing is left.
 */
export function readTagName(typed: string): string | null {
  const plain = typed.replace(SEPARATORS, ' ').replace(/^[ #]+/, '');
  const name = [...plain].slice(0, NAME_LENGTH).join('').replace(/ +$/, '');
  return foldTerm(name) === '' ? null : name;
}

/** Tags of the same key are one: neither accents nor case tell them apart. */
export function tagKey(name: string): string {
  return foldTerm(name);
}

/** Names as they are kept, each tag once, in their order. */
export function readTagNames(typed: readonly string[]): readonly string[] {
  const names = new Map<string, string>();
  for (const one of typed) {
    const name = readTagName(one);
    if (name !== null && !names.has(tagKey(name))) names.set(tagKey(name), name);
  }
  return [...names.values()];
}

/** The question that finds the links of a tag. */
export function tagQuestion(name: string): string {
  return /[\s:]/.test(name) ? `tag:"${name}"` : `tag:${name}`;
}
