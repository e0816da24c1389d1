/** Whether the services can be reached from here. */
export interface Connection {
  readonly isOnline: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
  /** `fetch` that notices when the services stay silent, and when they answer again. */
  readonly request: typeof fetch;
  /** Looks now instead of at the next turn. Resolves to whether they answered. */
  readonly check: () => Promise<boolean>;
  /** Ends the watching. */
  readonly stop: () => void;
}

interface ConnectionOptions {
  readonly request: typeof fetch;
  /** Asks the services for anything at all; true when they answered. Must not throw. */
  readonly probe: () => Promise<boolean>;
  /** The browser's word at the start. */
  readonly deviceOnline: boolean;
}

/** Answers of a proxy whose server is away. */
const AWAY = new Set([502, 503, 504]);
/** A request that takes longer makes us look whether anybody is there. */
const SLOW_MS = 8_000;
/** How long after each look in vain the next one comes; then always the last. */
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;

/**
 * Follows whether the services can be reached. The browser's own word is only a hint: a phone calls itself online in a
 * network that leads nowhere, and a server on the same machine needs no network. So every hint (the browser's events, a
 * request that failed, a slow one) makes us ask the services themselves, and their silence decides.
 */
export function createConnection({ request, probe, deviceOnline }: ConnectionOptions): Connection {
  let online = deviceOnline;
  let looking: Promise<boolean> | null = null;
  let vain = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const become = (next: boolean) => {
    clearTimeout(timer);
    if (next) vain = 0;
    else {
      timer = setTimeout(check, RETRY_MS[Math.min(vain, RETRY_MS.length - 1)]);
      vain += 1;
    }
    if (next === online) return;
    online = next;
    for (const listener of listeners) listener();
  };
  function check(): Promise<boolean> {
    looking ??= probe().then((answered) => {
      looking = null;
      become(answered);
      return answered;
    });
    return looking;
  }
  const look = () => void check();
  const lookIfAway = () => {
    if (!online) look();
  };

  const watched: typeof fetch = async (input, init) => {
    const slow = setTimeout(look, SLOW_MS);
    try {
      const response = await request(input, init);
      if (AWAY.has(response.status)) look();
      else if (!online) become(true);
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) look();
      throw error;
    } finally {
      clearTimeout(slow);
    }
  };

  window.addEventListener('offline', look);
  window.addEventListener('online', look);
  window.addEventListener('focus', lookIfAway);
  if (!online) look();

  return {
    isOnline: () => online,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    request: watched,
    check,
    stop: () => {
      clearTimeout(timer);
      window.removeEventListener('offline', look);
      window.removeEventListener('online', look);
      window.removeEventListener('focus', lookIfAway);
    },
  };
}
