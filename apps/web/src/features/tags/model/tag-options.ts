import { readTagName, tagKey } from '@linkoteca/domain/tags';
import { byUse, type Tag } from './tag-rows.ts';

/** So few that the form below stays in sight. */
const MOST = 8;

export interface TagOption {
  readonly name: string;
  /** Undefined for one that would be made. */
  readonly tag?: Tag;
}

/**
 * What a tag that is being typed may become: itself first, so that Enter never makes it another, then the person's own that contain it,
 * those that begin with it before the others. '#' alone offers those that are used most.
 */
export function listTagOptions(
  tags: readonly Tag[],
  typed: string,
  chosen: readonly string[],
): readonly TagOption[] {
  const taken = new Set(chosen.map(tagKey));
  const name = readTagName(typed);
  const key = name === null ? '' : tagKey(name);
  const free = tags.filter((tag) => !taken.has(tagKey(tag.name)));
  const same = free.find((tag) => tagKey(tag.name) === key);
  const begins = (tag: Tag) => Number(tagKey(tag.name).startsWith(key));
  const others = free
    .filter((tag) => tag !== same && tagKey(tag.name).includes(key))
    .toSorted((one, other) => begins(other) - begins(one) || byUse(one, other))
    .map((tag) => ({ name: tag.name, tag }));
  const first = same ? [{ name: same.name, tag: same }] : name === null || taken.has(key) ? [] : [{ name }];
  return [...first, ...others].slice(0, MOST);
}
