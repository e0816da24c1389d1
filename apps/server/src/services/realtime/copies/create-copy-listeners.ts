import type { Logger } from 'pino';
import type { CopyListener } from './copy-bus.ts';

export type CopyListeners = Required<CopyListener> & {
  /** @returns the way to leave. */
  add(listener: CopyListener): () => void;
};

/** All listeners as one. One that throws is logged and spoils nothing for the others. */
export function createCopyListeners(logger: Pick<Logger, 'info' | 'error'>): CopyListeners {
  const listeners = new Set<CopyListener>();

  function tell(say: (listener: CopyListener) => void): void {
    for (const listener of listeners) {
      try {
        say(listener);
      } catch (err) {
        logger.error({ err }, 'a listener to the other copies failed');
      }
    }
  }

  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    message: (from, message) => tell((listener) => listener.message?.(from, message)),
    joined(copyId) {
      logger.info({ copy: copyId }, 'another copy of the server is here');
      tell((listener) => listener.joined?.(copyId));
    },
    left(copyId) {
      logger.info({ copy: copyId }, 'another copy of the server has gone');
      tell((listener) => listener.left?.(copyId));
    },
  };
}
