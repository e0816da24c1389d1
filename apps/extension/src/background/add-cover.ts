import { keepCover } from '../library/keep-cover.ts';
import { listCaptures } from '../outbox/outbox-store.ts';
import { holdOutbox } from '../outbox/send-captures.ts';
import { ownerOf, readConnection } from '../session/session-store.ts';
import type { SeenPage } from '../shared/messages.ts';

/**
 * Gives a link that was just sent the picture of its page, as its cover. The link is saved whatever becomes of this; one that still waits on
 * this device goes without: its page may be another by the time there is a network. Nothing is sent or taken back meanwhile, so that what
 * is undone leaves no file behind.
 * @param owner who saved the link: where somebody else signs in meanwhile it goes without.
 * @param taking the cover, which may be on its way still.
 */
export async function addCover(
  { owner, linkId }: Omit<SeenPage, 'tab'>,
  taking: Promise<Blob | null>,
): Promise<void> {
  const cover = await taking;
  if (cover === null) return;
  await holdOutbox(async () => {
    const connection = await readConnection();
    if (connection === null || connection.hasEnded || ownerOf(connection) !== owner) return;
    const waiting = await listCaptures(owner);
    if (!waiting.some(({ id }) => id === linkId)) await keepCover(connection, linkId, cover);
  }).catch(() => undefined);
}
