import type { DehydratedState } from '@tanstack/react-query';
import { takeApart } from './data-pieces.ts';
import {
  answerOf,
  lastSeenStore,
  type Owner,
  ownerKey,
  pieceRecordKey,
  piecesOf,
  type QueryRecord,
  queryRecordKey,
  sameOwner,
} from './last-seen-store.ts';
import { nameOf } from './piece-names.ts';

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
  return lastSeenStore()('readwrite', async (records) => {
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
