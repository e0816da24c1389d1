import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asStorageAdmin } from '../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../kernel/log-failure.ts';
import { BlobTooLargeError, toBlobKey, type WrittenBlob } from '../blobs/blob-store.ts';
import { openCall, openCallAs, readOwner, type StorageCall } from '../open-call.ts';
import { findBucket, type StoredBucket } from '../records/buckets.ts';
import { type ObjectToWrite, type WrittenObject, writeObject } from '../records/write-object.ts';
import { forgetBlobs, type StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { isMediaTypeAllowed, readAddress, readQuery, requireMediaType } from './media-type.ts';
import { type IncomingUpload, readUpload, type UploadNotes } from './read-upload.ts';
import { toPath, verifyUpload } from './signed-addresses.ts';

/** Uploads: POST makes a file, PUT writes over it as well, and a signed address needs no account. */
export function registerUploads(app: FastifyInstance, deps: StorageDeps): void {
  app.register(async (files) => {
    // Files are read as they come, and by nobody but the routes themselves.
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // The framework would refuse what is no media type before anybody here is asked, in words of its own.
    files.addHook('onRequest', async ({ raw: { headers } }) => {
      // A form's type names its boundary, which whoever takes the form apart needs.
      const mediaType = requireMediaType(headers['content-type']);
      if (mediaType !== 'multipart/form-data') headers['content-type'] = mediaType;
    });
    files.addHook('onSend', async (request) => discardRest(request.raw));

    const upload = async (request: FastifyRequest, reply: FastifyReply) => {
      const call = openCall(deps, request);
      const address = readAddress(request);
      const upsert = request.method === 'PUT' || asksToOverwrite(request);
      const { id } = await storeUpload(deps, { call, ...address, upsert }, request.raw);
      return reply.send({ Id: id, Key: toPath(address) });
    };
    const config = { takesFiles: true };
    files.route({ method: ['POST', 'PUT'], url: '/object/:bucket/*', config, handler: upload });

    files.put('/object/upload/sign/:bucket/*', { config }, async (request, reply) => {
      const address = readAddress(request);
      const { caller, upsert } = verifyUpload(deps, readQuery(request, 'token'), address);
      const call = openCallAs(deps, caller, request);
      await storeUpload(deps, { call, ...address, upsert }, request.raw);
      return reply.send({ Key: toPath(address) });
    });
  });
}

/** Whether a client said that a file of the same name may be written over. */
export function asksToOverwrite({ headers }: FastifyRequest): boolean {
  return headers['x-upsert'] === 'true';
}

/** More than twice the largest file: whoever sends an honest one to the end hears why it was refused. */
const MOST_BYTES_READ_IN_VAIN = 128 * 1024 * 1024;

/**
 * Takes what is still to come of a body that nobody wants any more and throws it away: a client that still sends hears the answer
 * only then. Who sends on and on is cut off.
 */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  let bytes = 0;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES_READ_IN_VAIN) raw.destroy();
  });
  raw.resume();
}

type UploadWish = {
  readonly call: StorageCall;
  readonly bucket: string;
  readonly name: string;
  /** Whether a file of this name may be written over. */
  readonly upsert: boolean;
};

/** The file with which the platform's tools mark an empty folder: no bytes, of any type. */
const FOLDER_MARK = /(?:^|\/)\.emptyFolderPlaceholder$/;

/**
 * Takes a file in: whoever may not write is refused before the first byte, then the bytes are kept, then the record is written for
 * good, as the caller each time.
 * @throws StorageError; nothing is left behind then, and a file that was there before is still there.
 */
async function storeUpload(
  deps: StorageDeps,
  wish: UploadWish,
  raw: IncomingMessage,
): Promise<WrittenObject> {
  const { bucket: bucketId, name, upsert, call } = wish;
  const bucket = await asStorageAdmin(deps.db, 'read what a bucket allows', (tx) => findBucket(tx, bucketId));
  if (!bucket) throw storageError.noSuchBucket();
  const announced = readAnnouncedSize(raw);
  const record = { bucket: bucketId, name, upsert, owner: readOwner(call.caller), version: randomUUID() };
  const rehearsed = {
    ...record,
    metadata: announced === undefined ? null : { size: announced },
    userMetadata: null,
  };
  await call.rehearse((tx) => writeObject(tx, rehearsed));
  const maxBytes = FOLDER_MARK.test(name) ? 0 : findLimit(deps, bucket);
  if (announced !== undefined && announced > maxBytes) throw storageError.tooLarge();

  const upload = await readUpload(raw);
  requireAllowedType(bucket, name, upload);
  const key = toBlobKey(bucketId, record.version);
  const blob = await writeBytes(deps, key, upload, maxBytes);
  return keepRecord(deps, call, key, async () => {
    const notes = await upload.readNotes();
    return { ...record, metadata: describeFile(blob, notes, deps.now()), userMetadata: notes.userMetadata };
  });
}

/** The length of a file that is the body itself; a form's says nothing exact. */
function readAnnouncedSize({ headers }: IncomingMessage): number | undefined {
  const isForm = /^multipart\/form-data/i.test(headers['content-type'] ?? '');
  const length = headers['content-length'];
  return isForm || length === undefined ? undefined : Number(length);
}

function findLimit({ settings }: StorageDeps, { file_size_limit: limit }: StoredBucket): number {
  return limit === null ? settings.fileSizeLimit : Math.min(limit, settings.fileSizeLimit);
}

function requireAllowedType(bucket: StoredBucket, name: string, { body, mimeType }: IncomingUpload): void {
  if (FOLDER_MARK.test(name)) return;
  if (isMediaTypeAllowed(mimeType, bucket.allowed_mime_types)) return;
  body.destroy();
  throw storageError.invalidMimeType(mimeType);
}

async function writeBytes(
  { blobs }: StorageDeps,
  key: string,
  { body }: IncomingUpload,
  maxBytes: number,
): Promise<WrittenBlob> {
  try {
    return await blobs.write(key, body, { maxBytes });
  } catch (error) {
    body.destroy();
    throw error instanceof BlobTooLargeError ? storageError.tooLarge(undefined, error) : error;
  }
}

/** The record for good. The bytes of what it replaces go; those of a record that is refused, too. */
async function keepRecord(
  deps: StorageDeps,
  call: StorageCall,
  key: string,
  describe: () => Promise<ObjectToWrite>,
): Promise<WrittenObject> {
  try {
    const object = await describe();
    const written = await call.write((tx) => writeObject(tx, object));
    if (written.previousVersion !== null)
      await forgetBlobs(deps, [toBlobKey(object.bucket, written.previousVersion)]);
    return written;
  } catch (error) {
    // A connection that broke may have taken the commit along: then the record is there and needs its bytes.
    const isCertain = !isDatabaseUnavailable(error) && !isDatabaseUnavailable((error as Error).cause);
    if (isCertain) await forgetBlobs(deps, [key]);
    throw error;
  }
}

/** As the platform spells it. */
function describeFile({ size, md5 }: WrittenBlob, notes: UploadNotes, now: Date) {
  const { mimeType, cacheControl, contentEncoding } = notes;
  return {
    eTag: `"${md5}"`,
    size,
    mimetype: mimeType,
    cacheControl,
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    lastModified: now.toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
}
