import type { StorageCall } from '../open-call.ts';
import {
  listPage,
  PAGE_SORT_COLUMNS,
  type PageEntry,
  type PageWish,
  readCursor,
  writeCursor,
} from '../records/list-page.ts';
import { storageError } from '../storage-error.ts';

export type ObjectsBody = {
  readonly prefix?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly with_delimiter?: boolean;
  readonly sortBy?: Partial<Pick<PageWish, 'column' | 'order'>>;
  readonly noncurrentVersions?: string;
};

export const OBJECTS_BODY = {
  type: 'object',
  properties: {
    prefix: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    cursor: { type: 'string' },
    with_delimiter: { type: 'boolean' },
    sortBy: {
      type: 'object',
      properties: {
        column: { type: 'string', enum: PAGE_SORT_COLUMNS },
        order: { type: 'string', enum: ['asc', 'desc'] },
      },
    },
    noncurrentVersions: { type: 'string', enum: ['exclude'] },
  },
} as const;

const MOST_ENTRIES = 1000;

/** A page of a bucket, flat or by folders, and the cursor of the next one. @throws StorageError for a cursor that is none of ours. */
export async function listObjects(call: StorageCall, bucket: string, body: ObjectsBody) {
  const { prefix = '', with_delimiter: byFolder = false, cursor } = body;
  const limit = Math.min(body.limit ?? MOST_ENTRIES, MOST_ENTRIES);
  const { column = 'name', order = 'asc' } = body.sortBy ?? {};
  const sorting = `${column} ${order}`;
  const after = cursor ? readCursor(sorting, cursor) : undefined;
  if (cursor && !after) throw storageError.invalidParameter('cursor');
  const found = await call.read((tx) =>
    listPage(tx, { bucket, prefix, byFolder, column, order, after, limit }),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasNext = found.length > limit;
  return {
    hasNext,
    ...(hasNext && last
      ? { nextCursor: writeCursor(sorting, { name: last.name, value: last.sort_value }) }
      : {}),
    folders: page.filter(isFolder).map(({ name }) => ({ key: lastPart(name), name })),
    objects: page
      .filter((entry) => !isFolder(entry))
      .map(({ sort_value: _order, ...entry }) => ({
        key: byFolder ? lastPart(entry.name) : entry.name,
        ...entry,
      })),
  };
}

function isFolder({ id }: PageEntry): boolean {
  return id === null;
}

/** Of a path, with or without a slash at its end. */
function lastPart(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? '';
}
