/** What one question after a cover says about those that follow: go on, wait so many milliseconds, or ask no more. */
export type AfterCover = 'go_on' | 'stop' | { readonly waitMs: number };

export interface CoverQueue {
  /** Asks for the cover of a link when its turn comes. @returns takes it back, unless it has begun. */
  readonly add: (linkId: string, ask: () => Promise<AfterCover>) => () => void;
  readonly isRunning: (linkId: string) => boolean;
  /** Somebody asked for one themselves: it is shown as the others are. */
  readonly show: <Answer>(linkId: string, asking: Promise<Answer>) => Promise<Answer>;
  /** Asks again for what failed or was stopped: the view is opened anew, or the network is back. */
  readonly resume: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Somebody waits for the cover of a link, as long as it is in sight. */
interface Wait {
  readonly ask: () => Promise<AfterCover>;
  inSight: boolean;
}

/**
 * Whose cover is fetched next: a few at a time, in the order in which their links came into sight; what has left it before its turn is
 * not asked for. What failed rests until the queue is resumed.
 */
export function createCoverQueue(atOnce: number): CoverQueue {
  const waiting = new Map<string, Wait>();
  const running = new Set<string>();
  const resting = new Set<string>();
  const listeners = new Set<() => void>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const tell = () => {
    for (const listener of listeners) listener();
  };
  const show = async <Answer>(linkId: string, asking: Promise<Answer>): Promise<Answer> => {
    running.add(linkId);
    tell();
    try {
      return await asking;
    } finally {
      running.delete(linkId);
      tell();
    }
  };
  const begin = async (linkId: string, wait: Wait) => {
    waiting.delete(linkId);
    const after = await show(linkId, wait.ask()).catch(() => 'failed' as const);
    if (after === 'failed') resting.add(linkId);
    if (after === 'stop') stopped = true;
    if (typeof after === 'object') rest(after.waitMs);
    if (after !== 'go_on' && wait.inSight) waiting.set(linkId, wait);
    goOn();
  };
  const rest = (milliseconds: number) => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = undefined;
      goOn();
    }, milliseconds);
  };
  const goOn = () => {
    for (const [linkId, wait] of waiting) {
      if (stopped || pause !== undefined || running.size >= atOnce) return;
      if (!resting.has(linkId)) void begin(linkId, wait);
    }
  };

  return {
    add: (linkId, ask) => {
      if (running.has(linkId)) return () => undefined;
      const wait: Wait = { ask, inSight: true };
      waiting.set(linkId, wait);
      goOn();
      return () => {
        wait.inSight = false;
        if (waiting.get(linkId) === wait) waiting.delete(linkId);
      };
    },
    isRunning: (linkId) => running.has(linkId),
    show,
    resume: () => {
      stopped = false;
      resting.clear();
      goOn();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
