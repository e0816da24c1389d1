import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { BlobMissingError, type ByteRange, toBlobKey } from '../blobs/blob-store.ts';
import type { ObjectMetadata, StoredObject } from '../records/objects.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { buildGuardHeaders, readCacheControl } from './build-file-headers.ts';
import { parseMediaType, readQuery, UNKNOWN_MEDIA_TYPE } from './media-type.ts';

export type FileToSend = {
  /** Finds the record as whoever may see it; asked again when the file is written over at this very moment. */
  readonly find: () => Promise<StoredObject | undefined>;
  /** Until when a signed address works: caches keep the file no longer. */
  readonly expires?: Date;
  /** Whether everybody gets the same answer. */
  readonly isPublic: boolean;
  /** Whether no browser can have asked by itself, so that the file's own type can do no harm. */
  readonly isForProgram?: boolean;
  /** Headers that stand in the place of the file's own. */
  readonly overrides?: Readonly<Record<string, string>>;
};

/**
 * Answers with a file, a part of it, or that the client has it already (RFC 9110, sections 13 and 14).
 * @throws StorageError when there is none, or no such part of it.
 */
export async function sendFile(
  deps: StorageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileToSend,
): Promise<FastifyReply> {
  const object = await file.find();
  if (!object?.metadata) throw storageError.noSuchKey();
  const { metadata } = object;
  const lastModified = new Date(metadata.lastModified).toUTCString();
  const { eTag, size } = metadata;
  const state = { etag: eTag, 'last-modified': lastModified };
  const guard = {
    ...buildGuardHeaders(metadata, readQuery(request, 'download')),
    ...(file.isForProgram ? { 'content-type': parseMediaType(metadata.mimetype) ?? UNKNOWN_MEDIA_TYPE } : {}),
  };
  if (fresh(request.headers, state))
    return reply
      .code(304)
      .headers({ ...state, ...guard, ...buildCacheHeaders(metadata, file, reply) })
      .send();

  const range = pickRange(request.headers, { size, eTag, lastModified });
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw storageError.invalidRange();
  }
  const isHead = request.method === 'HEAD';
  const body = isHead ? undefined : await openBytes(deps, object, file, range && { ...range });
  // The file was written over between its record and its bytes: what is there now is answered instead.
  if (body === 'changed') return sendFile(deps, request, reply, file);
  reply.code(range ? 206 : 200).headers({
    ...state,
    ...buildCacheHeaders(metadata, file, reply),
    ...guard,
    ...file.overrides,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : size,
  });
  return reply.send(body);
}

async function openBytes(
  deps: StorageDeps,
  object: StoredObject,
  file: FileToSend,
  range: { readonly start: number; readonly end: number } | undefined,
): Promise<Readable | 'changed'> {
  try {
    return await deps.blobs.read(toBlobKey(object.bucket_id, object.version), range);
  } catch (error) {
    return requireChanged(deps, object, file, error);
  }
}

/** Looks again after an object's bytes could not be read. @throws the error, or StorageError NoSuchKey, unless it was written over */
export async function requireChanged(
  { logger }: StorageDeps,
  { version, id }: StoredObject,
  { find }: FileToSend,
  error: unknown,
): Promise<'changed'> {
  if (!(error instanceof BlobMissingError)) throw error;
  const now = await find();
  if (now && now.version !== version) return 'changed';
  if (now) logger.warn({ err: error, object: id }, 'the bytes of a recorded file are missing');
  throw storageError.noSuchKey(error);
}

/** Whoever else uses the same browser must not be shown what the cache kept for the one before. */
export function buildCacheHeaders(
  metadata: ObjectMetadata,
  { expires, isPublic }: FileToSend,
  reply: FastifyReply,
): { readonly vary?: string; readonly expires?: string; readonly 'cache-control'?: string } {
  const vary = isPublic
    ? {}
    : { vary: [reply.getHeader('vary'), 'Authorization'].filter(Boolean).join(', ') };
  return expires
    ? { ...vary, expires: expires.toUTCString() }
    : { ...vary, 'cache-control': readCacheControl(metadata) };
}

/**
 * The part of a file that is asked for (RFC 9110, section 14): undefined for the whole of it, which also answers several parts at
 * once and what cannot be read, as the standard allows; `unsatisfiable` for one behind its end.
 */
function pickRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  {
    size,
    eTag,
    lastModified,
  }: { readonly size: number; readonly eTag: string; readonly lastModified: string },
): ByteRange | 'unsatisfiable' | undefined {
  if (range === undefined) return undefined;
  // The client has a part of another state of the file: it needs all of this one.
  if (ifRange !== undefined && ifRange !== eTag && ifRange !== lastModified) return undefined;
  const ranges = parseRange(size, range);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
