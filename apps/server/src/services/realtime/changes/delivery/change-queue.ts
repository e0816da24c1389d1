import type { RowChange } from '../../feed/change-feed.ts';
import type { Publication } from '../catalogue/publication.ts';

/** Changes in the order of their commits, on their way to the channels. */
export type ChangeQueue = {
  push(change: RowChange): void;
  clear(): void;
};

export type ChangeQueueOptions = {
  /** What is published, if it is recent enough to decide by and everything is prepared for it. */
  ready(): Publication | undefined;
  /** Makes it so. */
  prepare(): Promise<Publication>;
  /** Whether what was prepared is known to be too old already. */
  isOutdated(): boolean;
  dispatch(change: RowChange, publication: Publication): void;
  /** Changes were lost. */
  fail(error: unknown): void;
};

/** Further behind than this nothing is kept: the clients fetch anew. */
const MAX_WAITING = 20_000;

/** A change waits until rights and policies are known to be recent, and behind those that wait already. */
export function createChangeQueue({
  ready,
  prepare,
  isOutdated,
  dispatch,
  fail,
}: ChangeQueueOptions): ChangeQueue {
  let waiting: RowChange[] = [];
  let isMoving = false;

  function lose(error: unknown): void {
    waiting = [];
    fail(error);
  }

  async function move(): Promise<void> {
    if (isMoving) return;
    isMoving = true;
    try {
      while (waiting.length > 0) {
        const publication = await prepare();
        if (isOutdated()) continue;
        // Whoever waited for this reading is decided by it, even where preparing took longer than it counts as recent.
        const due = waiting;
        waiting = [];
        for (const change of due) dispatch(change, publication);
      }
    } catch (error) {
      lose(error);
    } finally {
      isMoving = false;
    }
  }

  return {
    push(change) {
      const publication = waiting.length === 0 && !isMoving ? ready() : undefined;
      if (publication) {
        try {
          dispatch(change, publication);
        } catch (error) {
          lose(error);
        }
        return;
      }
      waiting.push(change);
      if (waiting.length > MAX_WAITING) lose(new Error('too many changes wait for the catalogue'));
      else void move();
    },
    clear() {
      waiting = [];
    },
  };
}
