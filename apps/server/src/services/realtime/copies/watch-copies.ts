import type { CopySession } from './keep-copy-session.ts';
import { listSeenCopies, type SeenCopy } from './list-seen-copies.ts';

export type CopyWatch = {
  /** Looks at once, and then again and again until the session is lost. */
  look(): void;
  stop(): void;
};

const EVERY_MS = 500;
/** Those who come announce themselves; this finds what was missed. */
const EVERY_ALONE_MS = 5_000;

/** @param onSeen is told of all copies whose sessions are open; @returns whether there are others. */
export function watchCopies(
  session: Pick<CopySession, 'query'>,
  onSeen: (seen: readonly SeenCopy[]) => boolean,
): CopyWatch {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isLooking = false;
  let isAsked = false;

  async function look(): Promise<void> {
    // What is seen already may be older than what the asker knows.
    isAsked = true;
    if (isLooking || stopped) return;
    isLooking = true;
    isAsked = false;
    clearTimeout(timer);
    const seen = await listSeenCopies(session.query).catch(() => undefined);
    isLooking = false;
    // Without a session there is nothing to see: who opens the next one looks again.
    if (stopped || seen === undefined) return;
    const everyMs = onSeen(seen) ? EVERY_MS : EVERY_ALONE_MS;
    timer = setTimeout(look, isAsked ? 0 : everyMs).unref();
  }

  return {
    look: () => void look(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
