import { keepCover } from '../library/keep-cover.ts';
import { listCaptures } from '../outbox/outbox-store.ts';
import { holdOutbox } from '../outbox/send-captures.ts';
import { ownerOf, readConnection } from '../session/session-store.ts';

/**
 * Gives a link that was just sent the picture of its page, as its cover. The link is saved whatever becomes of this; one that still waits on
 * this device goes without: its page may be another by the time there is a network. Nothing is sent or taken back meanwhile, so that what
 * is undone leaves no file behind.
 * @param taking the cover, which may be on its way still.
 */
export async function addCover(linkId: string, taking: Promise<Blob | null>): Promise<void> {
  const cover = await taking;
  if (cover === null) return;
  await holdOutbox(async () => {
    const connection = await readConnection();
    if (connection === null || connection.hasEnded) return;
    const waiting = await listCaptures(ownerOf(connection));
    if (!waiting.some(({ id }) => id === linkId)) await keepCover(connection, linkId, cover);
  }).catch(() => undefined);
}
