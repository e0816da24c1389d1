import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { toBlobKey } from '../blobs/blob-store.ts';
import { copyObject } from '../objects/move-and-copy.ts';
import { findObject, namesState, removeObjects, type StoredObject } from '../records/objects.ts';
import { type ObjectToWrite, requireState } from '../records/write-object.ts';
import { forgetBlobs } from '../storage-deps.ts';
import { StorageError, storageError } from '../storage-error.ts';
import { DEFAULT_CACHE_CONTROL, isHeaderText } from '../transfer/build-file-headers.ts';
import { requireMediaType } from '../transfer/media-type.ts';
import { detachBody, requireHeaderText, type UploadNotes } from '../transfer/read-upload.ts';
import { storeFile } from '../transfer/register-uploads.ts';
import { sendFile } from '../transfer/send-file.ts';
import { requireValidBucketName, requireValidKey } from '../validate-names.ts';
import { requireBucket } from './bucket-operations.ts';
import { decodePayload, readPayloadLength } from './decode-payload.ts';
import { readText, type S3Operation, type S3Request } from './request.ts';
import { readXmlList, sendXml } from './xml.ts';

/** PUT /BUCKET/KEY: a file, over what is there, unless `If-None-Match: *` or `If-Match` says otherwise. */
export const putObject: S3Operation = async ({ deps, call, seal, request, reply, bucket, name, query }) => {
  const { headers } = request;
  const notes = readNotes(headers, query);
  const open = async () => ({
    body: decodePayload(detachBody(request.raw), seal, headers),
    mimeType: notes.mimeType,
    readNotes: async () => notes,
  });
  const announced = readPayloadLength(seal, headers);
  const stored = await storeFile(
    deps,
    { call, bucket, name, ...readConditions(headers) },
    { announced, open },
  ).catch(refuseTaken);
  return reply.header('etag', `"${stored.md5}"`).send();
};

/** What a writer says of the file that is there already. */
export function readConditions(headers: IncomingHttpHeaders): Pick<ObjectToWrite, 'upsert' | 'ifMatch'> {
  return { upsert: headers['if-none-match'] !== '*', ifMatch: headers['if-match'] };
}

/** For what may not overwrite: a name that is taken, in the words of S3. */
export function refuseTaken(error: unknown): never {
  const isTaken = error instanceof StorageError && error.code === 'KeyAlreadyExists';
  throw isTaken ? storageError.preconditionFailed() : error;
}

/** What the client notes of a file. Its lists are of the protocol's own `aws-chunked` no word. Who signs an address signs its own notes with it. */
export function readNotes(headers: IncomingHttpHeaders, query = new URLSearchParams()): UploadNotes {
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'aws-chunked')
    .join(', ');
  return {
    mimeType: requireMediaType(headers['content-type']),
    cacheControl: requireHeaderText('cache-control', headers['cache-control']) ?? DEFAULT_CACHE_CONTROL,
    contentEncoding: requireHeaderText('content-encoding', encoding),
    userMetadata: readUserMetadata({ ...Object.fromEntries(query), ...headers }),
  };
}

const METADATA_PREFIX = 'x-amz-meta-';
/** As long as all notes of a file may be on Amazon's: longer heads of answers neither proxies nor clients take. */
const MOST_CHARACTERS = 2_048;
/** Notes up to this length are given back whatever else is noted. */
const MOST_SHORT = 200;

