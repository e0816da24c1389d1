import {
  allQueryRecords,
  answerOf,
  lastSeenStore,
  piecesOf,
  type QueryRecord,
  queryRecordKey,
} from './last-seen-store.ts';

/** Keeps the reads seen last and lets the others go, until all together have no more than `largest` characters. */
export function trimLastSeen(largest: number): Promise<void> {
  return lastSeenStore()('readwrite', async (records) => {
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
