import { LINKS_PER_TAGGING, tagKey } from '@linkoteca/domain/tags';
import type { QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { callInParts } from '../../../shared/lib/writes/call-in-parts.ts';
import { type Tag, tagListKey } from '../model/tag-rows.ts';

export interface TagScope {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly userId: string;
}

/** Which links get and lose which tags, by their names. */
export interface Tagging {
  readonly ids: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

type NameOfTag = Pick<Tag, 'name'>;

/** What was written of it, by the ids of the tags; nothing of tags that are somebody else's. */
export interface Tagged {
  readonly ids: ReadonlySet<string>;
  readonly given: readonly string[];
  readonly taken: readonly string[];
}

/**
 * Gives links tags and takes others, and the tags are in the list that is cached.
 * @param onTagged called as often as the service was: with what lists of links may show.
 * @param changes gets what undoes it, in the order in which it was done, also where not all of it could be done.
 * @throws the table API's error: P0001 where a link or the plan has no room; PartlyDone where more than one call was needed.
 */
export async function tagLinks(
  { database, queryClient, userId }: TagScope,
  { ids, added, removed }: Tagging,
  onTagged: (tagged: Tagged) => void,
  changes: number[] = [],
): Promise<void> {
  const taken = new Set(removed.map(tagKey));
  await callInParts(
    ids,
    async (part) => {
      const { data } = await database
        .rpc('tag_links', { link_ids: part, added: [...added], removed: [...removed] })
        .throwOnError();
      const { change, tags: told } = data as unknown as {
        change: number;
        tags: readonly (Tag | NameOfTag)[];
      };
      changes.push(change);
      // Of tags that are somebody else's no more is told than the names.
      const tags = told.filter((tag): tag is Tag => 'id' in tag);
      storeTags(queryClient, userId, tags);
      const [lost, got] = [true, false].map((isLost) =>
        tags.filter(({ name }) => taken.has(tagKey(name)) === isLost).map(({ id }) => id),
      );
      renewFound(queryClient);
      onTagged({ ids: new Set(part), given: got ?? [], taken: lost ?? [] });
      return part.length;
    },
    LINKS_PER_TAGGING,
  );
}

/** Undoes changes of tags, the last one first; everything that shows them is read again. */
export async function undoTagChanges(
  { database, queryClient }: TagScope,
  changes: readonly number[],
): Promise<void> {
  try {
    for (const change of changes.toReversed()) await undoChange(database, change);
  } finally {
    renewTagged(queryClient);
  }
}

/** A change of many links is undone in several calls. */
async function undoChange(database: DatabaseClient, change: number): Promise<void> {
  for (;;) {
    const { data: done } = await database.rpc('undo_tag_change', { change_id: change }).throwOnError();
    if (done) return;
  }
}

/** What shows tags is read again. */
export function renewTagged(queryClient: QueryClient): void {
  for (const name of ['tags', 'links', 'shared-tags'])
    void queryClient.invalidateQueries({ queryKey: [name] });
  renewFound(queryClient);
}

/** What finds links by their tags is read again. */
export function renewFound(queryClient: QueryClient): void {
  for (const name of ['search', 'search-totals']) void queryClient.invalidateQueries({ queryKey: [name] });
}

/** Puts tags as the service has them into the cached list; what it tells besides is left out. */
function storeTags(queryClient: QueryClient, userId: string, stored: readonly Tag[]): void {
  const rows = stored.map(({ id, name, color, link_count, tagged_at, created_at }) => ({
    id,
    name,
    color,
    link_count,
    tagged_at,
    created_at,
  }));
  const ids = new Set(rows.map(({ id }) => id));
  queryClient.setQueryData<readonly Tag[]>(
    tagListKey(userId),
    (tags) => tags && [...rows, ...tags.filter(({ id }) => !ids.has(id))],
  );
}
