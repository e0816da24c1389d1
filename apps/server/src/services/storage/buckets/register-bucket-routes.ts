import type { FastifyInstance } from 'fastify';
import { forgetBlobs } from '../forget-blobs.ts';
import { openCall } from '../open-call.ts';
import { findBucket } from '../records/find-bucket.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { type BucketBody, createBucket, type NewBucketBody } from './create-bucket.ts';
import { deleteBucket } from './delete-bucket.ts';
import { emptyBucket } from './empty-bucket.ts';
import { BUCKET_SORT_COLUMNS, type BucketListWish, listBuckets } from './list-buckets.ts';
import { updateBucket } from './update-bucket.ts';

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
