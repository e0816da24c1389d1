import type { DehydratedState } from '@tanstack/react-query';
import { getMany } from 'idb-keyval';
import { putTogether, rememberName } from './data-pieces.ts';
import {
  allQueryRecords,
  answerOf,
  type Owner,
  ownerKey,
  pieceRecordKey,
  type QueryRecord,
  queryStore,
  sameOwner,
} from './query-store.ts';

/** A month without opening the app: what is kept says little by now. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

type SavedQuery = DehydratedState['queries'][number];

/** What is kept for this person, as the query cache takes it back; nothing when the store is somebody else's. */
export async function readPersistedQueries(owner: Owner, now: number): Promise<readonly SavedQuery[]> {
  const store = queryStore();
  const records = await store('readonly', async (all) => {
    const found = await answerOf<Owner | undefined>(all.get(ownerKey));
    return sameOwner(found, owner) ? answerOf<QueryRecord[]>(all.getAll(allQueryRecords())) : [];
  });
  const queries: SavedQuery[] = [];
  for (const record of records) {
    const query = record.updatedAt > now - KEPT_MS ? await readQuery(record) : null;
    if (query) queries.push(query);
  }
  return queries;
}

/** One read with its data; null when another tab replaced a piece of it meanwhile. */
async function readQuery(record: QueryRecord): Promise<SavedQuery | null> {
  const { queryHash, queryKey, queryType, updatedAt, pageParams, pieces: ids } = record;
  const keys = ids.map((id) => pieceRecordKey(queryHash, id));
  const texts = await getMany<string | undefined>(keys, queryStore());
  const pieces: object[] = [];
  for (const [index, id] of ids.entries()) {
    const text = texts[index];
    if (text === undefined) return null;
    const piece: object = JSON.parse(text);
    rememberName(piece, { id, size: text.length });
    pieces.push(piece);
  }
  return {
    queryHash,
    queryKey,
    ...(queryType ? { queryType } : {}),
    dehydratedAt: updatedAt,
    state: {
      data: putTogether({ pieces, pageParams }),
      dataUpdateCount: 1,
      dataUpdatedAt: updatedAt,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: false,
      status: 'success',
      fetchStatus: 'idle',
    },
  };
}
