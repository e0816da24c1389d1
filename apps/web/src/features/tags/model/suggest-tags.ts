import { foldText } from '@linkoteca/domain/fold-text';
import { tagKey } from '@linkoteca/domain/tags';
import type { Link } from '../../../shared/lib/rows.ts';
import type { Tag } from './tag-rows.ts';

/** So few that they are read at a glance. */
const MOST = 5;

/** Links that are compared: the newest of what the browser holds. */
const LOOKED_AT = 2_000;

/** What a tag gains by its own name in the title, by a link of the same site, and by a word that a link's title shares. */
const WEIGHT = { name: 6, site: 3, word: 1 } as const;

/** Words of fewer letters join what has nothing in common. */
const WORD = /[\p{L}\p{N}]{4,}/gu;

/**
 * The person's own tags that fit a link, the likeliest first: those that its title or address names, and those of links of the same
 * site or with the same words. Nothing leaves the browser.
 * @param links of the person's own, with their tags.
 */
export function suggestTags(
  link: { readonly url: string; readonly title: string },
  tags: readonly Tag[],
  links: readonly Link[],
  chosen: readonly string[],
): readonly string[] {
  const host = hostOf(link.url);
  const text = foldText(`${link.title} ${link.url}`);
  const words = wordsOf(link.title);
  const points = new Map<string, number>();
  const add = (id: string, gain: number) => points.set(id, (points.get(id) ?? 0) + gain);
  for (const { id, name } of tags) if (names(text, tagKey(name))) add(id, WEIGHT.name);
  for (const other of links.slice(0, LOOKED_AT)) {
    if (!other.link_tags?.length) continue;
    const gain =
      (host !== null && hostOf(other.url) === host ? WEIGHT.site : 0) +
      WEIGHT.word * [...wordsOf(other.title)].filter((word) => words.has(word)).length;
    if (gain > 0) for (const { tag_id } of other.link_tags) add(tag_id, gain);
  }
  const taken = new Set(chosen.map(tagKey));
  return tags
    .filter(({ id, name }) => points.has(id) && !taken.has(tagKey(name)))
    .toSorted((a, b) => (points.get(b.id) ?? 0) - (points.get(a.id) ?? 0) || b.link_count - a.link_count)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** Whether a text holds a name as words of its own. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const isLetter = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return at >= 0 && !isLetter(text[at - 1]) && !isLetter(text[at + name.length]);
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? null;
}

function wordsOf(title: string): ReadonlySet<string> {
  return new Set(foldText(title).match(WORD) ?? []);
}
