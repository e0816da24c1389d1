import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { callInParts } from '../../../shared/lib/writes/call-in-parts.ts';
import type { Capture } from '../model/capture.ts';
import { readCaptures, removeCaptures } from './outbox-store.ts';
import { holdOutbox } from './send-captures.ts';

/**
 * Takes captures back: those that wait leave the device, those that are saved go to the bin. Nothing is sent meanwhile; one whose answer
 * was lost is not saved by a later attempt either, for its id lies in the bin.
 * @throws the table API's error; PartlyDone where more than one call was needed.
 */
export function undoCaptures(
  database: DatabaseClient,
  userId: string,
  captures: readonly Capture[],
): Promise<void> {
  const ids = new Set(captures.map(({ id }) => id));
  return holdOutbox(userId, async () => {
    const waiting = (await readCaptures(userId)).filter(({ id }) => ids.has(id));
    await removeCaptures(
      userId,
      waiting.map(({ place }) => place),
    );
    try {
      // Also what waited: it may be saved although its answer was lost.
      await callInParts([...ids], async (part) => {
        const { data } = await database.rpc('delete_links', { link_ids: part }).throwOnError();
        return data;
      });
    } catch (error) {
      // Nothing of it is known to be saved.
      if (waiting.length < ids.size) throw error;
    }
  });
}
