import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { type Database, queryAsStorageAdmin, type Transaction } from '../../../kernel/database.ts';
import { isOnFilesOrigin } from '../../../kernel/gateway/serve-files-apart.ts';
import { isAccountOpen } from '../../../kernel/is-account-open.ts';
import { openCall, readOwner } from '../open-call.ts';
import { findObject, OBJECT_COLUMNS, type StoredObject } from '../records/objects.ts';
import { writeObject } from '../records/write-object.ts';
import { createPictureRenderer } from '../render/render-picture.ts';
import { sendPicture } from '../render/send-picture.ts';
import { parseTransformation, readTransformation, writeTransformation } from '../render/transformation.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { requireValidBucketName } from '../validate-names.ts';
import { type FileAddress, readAddress, readQuery } from './media-type.ts';
import { asksToOverwrite, registerUploads } from './register-uploads.ts';
import { type FileToSend, sendFile } from './send-file.ts';
import { signDownload, signUpload, toPath, verifyDownload } from './signed-addresses.ts';

/** Everything by which files come in and go out. Errors and JSON bodies are the service's own matter. */
export function registerTransferRoutes(app: FastifyInstance, deps: StorageDeps): void {
  registerUploads(app, deps);
  registerDownloads(app, deps);
  registerSignedAddresses(app, deps);
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };
type Found = {
  readonly file: FileToSend;
  /** As what a signed address shows a picture; elsewhere the query says it. */
  readonly transformations?: string;
};
type Send = (exchange: Exchange, found: Found) => Promise<FastifyReply>;
/** Who asks for a file, and whether they may: as a caller, from a public bucket, with a signed address. */
type Way = (request: FastifyRequest) => Promise<Found>;

function createWays(deps: StorageDeps) {
  const { db } = deps;

  const toCaller: Way = async (request) => {
    const call = openCall(deps, request);
    const address = readAddress(request);
    const { isPublic } = await findForEverybody(db, address);
    const find = async () =>
      isPublic
        ? (await findForEverybody(db, address)).object
        : findObject(call.reader, address.bucket, address.name);
    return { file: { find, isPublic } };
  };

  const toEverybody: Way = async (request) => {
    const address = readAddress(request);
    const find = async () => {
      const { isPublic, object } = await findForEverybody(db, address);
      // A bucket that is not public is none, to a visitor.
      if (!isPublic) throw storageError.noSuchBucket();
      return object;
    };
    return { file: { find, isPublic: true } };
  };

  /** @param isPicture whether the address shows a picture: a token for the one is none for the other. */
  const toHolder =
    (isPicture: boolean): Way =>
    async (request) => {
      const address = readAddress(request);
      const { expires, signer, transformations } = verifyDownload(deps, readQuery(request, 'token'), address);
      if (!isPicture && transformations !== undefined) throw storageError.invalidSignature();
      // What a person shared goes with their account, at once.
      if (signer.role === 'authenticated' && !(await isAccountOpen(db, signer)))
        throw storageError.noSuchKey();
      const storage: Transaction = { query: (statement) => queryAsStorageAdmin(db, statement) };
      const find = () => findObject(storage, address.bucket, address.name);
      // The token stands in the address itself: caches tell one from another by it.
      return { file: { find, expires, isPublic: true }, transformations: transformations ?? '' };
    };

  return { toCaller, toEverybody, toHolder };
}

/** The ways to a file's bytes and to pictures drawn of it, each GET and HEAD. */
function registerDownloads(app: FastifyInstance, deps: StorageDeps): void {
  const { toCaller, toEverybody, toHolder } = createWays(deps);
  const render = createPictureRenderer();
  const asFile: Send = ({ request, reply }, { file }) => sendFile(deps, request, reply, file);
  const asPicture: Send = (exchange, { file, transformations }) => {
    const transformation =
      transformations === undefined
        ? readTransformation(exchange.request.query)
        : parseTransformation(transformations);
    return sendPicture(deps, render, exchange, { file, transformation });
  };
  const by =
    (way: Way, send: Send): Handler =>
    async (request, reply) =>
      send({ request, reply }, await way(request));

  // An address that a window can open leads to the files' own origin; with a token in a header no window asks.
  const { filesUrl } = deps.settings;
  const apart =
    (send: Handler): Handler =>
    async (request, reply) =>
      filesUrl === undefined || isOnFilesOrigin(request, filesUrl)
        ? send(request, reply)
        : reply.header('cache-control', 'no-store').redirect(`${filesUrl}${request.url}`, 307);

  const routes: readonly (readonly [path: string, handler: Handler])[] = [
    ['/object/public/:bucket/*', apart(by(toEverybody, asFile))],
    ['/object/authenticated/:bucket/*', by(toCaller, asFile)],
    ['/object/sign/:bucket/*', apart(by(toHolder(false), asFile))],
    ['/object/:bucket/*', by(toCaller, asFile)],
    ['/render/image/public/:bucket/*', apart(by(toEverybody, asPicture))],
    ['/render/image/authenticated/:bucket/*', by(toCaller, asPicture)],
    ['/render/image/sign/:bucket/*', apart(by(toHolder(true), asPicture))],
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
const ONE = v.object({ expiresIn: lifetime, transform: v.optional(v.unknown()) });
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
    const { expiresIn, transform } = readBody(ONE, request);
    const transformations =
      transform === undefined ? undefined : writeTransformation(readTransformation(transform));
    const object = await call.read((tx) => findObject(tx, address.bucket, address.name));
    if (!object) throw storageError.noSuchKey();
    const wish = { caller: call.caller, lifetimeS: expiresIn, transformations };
    const token = await signDownload(deps, address, wish);
    const path = toPath(address);
    if (transformations !== undefined) return { signedURL: `/render/image/sign/${path}?token=${token}` };
    return { signedURL: toAddress('sign', path, token) };
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
