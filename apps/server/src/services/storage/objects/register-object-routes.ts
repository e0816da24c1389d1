import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toBlobKey } from '../blobs/parse-blob-key.ts';
import { forgetBlobs } from '../forget-blobs.ts';
import { openCall, type StorageCall } from '../open-call.ts';
import { removeObjects } from '../records/remove-objects.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { COPY_BODY, type CopyBody, copyObject } from './copy-object.ts';
import { describeObject, describePublicObject, type ObjectAddress } from './describe-object.ts';
import { FOLDER_BODY, type FolderBody, listFolder } from './list-folder.ts';
import { listObjects, OBJECTS_BODY, type ObjectsBody } from './list-objects.ts';
import { MOVE_BODY, type MoveBody, moveObject, refuseVersionId } from './move-object.ts';

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
    app.get<AtAddress>(url, (request) => describeObject(deps, openCall(deps, request), toAddress(request)));

  app.post<{ Body: MoveBody }>('/object/move', { schema: { body: MOVE_BODY } }, (request) =>
    moveObject(deps, openCall(deps, request), request.body),
  );
  app.post<{ Body: CopyBody }>('/object/copy', { schema: { body: COPY_BODY } }, (request) =>
    copyObject(deps, openCall(deps, request), request.body, request.headers['x-upsert'] === 'true'),
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
  app.get<AtAddress>('/object/info/public/:bucket/*', (request) =>
    describePublicObject(deps, toAddress(request)),
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
