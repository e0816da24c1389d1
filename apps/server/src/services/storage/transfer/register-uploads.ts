import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobTooLargeError, toBlobKey, type WrittenBlob } from '../blobs/blob-store.ts';
import { openCall, openCallAs, readOwner, type StorageCall } from '../open-call.ts';
import { type ObjectToWrite, type WrittenObject, writeObject } from '../records/write-object.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { type FileRules, findFileRules } from './file-rules.ts';
import { describeFile, keepRecord } from './keep-record.ts';
import { readAddress, readQuery, requireMediaType } from './media-type.ts';
import { type IncomingUpload, readUpload } from './read-upload.ts';
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
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  let bytes = 0;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES_READ_IN_VAIN) raw.destroy();
  });
  raw.resume();
}

export type UploadWish = Pick<ObjectToWrite, 'bucket' | 'name' | 'upsert' | 'ifMatch'> & {
  readonly call: StorageCall;
};

export type FileToCome = {
  /** How many bytes it says that it has. */
  readonly announced: number | undefined;
  readonly open: () => Promise<IncomingUpload>;
};

export type StoredFile = WrittenObject & {
  /** Hexadecimal. */
  readonly md5: string;
};

/**
 * Takes a file in: whoever may not write is refused before the first byte, then the bytes are kept, then the record is written for
 * good, as the caller each time.
 * @throws StorageError; nothing is left behind then, and a file that was there before is still there.
 */
export async function storeFile(
  deps: StorageDeps,
  wish: UploadWish,
  { announced, open }: FileToCome,
): Promise<StoredFile> {
  const { call, ...asked } = wish;
  const rules = await findFileRules(deps, asked);
  const record = { ...asked, owner: readOwner(call.caller), version: randomUUID() };
  const rehearsed = {
    ...record,
    metadata: announced === undefined ? null : { size: announced },
    userMetadata: null,
  };
  await call.rehearse((tx) => writeObject(tx, rehearsed));
  const { maxBytes } = rules;
  if (announced !== undefined && announced > maxBytes) throw storageError.tooLarge();

  const upload = await open();
  requireAllowedType(rules, upload);
  const key = toBlobKey(record.bucket, record.version);
  const blob = await writeBytes(deps, key, upload, maxBytes);
  const written = await keepRecord(deps, call, key, async () => {
    const notes = await upload.readNotes();
    return { ...record, metadata: describeFile(blob, notes, deps.now()), userMetadata: notes.userMetadata };
  });
  return { ...written, md5: blob.md5 };
}

function storeUpload(deps: StorageDeps, wish: UploadWish, raw: IncomingMessage): Promise<StoredFile> {
  return storeFile(deps, wish, { announced: readAnnouncedSize(raw), open: () => readUpload(raw) });
}

/** The length of a file that is the body itself; a form's says nothing exact. */
function readAnnouncedSize({ headers }: IncomingMessage): number | undefined {
  const isForm = /^multipart\/form-data/i.test(headers['content-type'] ?? '');
  const length = headers['content-length'];
  return isForm || length === undefined ? undefined : Number(length);
}

function requireAllowedType(rules: FileRules, { body, mimeType }: IncomingUpload): void {
  try {
    rules.requireMediaType(mimeType);
  } catch (error) {
    body.destroy();
    throw error;
  }
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
