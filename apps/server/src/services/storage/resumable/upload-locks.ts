import { ERRORS, type Locker } from '@tus/server';

/** So long a request waits for the one before it to end. */
const PATIENCE_MS = 10_000;
/** More than these wait for one upload only when somebody plays with it. */
const MOST_WAITING = 8;

type Held = { readonly requestRelease: () => void; readonly waiting: (() => void)[] };

/**
 * One request at a time an upload, in this process. Who comes asks the one before to end: its connection may be half dead. Between
 * copies of the server the database decides (`appendPart`).
 * @throws ERRORS.ERR_LOCK_TIMEOUT to whom it takes too long.
 */
export function createUploadLocks(patienceMs = PATIENCE_MS): Locker {
  const held = new Map<string, Held>();

  function waitForTurn(holder: Held, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        settle();
      };
      const take = () => finish(resolve);
      const giveUp = () => {
        holder.waiting.splice(holder.waiting.indexOf(take), 1);
        finish(() => reject(ERRORS.ERR_LOCK_TIMEOUT));
      };
      const timer = setTimeout(giveUp, patienceMs);
      signal.addEventListener('abort', giveUp);
      holder.waiting.push(take);
    });
  }

  return {
    newLock: (id) => ({
      async lock(signal, requestRelease) {
        const holder = held.get(id);
        if (holder) {
          if (holder.waiting.length >= MOST_WAITING) throw ERRORS.ERR_LOCK_TIMEOUT;
          holder.requestRelease();
          await waitForTurn(holder, signal);
        }
        held.set(id, { requestRelease: () => void requestRelease(), waiting: holder?.waiting ?? [] });
      },
      async unlock() {
        const next = held.get(id)?.waiting.shift();
        if (next) next();
        else held.delete(id);
      },
    }),
  };
}
