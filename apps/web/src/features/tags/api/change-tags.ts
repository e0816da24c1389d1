import { type Tag, tagRows } from '../model/tag-rows.ts';
import { renewFound, renewTagged, type TagScope } from './tag-links.ts';

/** Renames a tag or gives it a colour; the list shows it before the server has answered. @throws the table API's error. */
export async function changeTag(
  { database, queryClient, userId }: TagScope,
  id: string,
  change: Partial<Pick<Tag, 'name' | 'color'>>,
): Promise<void> {
  const shown = await tagRows(queryClient, userId).beginPatch(id, change);
  try {
    await database.from('tags').update(change).eq('id', id).throwOnError();
  } catch (error) {
    shown.undo();
    throw error;
  } finally {
    shown.settle();
  }
  renewFound(queryClient);
}

/** Takes tags away from all their links. @returns what undoes it. @throws the table API's error. */
export async function deleteTag({ database, queryClient, userId }: TagScope, id: string): Promise<number> {
  const shown = await tagRows(queryClient, userId).beginDrop((tag) => tag.id === id);
  try {
    const { data } = await database.rpc('delete_tags', { tag_ids: [id] }).throwOnError();
    return data;
  } catch (error) {
    shown.undo();
    throw error;
  } finally {
    shown.settle();
    renewFound(queryClient);
  }
}

/**
 * Makes one tag of two: the links of the first have the second.
 * @param changes gets what undoes it, also where it stopped halfway. @returns the same. @throws the table API's error.
 */
export async function mergeTags(
  { database, queryClient, userId }: TagScope,
  sourceId: string,
  targetId: string,
  changes: number[],
): Promise<readonly number[]> {
  const shown = await tagRows(queryClient, userId).beginDrop((tag) => tag.id === sourceId);
  try {
    for (;;) {
      const { data } = await database
        .rpc('merge_tags', { source_ids: [sourceId], target_id: targetId })
        .throwOnError();
      const { change, done } = data as unknown as { change: number; done: boolean };
      changes.push(change);
      if (done) return changes;
    }
  } catch (error) {
    shown.undo();
    throw error;
  } finally {
    shown.settle();
    renewTagged(queryClient);
  }
}
