import type { FastifyInstance } from 'fastify';
import { toBlobKey } from '../blobs/blob-store.ts';
import { openCall, type StorageCall } from '../open-call.ts';
import { findBucket } from '../records/buckets.ts';
import { BUCKET_SORT_COLUMNS, type BucketListWish, listBuckets } from '../records/list-buckets.ts';
import { removeObjects } from '../records/objects.ts';
import { forgetBlobs, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import {
  type BucketBody,
  createBucket,
  type NewBucketBody,
  readFileSize,
  readMimeTypes,
  refuseVersioning,
} from './create-bucket.ts';
import { deleteBucket } from './delete-bucket.ts';

type ById = { Params: { readonly id: string } };

const LIST_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1 },
    offset: { type: 'integer', minimum: 0 },
    sortColumn: { type: 'string', enum: BUCKET_SORT_COLUMNS },
    sortOrder: { type: 'string', enum: ['asc', 'desc'] },
    search: { type: 'string' },
  },
} as const;

const BUCKET_PROPERTIES = {
  public: { type: 'boolean' },
  // Without a type, for validation would turn null, which takes a limit away, into another value.
  file_size_limit: {},
  allowed_mime_types: {},
  versioning_status: { type: 'string' },
} as const;

const NEW_BUCKET = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    id: { type: 'string' },
    type: { type: 'string' },
    ...BUCKET_PROPERTIES,
  },
  required: ['name'],
} as const;

/** The platform's addresses of buckets (protocol note, section 4). */
export function registerBucketRoutes(app: FastifyInstance, deps: StorageDeps): void {
  const { fileSizeLimit } = deps.settings;

  const schema = { querystring: LIST_QUERY };
  app.get<{ Querystring: BucketListWish }>('/bucket', { schema }, (request) =>
    openCall(deps, request).read((tx) => listBuckets(tx, request.query)),
  );

  app.get<ById>('/bucket/:id', async (request) => {
    const bucket = await openCall(deps, request).read((tx) => findBucket(tx, request.params.id));
    if (!bucket) throw storageError.noSuchBucket();
    return bucket;
  });

  app.post<{ Body: NewBucketBody }>('/bucket', { schema: { body: NEW_BUCKET } }, (request) =>
    createBucket(openCall(deps, request), request.body, fileSizeLimit),
  );

  const changes = { body: { type: 'object', properties: BUCKET_PROPERTIES } };
  app.put<ById & { Body: BucketBody }>('/bucket/:id', { schema: changes }, async (request) => {
    await updateBucket(openCall(deps, request), request.params.id, request.body, fileSizeLimit);
    return { message: 'Successfully updated' };
  });

  app.post<ById>('/bucket/:id/empty', async (request) => {
    await emptyBucket(openCall(deps, request), request.params.id, (keys) => forgetBlobs(deps, keys));
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
  });

  app.delete<ById>('/bucket/:id', async (request) => {
    await deleteBucket(deps, openCall(deps, request), request.params.id);
    return { message: 'Successfully deleted' };
  });
}

const BATCH = 1000;

/**
 * Deletes what the caller may see and delete, a batch a transaction. `forget` takes the bytes.
 * @throws StorageError NoSuchBucket; AccessDenied when something that the caller sees must stay.
 */
async function emptyBucket(
  call: StorageCall,
  id: string,
  forget: (keys: readonly string[]) => Promise<void>,
): Promise<void> {
  if (!(await call.read((tx) => findBucket(tx, id)))) throw storageError.noSuchBucket();
  for (;;) {
    const { found, removed } = await call.write(async (tx) => {
      const { rows } = await tx.query<{ name: string }>({
        name: 'storage_take_batch',
        text: 'select name from storage.objects where bucket_id = $1 order by name collate "C" limit $2',
        values: [id, BATCH],
      });
      const names = rows.map(({ name }) => name);
      return { found: names.length, removed: names.length > 0 ? await removeObjects(tx, id, names) : [] };
    });
    await forget(removed.map(({ version }) => toBlobKey(id, version)));
    if (found === 0) return;
    if (removed.length === 0)
      throw storageError.accessDenied('You may see objects of this bucket, but not delete them');
  }
}

/** Changes what the body names; null takes a limit away. @throws StorageError NoSuchBucket also for one that the caller may not change. */
async function updateBucket(
  call: StorageCall,
  id: string,
  body: BucketBody,
  serviceLimit: number,
): Promise<void> {
  refuseVersioning(body);
  const limit = readFileSize(body.file_size_limit, serviceLimit);
  const types = readMimeTypes(body.allowed_mime_types);
  const { rowCount } = await call.write((tx) =>
    tx.query({
      name: 'storage_update_bucket',
      text: `update storage.buckets set public = coalesce($2, public), updated_at = now(),
        file_size_limit = case when $3 then $4 else file_size_limit end,
        allowed_mime_types = case when $5 then $6 else allowed_mime_types end
        where id = $1`,
      values: [
        id,
        body.public ?? null,
        limit !== undefined,
        limit ?? null,
        types !== undefined,
        types ?? null,
      ],
    }),
  );
  if (rowCount === 0) throw storageError.noSuchBucket();
}
