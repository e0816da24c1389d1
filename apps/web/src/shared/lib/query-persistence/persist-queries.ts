import { type DehydratedState, dehydrate, type Query, type QueryClient } from '@tanstack/react-query';
import { whenIdle } from '../browser/when-idle.ts';
import { log } from '../log.ts';
import { nameOf, takeApart } from './data-pieces.ts';
import {
  allQueryRecords,
  answerOf,
  type Owner,
  ownerKey,
  pieceRecordKey,
  piecesOf,
  type QueryRecord,
  queryRecordKey,
  queryStore,
  sameOwner,
} from './query-store.ts';

/** A change is written so long after it, together with those that follow it. */
const REST_MS = 1_000;
/** Characters kept of one person in all, about 60,000 links. */
const LARGEST_STORE = 30_000_000;

interface KeepOptions {
  readonly queryClient: QueryClient;
  readonly owner: Owner;
  /** Which reads are worth keeping. */
  readonly isKept: (queryKey: readonly unknown[]) => boolean;
  /** How long a change waits for those that follow it. */
  readonly restMs?: number;
}

/**
 * Writes what the cache knows to this device, a read at a time, in idle moments, and at once when the page is hidden.
 * A browser that refuses (private window, full disk) has nothing offline, and nothing else suffers.
 * @returns ends it.
 */
export function persistQueries({ queryClient, owner, isKept, restMs = REST_MS }: KeepOptions): () => void {
  const changed = new Set<Query>();
  const written = new WeakMap<Query, unknown>();
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelIdle: (() => void) | undefined;
  let writing = claimStore(owner);
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
        if (!stopped) await trimPersistedQueries(LARGEST_STORE);
      })
      .catch(giveUp);
  };
  const writeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      cancelIdle = whenIdle(writeAll);
    }, restMs);
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

/** Makes the store this person's: what somebody else or another build left there goes. */
export function claimStore(owner: Owner): Promise<void> {
  return queryStore()('readwrite', async (records) => {
    if (sameOwner(await answerOf<Owner | undefined>(records.get(ownerKey)), owner)) return;
    await answerOf(records.clear());
    await answerOf(records.put(owner, ownerKey));
  });
}

/** Keeps the reads seen last and lets the others go, until all together have no more than `largest` characters. */
export function trimPersistedQueries(largest: number): Promise<void> {
  return queryStore()('readwrite', async (records) => {
    const all = await answerOf<QueryRecord[]>(records.getAll(allQueryRecords()));
    let total = 0;
    for (const { queryHash, size } of all.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
      total += size;
      if (total <= largest) continue;
      records.delete(piecesOf(queryHash));
      await answerOf(records.delete(queryRecordKey(queryHash)));
    }
  });
}

/** Characters kept of one list, about 20,000 links. What comes after is not there offline. */
const LARGEST_QUERY = 10_000_000;

/**
 * Writes one read of the cache, all or nothing, unless the store is another's by now. Only pieces that are not there
 * yet are written, one after the other: a page of 1,000 links takes the main thread 5 ms, a list of 10,000 would take
 * 50 in one go.
 */
export function saveQuery(owner: Owner, query: DehydratedState['queries'][number]): Promise<void> {
  const { queryKey, queryHash, queryType, state } = query;
  if (typeof state.data !== 'object' || state.data === null) return Promise.resolve();
  const { pieces, pageParams } = takeApart(state.data);
  return queryStore()('readwrite', async (records) => {
    if (!sameOwner(await answerOf<Owner | undefined>(records.get(ownerKey)), owner)) return;
    const keys = await answerOf(records.getAllKeys(piecesOf(queryHash)));
    const there = new Map(keys.map((key) => [Array.isArray(key) ? key[2] : key, key]));
    const kept: string[] = [];
    let size = 0;
    for (const piece of pieces) {
      const name = nameOf(piece);
      const key = pieceRecordKey(queryHash, name.id);
      if (name.size === null || !there.has(name.id)) {
        const text = JSON.stringify(piece);
        name.size = text.length;
        if (size + name.size <= LARGEST_QUERY) await answerOf(records.put(text, key));
      }
      size += name.size;
      if (size > LARGEST_QUERY) break;
      kept.push(name.id);
      there.delete(name.id);
    }
    for (const key of there.values()) records.delete(key);
    const record: QueryRecord = {
      queryKey,
      queryHash,
      queryType: queryType === 'infinite' ? queryType : undefined,
      updatedAt: state.dataUpdatedAt,
      pageParams: pageParams?.slice(0, kept.length) ?? null,
      pieces: kept,
      size: Math.min(size, LARGEST_QUERY),
    };
    await answerOf(records.put(record, queryRecordKey(queryHash)));
  });
}