function readUserMetadata(said: IncomingHttpHeaders): Readonly<Record<string, unknown>> | null {
  const entries = Object.entries(said)
    .filter(([name]) => name.startsWith(METADATA_PREFIX))
    .map(([name, value]) => [name.slice(METADATA_PREFIX.length), String(value)]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** GET and HEAD /BUCKET/KEY: a file, or a part of it. */
export const getObject: S3Operation = async (wish) => {
  const { deps, request, reply, query } = wish;
  const { 'if-match': match, 'if-unmodified-since': unmodifiedSince } = request.headers;
  // Each time it is looked for, it may be in another state.
  const find = async () => {
    const found = await requireFile(wish);
    if (isOtherState(found, match, unmodifiedSince)) throw storageError.preconditionFailed();
    setUserMetadata(reply, found);
    return found;
  };
  // A signed address may be opened in a window; a signed header only a program can send.
  const isForProgram = request.headers.authorization !== undefined;
  const overrides = readOverrides(query, isForProgram);
  return sendFile(deps, request, reply, { find, isPublic: false, isForProgram, overrides });
};

function setUserMetadata(reply: FastifyReply, { user_metadata: metadata }: StoredObject): void {
  for (const name of Object.keys(reply.getHeaders()))
    if (name.startsWith(METADATA_PREFIX)) reply.removeHeader(name);
  let room = MOST_CHARACTERS;
  for (const [key, value] of Object.entries(metadata ?? {})) {
    if (!/^[a-z0-9._-]{1,100}$/i.test(key) || !isHeaderText(value, Math.max(room, MOST_SHORT))) continue;
    if (value.length > MOST_SHORT) room -= value.length;
    reply.header(`${METADATA_PREFIX}${key.toLowerCase()}`, value);
  }
}

/** Headers that the one who signs chooses for the answer, as parameters `response-…`. */
const OVERRIDES = ['cache-control', 'content-language', 'expires'];
/** What a browser would run or show by them; of a signed address that a window may open, nobody chooses them. */
const OVERRIDES_OF_PROGRAMS = ['content-type', 'content-encoding', 'content-disposition'];

function readOverrides(query: URLSearchParams, isForProgram: boolean): Readonly<Record<string, string>> {
  const names = isForProgram ? [...OVERRIDES, ...OVERRIDES_OF_PROGRAMS] : OVERRIDES;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = requireHeaderText(name, query.get(`response-${name}`) ?? undefined, MOST_CHARACTERS);
      return value ? [[name, value]] : [];
    }),
  );
}

/** GET /BUCKET/KEY?tagging: none, for files have no tags. */
export const showTags: S3Operation = async (request) => {
  await requireFile(request);
  return sendXml(request.reply, 'Tagging', { TagSet: '' });
};

/** The record, as the caller may see it. @throws StorageError NoSuchKey, NoSuchBucket */
async function requireFile({ deps, call, bucket, name }: S3Request): Promise<StoredObject> {
  const found = await findObject(call.reader, bucket, name);
  if (found) return found;
  await requireBucket(deps, bucket);
  throw storageError.noSuchKey();
}

/** DELETE /BUCKET/KEY. What is not there, or not the caller's to delete, is skipped without a word. */
export const deleteObject: S3Operation = async ({ deps, call, request, reply, bucket, name }) => {
  await requireBucket(deps, bucket);
  const { ifMatch } = readConditions(request.headers);
  const removed = await call.write(async (tx) => {
    const rows = await removeObjects(tx, bucket, [name]);
    if (ifMatch !== undefined) requireState(rows[0], ifMatch);
    return rows;
  });
  await forgetBlobs(
    deps,
    removed.map(({ version }) => toBlobKey(bucket, version)),
  );
  return reply.code(204).send();
};

const MOST_DELETED = 1000;

/** POST /BUCKET?delete: up to a thousand. What the caller sees and may not delete is told, and what is not in the state that is asked for. */
export const deleteObjects: S3Operation = async (request) => {
  const { deps, call, reply, bucket } = request;
  const xml = await readText(request);
  const wanted = readXmlList(xml, 'Object', MOST_DELETED);
  // Also what no file can be named: that is not there.
  const names = wanted.map(({ Key: key = '' }) => key);
  if (names.includes('')) throw storageError.malformedXml();
  const tags = Object.fromEntries(
    wanted.flatMap(({ Key: key = '', ETag: tag }) =>
      tag === undefined ? [] : [[key, tag.trim().replaceAll('"', '')]],
    ),
  );
  await requireBucket(deps, bucket);
  const removed = await call.write((tx) => removeObjects(tx, bucket, names, tags));
  await forgetBlobs(
    deps,
    removed.map(({ version }) => toBlobKey(bucket, version)),
  );
  const refused = explainKept(names, tags, {
    removed: new Set(removed.map(({ name }) => name)),
    left: await findVisible(request, names),
  });
  const isQuiet = /<Quiet>\s*true\s*<\/Quiet>/.test(xml);
  return sendXml(reply, 'DeleteResult', {
    ...(isQuiet ? {} : { Deleted: names.filter((name) => !refused.has(name)).map((Key) => ({ Key })) }),
    Error: [...refused].map(([Key, { code, message }]) => ({ Key, Code: code, Message: message })),
  });
};

