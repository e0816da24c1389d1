import type { Database } from '@linkoteca/database-types/database';
import { tagKey } from '@linkoteca/domain/tags';
import type { QueryClient } from '@tanstack/react-query';
import { type OptimisticRowList, optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';

type Row = Database['public']['Tables']['tags']['Row'];

/** A tag of the signed-in person. */
export type Tag = Readonly<Pick<Row, 'id' | 'name' | 'color' | 'link_count' | 'tagged_at' | 'created_at'>>;

export const TAG_COLUMNS = 'id,name,color,link_count,tagged_at,created_at';

/** Cache key of a person's tags. */
export function tagListKey(userId: string) {
  return ['tags', userId] as const;
}

/** The cached tags of a person, to be changed ahead of the server. */
export function tagRows(queryClient: QueryClient, userId: string): OptimisticRowList<Tag> {
  return optimisticRowList<Tag>(queryClient, tagListKey(userId));
}

/** As people look for them: by name, without accents and case. */
export function byName(one: Tag, other: Tag): number {
  return tagKey(one.name).localeCompare(tagKey(other.name), 'pt-BR', { numeric: true });
}

export function byUse(one: Tag, other: Tag): number {
  return other.link_count - one.link_count || byName(one, other);
}

/** Which of the tags has this name, however it is written. */
export function findTag(tags: readonly Tag[], name: string): Tag | undefined {
  const key = tagKey(name);
  return tags.find((tag) => tagKey(tag.name) === key);
}
