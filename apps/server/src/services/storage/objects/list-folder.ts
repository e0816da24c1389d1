import type { StorageCall } from '../open-call.ts';
import { type Entry, listEntries, SORT_COLUMNS, type Sorting } from '../records/list-entries.ts';

export type FolderBody = {
  readonly prefix: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: Partial<Sorting>;
  readonly search?: string;
};

/** The specification's defaults stand in the schema: an answer never depends on what a client leaves out. */
export const FOLDER_BODY = {
  type: 'object',
  properties: {
    prefix: { type: 'string' },
    limit: { type: 'integer', minimum: 1, default: 100 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    sortBy: {
      type: 'object',
      properties: {
        column: { type: 'string', enum: SORT_COLUMNS, default: 'name' },
        order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      },
    },
    search: { type: 'string', default: '' },
  },
  required: ['prefix'],
} as const;

const MOST_ENTRIES = 10_000;

/** One level of a bucket. Folders of `search` are gone into, as on the platform: names stay relative to `prefix`. */
export async function listFolder(
  call: StorageCall,
  bucket: string,
  body: FolderBody,
): Promise<readonly Entry[]> {
  const { limit = 100, offset = 0, sortBy, search = '' } = body;
  const prefix = toFolder(body.prefix);
  const below = search.slice(0, search.lastIndexOf('/') + 1);
  const entries = await call.read((tx) =>
    listEntries(tx, {
      bucket,
      folder: prefix + below,
      search: search.slice(below.length),
      column: sortBy?.column ?? 'name',
      order: sortBy?.order ?? 'asc',
      limit: Math.min(limit, MOST_ENTRIES),
      offset,
    }),
  );
  return below === '' ? entries : entries.map((entry) => ({ ...entry, name: below + entry.name }));
}

function toFolder(prefix: string): string {
  const path = prefix.replace(/^\/+/, '');
  return path === '' || path.endsWith('/') ? path : `${path}/`;
}
