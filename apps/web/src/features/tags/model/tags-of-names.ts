import type { Tag } from './tag-rows.ts';

/** The tags of links that somebody shares, as far as they are told: their names, and on how many of those links they stand. */
export function tagsOfNames(namesOfLinks: Iterable<readonly string[]>): readonly Tag[] {
  const counts = new Map<string, number>();
  for (const names of namesOfLinks) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, link_count]) => ({
    id: name,
    name,
    color: null,
    link_count,
    tagged_at: '',
    created_at: '',
  }));
}