function explainKept(
  names: readonly string[],
  tags: Readonly<Record<string, string>>,
  { removed, left }: { readonly removed: ReadonlySet<string>; readonly left: VisibleFiles },
): ReadonlyMap<string, StorageError> {
  const refused = new Map<string, StorageError>();
  for (const name of names) {
    if (removed.has(name)) continue;
    const tag = tags[name];
    const metadata = left.get(name);
    if (metadata === undefined) {
      if (tag !== undefined) refused.set(name, storageError.noSuchKey());
    } else if (tag === undefined || namesState(tag, metadata)) refused.set(name, storageError.accessDenied());
    else refused.set(name, storageError.preconditionFailed());
  }
  return refused;
}

type VisibleFiles = ReadonlyMap<string, StoredObject['metadata']>;

async function findVisible({ call, bucket }: S3Request, names: readonly string[]): Promise<VisibleFiles> {
  const { rows } = await call.read((tx) =>
    tx.query<Pick<StoredObject, 'name' | 'metadata'>>({
      name: 'storage_find_visible',
      text: 'select name, metadata from storage.objects where bucket_id = $1 and name = any ($2::text[])',
      values: [bucket, names],
    }),
  );
  return new Map(rows.map(({ name, metadata }) => [name, metadata]));
}

/** PUT /BUCKET/KEY with `x-amz-copy-source`: another file's bytes, and its notes unless the request brings others. */
export const copyFile: S3Operation = async ({ deps, call, request, reply, bucket, name, query }) => {
  const { headers } = request;
  const source = readCopySource(headers);
  const isReplaced = headers['x-amz-metadata-directive'] === 'REPLACE';
  const notes = isReplaced ? readNotes(headers, query) : undefined;
  const body = {
    bucketId: source.bucket,
    sourceKey: source.name,
    destinationBucket: bucket,
    destinationKey: name,
    copyMetadata: !isReplaced,
    ...(notes ? { metadata: { cacheControl: notes.cacheControl, mimetype: notes.mimeType } } : {}),
  };
  const wish = {
    ...readConditions(headers),
    userMetadata: notes?.userMetadata ?? null,
    contentEncoding: notes && (notes.contentEncoding ?? null),
    requireSource: (found: StoredObject) => requireCopyConditions(headers, found),
  };
  const { metadata, updated_at: updatedAt } = await copyObject(deps, call, body, wish).catch(refuseTaken);
  return sendXml(reply, 'CopyObjectResult', {
    ETag: metadata?.eTag ?? '""',
    LastModified: new Date(metadata?.lastModified ?? updatedAt ?? deps.now()).toISOString(),
  });
};

/** `x-amz-copy-source-if-…`, which S3 holds against the source as RFC 9110 (section 13.2.2) orders them. @throws StorageError PreconditionFailed */
export function requireCopyConditions(headers: IncomingHttpHeaders, source: StoredObject): void {
  const read = (name: string) => headers[`x-amz-copy-source-if-${name}`]?.toString();
  const noneMatch = read('none-match');
  const isSame =
    noneMatch === undefined
      ? readChange(source) <= toSeconds(read('modified-since'))
      : namesState(noneMatch, source.metadata);
  if (isSame || isOtherState(source, read('match'), read('unmodified-since')))
    throw storageError.preconditionFailed();
}

/** Whether a file is in another state than the one that a tag names or, without one, has changed since. */
function isOtherState(file: StoredObject, match: string | undefined, unmodifiedSince: string | undefined) {
  return match === undefined
    ? readChange(file) > toSeconds(unmodifiedSince)
    : !namesState(match, file.metadata);
}

function readChange({ metadata, updated_at: updatedAt }: StoredObject): number {
  return toSeconds(metadata?.lastModified ?? updatedAt);
}

/** A time that cannot be read is no condition: nothing is above or below it. */
function toSeconds(time: string | Date | undefined): number {
  return time === undefined ? Number.NaN : Math.floor(new Date(time).getTime() / 1000);
}

/** `BUCKET/KEY`, encoded, with or without a slash before. @throws StorageError for anything else */
export function readCopySource(headers: IncomingHttpHeaders): {
  readonly bucket: string;
  readonly name: string;
} {
  const raw = String(headers['x-amz-copy-source'] ?? '');
  // No older state of a file is kept.
  if (raw.includes('?')) throw storageError.notImplemented();
  let path = '';
  try {
    path = decodeURIComponent(raw).replace(/^\//, '');
  } catch {
    throw storageError.invalidParameter('x-amz-copy-source');
  }
  const slash = path.indexOf('/');
  return {
    bucket: requireValidBucketName(path.slice(0, Math.max(0, slash))),
    name: requireValidKey(path.slice(slash + 1)),
  };
}
