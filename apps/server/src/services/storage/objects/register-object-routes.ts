import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asStorageAdmin } from '../../../kernel/database.ts';
import { toBlobKey } from '../blobs/blob-store.ts';
import { openCall, type StorageCall } from '../open-call.ts';
import { findBucket } from '../records/buckets.ts';
import { type Entry, listEntries, SORT_COLUMNS, type Sorting } from '../records/list-entries.ts';
import { findObject, removeObjects, type StoredObject } from '../records/objects.ts';
import { forgetBlobs, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { isHeaderText, readCacheControl } from '../transfer/build-file-headers.ts';
import { parseMediaType, UNKNOWN_MEDIA_TYPE } from '../transfer/media-type.ts';
import { readMetadataHeader } from '../transfer/read-upload.ts';
import { requireValidKey } from '../validate-names.ts';
import { listObjects, OBJECTS_BODY, type ObjectsBody } from './list-objects.ts';
import {
  COPY_BODY,
  type CopyBody,
  copyObject,
  MOVE_BODY,
  type MoveBody,
  moveObject,
  refuseVersionId,
} from './move-and-copy.ts';

type InBucket = { Params: { readonly bucket: string } };
type AtAddress = { Params: { readonly bucket: string; readonly '*': string } };

/** An entry of `prefixes`: a path, or a path and an older state of it. */
type RemovalBody = {
  readonly prefixes: readonly (string | { readonly path: string; readonly versionId?: string })[];
};

const REMOVAL_BODY = {
  type: 'object',
  properties: {
    prefixes: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        ],
      },
    },
  },
  required: ['prefixes'],
} as const;

/** The platform's addresses of what is known of objects (protocol note, section 4); their bytes are the transfer's. */
export function registerObjectRoutes(app: FastifyInstance, deps: StorageDeps): void {
  app.post<InBucket & { Body: FolderBody }>(
    '/object/list/:bucket',
    { schema: { body: FOLDER_BODY } },
    (request) => listFolder(openCall(deps, request), request.params.bucket, request.body),
  );
  app.post<InBucket & { Body: ObjectsBody }>(
    '/object/list-v2/:bucket',
    { schema: { body: OBJECTS_BODY } },
    (request) => listObjects(openCall(deps, request), request.params.bucket, request.body),
  );

  for (const url of ['/object/info/authenticated/:bucket/*', '/object/info/:bucket/*'])
    app.get<AtAddress>(url, async (request, reply) =>
      sendDescription(reply, await findVisible(deps, openCall(deps, request), toAddress(request))),
    );

  app.post<{ Body: MoveBody }>('/object/move', { schema: { body: MOVE_BODY } }, (request) =>
    moveObject(deps, openCall(deps, request), request.body),
  );
  app.post<{ Body: CopyBody }>('/object/copy', { schema: { body: COPY_BODY } }, (request) =>
    copyObject(deps, openCall(deps, request), request.body, {
      upsert: request.headers['x-upsert'] === 'true',
      userMetadata: readMetadataHeader(request.headers),
    }),
  );

  app.delete<InBucket & { Body: RemovalBody }>(
    '/object/:bucket',
    { schema: { body: REMOVAL_BODY } },
    (request) => {
      const names = request.body.prefixes.map(toPath);
      return remove(deps, openCall(deps, request), request.params.bucket, names);
    },
  );
  app.delete<AtAddress>('/object/:bucket/*', async (request) => {
    const { bucket, name } = toAddress(request);
    const removed = await remove(deps, openCall(deps, request), bucket, [name]);
    if (removed.length === 0) throw storageError.noSuchKey();
    return { message: 'Successfully deleted' };
  });
}

/** What anybody may know of files in public buckets, and asks without a token. */
export function registerPublicDescriptions(app: FastifyInstance, deps: StorageDeps): void {
  app.get<AtAddress>('/object/info/public/:bucket/*', async (request, reply) =>
    sendDescription(reply, await findPublic(deps, toAddress(request))),
  );
}

/** What the caller may not see or delete is skipped without a word. */
async function remove(deps: StorageDeps, call: StorageCall, bucket: string, names: readonly string[]) {
  const removed = await call.write((tx) => removeObjects(tx, bucket, names));
  await forgetBlobs(
    deps,
    removed.map(({ version }) => toBlobKey(bucket, version)),
  );
  return removed;
}

function toPath(entry: RemovalBody['prefixes'][number]): string {
  if (typeof entry === 'string') return entry;
  refuseVersionId(entry.versionId);
  return entry.path;
}

function toAddress({ params, query }: FastifyRequest<AtAddress>): ObjectAddress {
  refuseVersionId((query as { versionId?: string }).versionId);
  return { bucket: params.bucket, name: params['*'] };
}

type ObjectAddress = { readonly bucket: string; readonly name: string };

/** Of an object in a public bucket, for anybody. @throws StorageError NoSuchBucket also for a private one. */
async function findPublic({ db }: StorageDeps, { bucket, name }: ObjectAddress) {
  requireValidKey(name);
  return asStorageAdmin(db, 'describe a public file', async (tx) => {
    const holder = await findBucket(tx, bucket);
    if (!holder?.public) throw storageError.noSuchBucket();
    return await findObject(tx, bucket, name);
  });
}

/** Of an object that the caller may see; objects of public buckets everybody may. @throws StorageError NoSuchKey. */
async function findVisible(deps: StorageDeps, call: StorageCall, address: ObjectAddress) {
  const { bucket, name } = address;
  requireValidKey(name);
  const found = await call.read((tx) => findObject(tx, bucket, name));
  if (found) return found;
  const holder = await asStorageAdmin(deps.db, 'is the bucket public', (tx) => findBucket(tx, bucket));
  if (holder?.public) return await findPublic(deps, address);
  throw holder ? storageError.noSuchKey() : storageError.noSuchBucket();
}

/** What is known of a file; in the headers, which are all that HEAD shows, its state. @throws StorageError NoSuchKey. */
function sendDescription(reply: FastifyReply, found: StoredObject | undefined): FastifyReply {
  if (!found) throw storageError.noSuchKey();
  const { eTag, lastModified } = found.metadata ?? {};
  if (isHeaderText(eTag)) reply.header('etag', eTag);
  return reply
    .header('last-modified', new Date(lastModified ?? found.updated_at).toUTCString())
    .send(describe(found));
}

function describe(found: StoredObject) {
  const { id, name, version, bucket_id, metadata, user_metadata, created_at, updated_at } = found;
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata?.size,
    content_type: metadata ? (parseMediaType(metadata.mimetype) ?? UNKNOWN_MEDIA_TYPE) : undefined,
    cache_control: metadata ? readCacheControl(metadata) : undefined,
    etag: metadata?.eTag,
    metadata: user_metadata ?? {},
    last_modified: metadata?.lastModified ?? updated_at,
    created_at,
  };
}

type FolderBody = {
  readonly prefix: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: Partial<Sorting>;
  readonly search?: string;
};

/** The specification's defaults stand in the schema: an answer never depends on what a client leaves out. */
const FOLDER_BODY = {
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
async function listFolder(call: StorageCall, bucket: string, body: FolderBody): Promise<readonly Entry[]> {
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
