import { dehydrate, type Query, type QueryClient } from '@tanstack/react-query';
import { log } from '../log.ts';
import { whenIdle } from '../when-idle.ts';
import { claimLastSeen } from './claim-last-seen.ts';
import type { Owner } from './last-seen-store.ts';
import { saveQuery } from './save-query.ts';
import { trimLastSeen } from './trim-last-seen.ts';

/** A change is written so long after it, together with those that follow it. */
const REST_MS = 1_000;
/** Characters kept of one person in all, about 60,000 links. */
const LARGEST_STORE = 30_000_000;

interface KeepOptions {
  readonly queryClient: QueryClient;
  readonly owner: Owner;
  /** Which reads are worth keeping. */
  readonly isKept: (queryKey: readonly unknown[]) => boolean;
}

/**
 * Writes what the cache knows to this device, a read at a time, in idle moments, and at once when the page is hidden.
 * A browser that refuses (private window, full disk) has nothing offline, and nothing else suffers.
 * @returns ends it.
 */
export function keepLastSeen({ queryClient, owner, isKept }: KeepOptions): () => void {
  const changed = new Set<Query>();
  const written = new WeakMap<Query, unknown>();
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelIdle: (() => void) | undefined;
  let writing = claimLastSeen(owner);
  const giveUp = (reason: unknown) => {
    log.warn('what was seen cannot be kept on this device', reason);
    stop();
  };

  const writeNext = async () => {
    const [query] = changed;
    if (query === undefined || stopped) return;
    changed.delete(query);
    const { data } = query.state;
    const [saved] = dehydrate(queryClient, {
      shouldDehydrateQuery: (other) => other === query,
      shouldDehydrateMutation: () => false,
    }).queries;
    if (saved) await saveQuery(owner, saved);
    written.set(query, data);
  };
  const writeAll = () => {
    writing = writing
      .then(async () => {
        while (changed.size > 0 && !stopped) await writeNext();
        if (!stopped) await trimLastSeen(LARGEST_STORE);
      })
      .catch(giveUp);
  };
  const writeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      cancelIdle = whenIdle(writeAll);
    }, REST_MS);
  };
  const writeWhenHidden = () => {
    if (document.visibilityState === 'hidden' && changed.size > 0) writeAll();
  };

  const note = (query: Query) => {
    const { status, data } = query.state;
    if (status !== 'success' || !isKept(query.queryKey)) return;
    if (written.get(query) === data || changed.has(query)) return;
    changed.add(query);
    writeSoon();
  };
  const cache = queryClient.getQueryCache();
  cache.getAll().forEach(note);
  const unsubscribe = cache.subscribe(({ type, query }) => {
    if (type === 'updated') note(query);
  });
  document.addEventListener('visibilitychange', writeWhenHidden);
  writing.catch(giveUp);

  function stop() {
    stopped = true;
    clearTimeout(timer);
    cancelIdle?.();
    unsubscribe();
    document.removeEventListener('visibilitychange', writeWhenHidden);
  }
  return stop;
}
