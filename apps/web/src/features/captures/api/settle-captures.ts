import type { Connection } from '../../../shared/lib/connection/create-connection.ts';
import { type Capture, isDue, type WaitingCapture } from '../model/capture.ts';
import { readCaptures, watchOutbox } from './outbox-store.ts';

/** How long somebody waits to hear that it is saved, milliseconds. After that it is said to wait, which is true. */
const PATIENCE_MS = 10_000;

/**
 * Waits until each of these captures is saved or refused, or nothing can be sent now.
 * @returns those that still wait on this device.
 */
export function settleCaptures(
  userId: string,
  captures: readonly Capture[],
  connection: Connection | null,
): Promise<readonly WaitingCapture[]> {
  const ids = new Set(captures.map(({ id }) => id));
  return new Promise((resolve) => {
    const look = async (isLate = false) => {
      const left = (await readCaptures(userId)).filter(({ id }) => ids.has(id));
      if (!isLate && left.some(isDue) && connection?.isOnline() !== false) return;
      clearTimeout(timer);
      stopWatching();
      stopFollowing?.();
      resolve(left);
    };
    const timer = setTimeout(() => void look(true), PATIENCE_MS);
    const stopWatching = watchOutbox(() => void look());
    const stopFollowing = connection?.subscribe(() => void look());
    void look();
  });
}
