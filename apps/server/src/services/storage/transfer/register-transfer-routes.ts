import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { type Database, queryAsStorageAdmin, type Transaction } from '../../../kernel/database.ts';
import { isOnFilesOrigin } from '../../../kernel/gateway/serve-files-apart.ts';
import { isAccountOpen } from '../../../kernel/is-account-open.ts';
import { openCall, readOwner } from '../open-call.ts';
import { findObject, OBJECT_COLUMNS, type StoredObject } from '../records/objects.ts';
import { writeObject } from '../records/write-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { requireValidBucketName } from '../validate-names.ts';
import { type FileAddress, readAddress, readQuery } from './media-type.ts';
import { asksToOverwrite, registerUploads } from './register-uploads.ts';
import { sendFile } from './send-file.ts';
import { signDownload, signUpload, toPath, verifyDownload } from './signed-addresses.ts';

/** Everything by which files come in and go out. Errors and JSON bodies are the service's own matter. */
export function registerTransferRoutes(app: FastifyInstance, deps: StorageDeps): void {
  registerUploads(app, deps);
  registerDownloads(app, deps);
  registerSignedAddresses(app, deps);
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The ways to a file's bytes, each GET and HEAD: as a caller, from a public bucket, with a signed address. */
function registerDownloads(app: FastifyInstance, deps: StorageDeps): void {
  const { db, settings } = deps;

  const sendToCaller: Handler = async (request, reply) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const { isPublic } = await findForEverybody(db, address);
    const find = async () =>
      isPublic
        ? (await findForEverybody(db, address)).object
        : findObject(call.reader, address.bucket, address.name);
    return sendFile(deps, request, reply, { find, isPublic });
  };

  const sendPublic: Handler = async (request, reply) => {
    const address = readAddress(request);
    const find = async () => {
      const { isPublic, object } = await findForEverybody(db, address);
      // A bucket that is not public is none, to a visitor.
      if (!isPublic) throw storageError.noSuchBucket();
      return object;
    };
    return sendFile(deps, request, reply, { find, isPublic: true });
  };

  const sendSigned: Handler = async (request, reply) => {
    const address = readAddress(request);
    const { expires, signer } = verifyDownload(deps, readQuery(request, 'token'), address);
    // What a person shared goes with their account, at once.
    if (signer.role === 'authenticated' && !(await isAccountOpen(db, signer))) throw storageError.noSuchKey();
    const storage: Transaction = { query: (statement) => queryAsStorageAdmin(db, statement) };
    const find = () => findObject(storage, address.bucket, address.name);
    // The token stands in the address itself: caches tell one from another by it.
    return sendFile(deps, request, reply, { find, expires, isPublic: true });
  };

  // An address that a window can open leads to the files' own origin; with a token in a header no window asks.
  const { filesUrl } = settings;
  const sendApart =
    (send: Handler): Handler =>
    async (request, reply) =>
      filesUrl === undefined || isOnFilesOrigin(request, filesUrl)
        ? send(request, reply)
        : reply.header('cache-control', 'no-store').redirect(`${filesUrl}${request.url}`, 307);

  const routes: readonly (readonly [path: string, handler: Handler])[] = [
    ['/object/public/:bucket/*', sendApart(sendPublic)],
    ['/object/authenticated/:bucket/*', sendToCaller],
    ['/object/sign/:bucket/*', sendApart(sendSigned)],
    ['/object/:bucket/*', sendToCaller],
  ];
  for (const [url, handler] of routes)
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler });
}

type FileForEverybody = {
  readonly isPublic: boolean;
  /** Undefined also for every file of a bucket that is not public. */
  readonly object: StoredObject | undefined;
};

/**
 * What anybody may know of an address: whether its bucket is public and, if so, its file. One round trip: every download asks.
 * @throws StorageError NoSuchBucket.
 */
async function findForEverybody(db: Database, { bucket, name }: FileAddress): Promise<FileForEverybody> {
  const { rows } = await queryAsStorageAdmin<StoredObject & { readonly is_public: boolean | null }>(db, {
    name: 'storage_find_for_everybody',
    text: `select b.public as is_public, o.* from storage.buckets b
      left join lateral (
        select ${OBJECT_COLUMNS} from storage.objects where bucket_id = b.id and name = $2 and b.public
      ) o on true
      where b.id = $1`,
    values: [bucket, name],
  });
  const [row] = rows;
  if (!row) throw storageError.noSuchBucket();
  return { isPublic: row.is_public === true, object: row.id === null ? undefined : row };
}

/** Seconds; a century is for ever, and still a date. */
const lifetime = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_155_760_000));
const ONE = v.object({ expiresIn: lifetime });
const MANY = v.object({
  expiresIn: lifetime,
  paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)),
});
const NOT_VISIBLE = 'Either the object does not exist or you do not have access to it';

/** Addresses that work without an account: for reading one file or many, and for writing one. */
function registerSignedAddresses(app: FastifyInstance, deps: StorageDeps): void {
  app.post('/object/sign/:bucket/*', async (request) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const { expiresIn } = readBody(ONE, request);
    const object = await call.read((tx) => findObject(tx, address.bucket, address.name));
    if (!object) throw storageError.noSuchKey();
    const token = await signDownload(deps, address, { caller: call.caller, lifetimeS: expiresIn });
    return { signedURL: toAddress('sign', toPath(address), token) };
  });

  app.post('/object/sign/:bucket', async (request) => {
    const call = openCall(deps, request);
    const bucket = requireValidBucketName((request.params as { readonly bucket: string }).bucket);
    const { expiresIn, paths } = readBody(MANY, request);
    const visible = await call.read((tx) => findVisibleNames(tx, bucket, paths));
    return Promise.all(
      paths.map(async (path) => {
        if (!visible.has(path)) return { error: NOT_VISIBLE, path, signedURL: null };
        const address = { bucket, name: path };
        const token = await signDownload(deps, address, { caller: call.caller, lifetimeS: expiresIn });
        return { error: null, path, signedURL: toAddress('sign', toPath(address), token) };
      }),
    );
  });

  app.post('/object/upload/sign/:bucket/*', async (request) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const upsert = asksToOverwrite(request);
    // Nobody hands out what they may not do themselves.
    const rehearsed = {
      ...address,
      upsert,
      owner: readOwner(call.caller),
      version: 'signed',
      metadata: null,
      userMetadata: null,
    };
    await call.rehearse((tx) => writeObject(tx, rehearsed));
    const lifetimeS = deps.settings.uploadUrlLifetimeS;
    const token = await signUpload(deps, address, { caller: call.caller, upsert, lifetimeS });
    return { url: toAddress('upload/sign', toPath(address), token), token };
  });
}

/** Relative to the service, and not encoded: official clients do both (protocol note, section 4). */
function toAddress(way: string, path: string, token: string): string {
  return `/object/${way}/${path}?token=${token}`;
}

function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  request: FastifyRequest,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, request.body);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw storageError.invalidRequest(`body/${v.getDotPath(issue) ?? ''} ${issue.message}`);
}

/** Which of the names are files that the transaction's role may see. */
async function findVisibleNames(
  tx: Transaction,
  bucket: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ readonly name: string }>({
    name: 'storage_find_visible_names',
    text: 'select name from storage.objects where bucket_id = $1 and name = any ($2::text[])',
    values: [bucket, names],
  });
  return new Set(rows.map(({ name }) => name));
}
