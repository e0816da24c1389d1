import { type Connection, ownerOf } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import type { WaitingCapture } from './capture.ts';
import { changeCaptures, listCaptures, removeCaptures } from './outbox-store.ts';
import { holdOutbox } from './send-captures.ts';

/** What a person changes of what they have just saved; what is left out stays. */
export interface CaptureChange {
  readonly categoryId?: string;
  readonly description?: string | null;
  readonly addedTags?: readonly string[];
  readonly removedTags?: readonly string[];
}

const findWaiting = async (owner: string, id: string): Promise<WaitingCapture | undefined> =>
  (await listCaptures(owner)).find((waiting) => waiting.id === id);

/**
 * Changes a capture where it is: while it waits on this device, else in the library. Nothing is sent meanwhile.
 * @throws the table API's error.
 */
export function changeCapture(connection: Connection, id: string, change: CaptureChange): Promise<void> {
  const owner = ownerOf(connection);
  return holdOutbox(async () => {
    const waiting = await findWaiting(owner, id);
    if (waiting === undefined) return changeLink(connection, id, change);
    const { addedTags = [], removedTags = [], ...fields } = change;
    const tags = [...waiting.tags.filter((tag) => !removedTags.includes(tag)), ...addedTags];
    const gone = [...(waiting.removedTags ?? []), ...removedTags].filter((tag) => !tags.includes(tag));
    // Another place is another question to the services; whatever else was refused stays so.
    const refusal = fields.categoryId === undefined ? waiting.refusal : null;
    await changeCaptures(owner, [waiting.place], {
      ...fields,
      tags,
      removedTags: [...new Set(gone)],
      refusal,
      isChanged: true,
    });
  });
}

async function changeLink(connection: Connection, id: string, change: CaptureChange): Promise<void> {
  const database = openDatabase(connection);
  const { categoryId, description, addedTags = [], removedTags = [] } = change;
  if (categoryId !== undefined || description !== undefined)
    await database
      .from('links')
      .update({
        ...(categoryId === undefined ? {} : { category_id: categoryId }),
        ...(description === undefined ? {} : { description }),
      })
      .eq('id', id)
      .throwOnError();
  if (addedTags.length + removedTags.length > 0)
    await database
      .rpc('tag_links', { link_ids: [id], added: [...addedTags], removed: [...removedTags] })
      .throwOnError();
}

/**
 * Takes captures back: what waits leaves the device, what is saved goes to the bin. One whose answer was lost is not saved by a later
 * attempt either, for its id lies in the bin.
 * @throws the table API's error.
 */
export function undoCaptures(connection: Connection, ids: readonly string[]): Promise<void> {
  const owner = ownerOf(connection);
  return holdOutbox(async () => {
    const waiting = (await listCaptures(owner)).filter(({ id }) => ids.includes(id));
    await removeCaptures(
      owner,
      waiting.map(({ place }) => place),
    );
    // Also what waited: it may be saved although its answer was lost.
    const { error } = await openDatabase(connection).rpc('delete_links', { link_ids: [...ids] });
    if (error !== null && waiting.length < ids.length) throw error;
  });
}
