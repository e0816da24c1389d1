import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { BlobMissingError, BlobTooLargeError, toBlobKey, type WrittenBlob } from '../blobs/blob-store.ts';
import { readOwner } from '../open-call.ts';
import { findObject } from '../records/objects.ts';
import { sumUnfinished } from '../records/resumable-uploads.ts';
import {
  findS3Upload,
  insertS3Upload,
  listS3Parts,
  listS3Uploads,
  type NewS3Upload,
  putS3Part,
  removeS3Upload,
  type S3Part,
  type S3Upload,
} from '../records/s3-uploads.ts';
import { writeObject } from '../records/write-object.ts';
import { forgetBlobs, forgetUnlessKept } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { findFileRules } from '../transfer/file-rules.ts';
import { describeFile, keepRecord } from '../transfer/keep-record.ts';
import { detachBody } from '../transfer/read-upload.ts';
import { requireBucket } from './bucket-operations.ts';
import { createChecksums, isRightChecksum, readChecksums, readWholeChecksums } from './checksums.ts';
import { decodePayload, readPayloadLength } from './decode-payload.ts';
import {
  readConditions,
  readCopySource,
  readNotes,
  refuseTaken,
  requireCopyConditions,
} from './object-operations.ts';
import { readNumber, readText, type S3Operation, type S3Request } from './request.ts';
import { readXmlList, sendXml } from './xml.ts';

const MOST_UNFINISHED = 100;
/** As many parts as are kept of one upload: a file of 50 MiB needs ten, where each has five. */
const MOST_PARTS = 1000;
const MOST_PART_NUMBER = 10_000;
const MOST_LISTED = 1000;
const UPLOAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** POST /BUCKET/KEY?uploads: begins a file that comes in parts. */
export const createUpload: S3Operation = async (request) => {
  const { deps, call, reply, bucket, name } = request;
  const { mimeType, cacheControl, contentEncoding, userMetadata } = readNotes(
    request.request.headers,
    request.query,
  );
  const rules = await findFileRules(deps, { bucket, name });
  rules.requireMediaType(mimeType);
  const upload: NewS3Upload = {
    ...{ id: randomUUID(), bucket_id: bucket, key: name, role: call.caller.role },
    ...{ owner_id: readOwner(call.caller), mimetype: mimeType, cache_control: cacheControl },
    ...{ content_encoding: contentEncoding ?? null, user_metadata: userMetadata },
  };
  await rehearse(request, upload, 0);
  await insertS3Upload(deps.db, upload);
  return sendXml(reply, 'InitiateMultipartUploadResult', { Bucket: bucket, Key: name, UploadId: upload.id });
};

/** PUT /BUCKET/KEY?partNumber&uploadId */
export const uploadPart: S3Operation = async (request) => {
  const { request: raw, seal, reply } = request;
  const upload = await requireUpload(request);
  const body = () => decodePayload(detachBody(raw.raw), seal, raw.headers);
  const { md5 } = await keepPart(request, upload, readPayloadLength(seal, raw.headers), async () => body());
  return reply.header('etag', `"${md5}"`).send();
};

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/;

/** The same with `x-amz-copy-source`: the bytes of another file, or some of them. */
export const uploadPartCopy: S3Operation = async (request) => {
  const { deps, call, reply } = request;
  const { headers } = request.request;
  const upload = await requireUpload(request);
  const from = readCopySource(headers);
  const source = await findObject(call.reader, from.bucket, from.name);
  if (!source?.metadata) throw storageError.noSuchKey();
  requireCopyConditions(headers, source);
  const { size } = source.metadata;
  const said = headers['x-amz-copy-source-range'];
  const read = said === undefined ? [] : RANGE.exec(String(said));
  // Unlike a read's, the range names both ends.
  if (read === null) throw storageError.invalidParameter('x-amz-copy-source-range');
  const [, start = '0', end = String(size - 1)] = read;
  const range = { start: Number(start), end: Number(end) };
  if (size > 0 && !(range.start <= range.end && range.end < size)) throw storageError.invalidRange();
  const length = size === 0 ? 0 : range.end - range.start + 1;
  const open = () => deps.blobs.read(toBlobKey(from.bucket, source.version), size === 0 ? undefined : range);
  const { md5 } = await keepPart(request, upload, length, open);
  return sendXml(reply, 'CopyPartResult', { ETag: `"${md5}"`, LastModified: deps.now().toISOString() });
};

/** POST /BUCKET/KEY?uploadId: makes a file of the parts that are named, in their order; over what is there as `putObject` does. */
export const completeUpload: S3Operation = async (request) => {
  const { deps, call, reply, bucket, name } = request;
  const upload = await requireUpload(request);
  const parts = await pickParts(request, upload);
  const { maxBytes } = await findFileRules(deps, { bucket, name });
  if (sum(parts) > maxBytes) throw storageError.tooLarge();
  const version = randomUUID();
  const key = toBlobKey(bucket, version);
  const blob = await joinParts(request, parts, key);
  await keepRecord(deps, call, key, async () => ({
    ...{ bucket, name, version, ...readConditions(request.request.headers) },
    owner: readOwner(call.caller),
    metadata: describeFile(
      blob,
      {
        mimeType: upload.mimetype,
        cacheControl: upload.cache_control,
        contentEncoding: upload.content_encoding ?? undefined,
      },
      deps.now(),
    ),
    userMetadata: upload.user_metadata,
  })).catch(refuseTaken);
  await forgetUpload(request, upload.id);
  return sendXml(reply, 'CompleteMultipartUploadResult', {
    Location: `/${bucket}/${name}`,
    Bucket: bucket,
    Key: name,
    ETag: `"${blob.md5}"`,
  });
};

/** DELETE /BUCKET/KEY?uploadId */
export const abortUpload: S3Operation = async (request) => {
  const { id } = await requireUpload(request);
  await forgetUpload(request, id);
  return request.reply.code(204).send();
};

/** GET /BUCKET/KEY?uploadId */
export const listParts: S3Operation = async (request) => {
  const { deps, reply, bucket, name } = request;
  const { id } = await requireUpload(request);
  const most = readNumber(request, 'max-parts', { least: 0, most: MOST_LISTED, otherwise: MOST_LISTED });
  const after = readNumber(request, 'part-number-marker', { least: 0, most: MOST_PART_NUMBER, otherwise: 0 });
  const parts = (await listS3Parts(deps.db, id)).filter((part) => part.part_number > after);
  const page = parts.slice(0, most);
  const isTruncated = parts.length > page.length;
  return sendXml(reply, 'ListPartsResult', {
    ...{ Bucket: bucket, Key: name, UploadId: id, PartNumberMarker: after, MaxParts: most },
    ...(isTruncated ? { NextPartNumberMarker: page.at(-1)?.part_number ?? after } : {}),
    IsTruncated: isTruncated,
    StorageClass: 'STANDARD',
    Part: page.map((part) => ({
      PartNumber: part.part_number,
      LastModified: part.created_at.toISOString(),
      ETag: `"${part.etag}"`,
      Size: part.size,
    })),
  });
};

/** GET /BUCKET?uploads: the caller's own, page by page; of the service role everybody's. */
export const listUploads: S3Operation = async (request) => {
  const { deps, call, query, reply, bucket } = request;
  await requireBucket(deps, bucket);
  const { role } = call.caller;
  const ownerId = readOwner(call.caller);
  const limit = readNumber(request, 'max-uploads', { least: 1, most: MOST_LISTED, otherwise: MOST_LISTED });
  const marker = query.get('upload-id-marker') ?? '';
  if (marker !== '' && !UPLOAD_ID.test(marker)) throw storageError.invalidParameter('upload-id-marker');
  const after = { key: query.get('key-marker') ?? '', id: marker === '' ? null : marker };
  const isOperator = role === 'service_role';
  // Visitors are told no ids: whoever has the id of a visitor's upload is taken for that visitor.
  const uploads =
    ownerId === null && !isOperator
      ? []
      : await listS3Uploads(deps.db, {
          ...{ bucket, prefix: query.get('prefix') ?? '', after, limit: limit + 1 },
          owner: isOperator ? null : { role, ownerId },
        });
  const page = uploads.slice(0, limit);
  const last = uploads.length > limit ? page.at(-1) : undefined;
  return sendXml(reply, 'ListMultipartUploadsResult', {
    Bucket: bucket,
    ...{ KeyMarker: after.key, UploadIdMarker: marker, MaxUploads: limit },
    ...(last ? { NextKeyMarker: last.key, NextUploadIdMarker: last.id } : {}),
    IsTruncated: last !== undefined,
    Upload: page.map(({ id, key, created_at: createdAt }) => ({
      ...{ Key: key, UploadId: id, Initiated: createdAt.toISOString(), StorageClass: 'STANDARD' },
    })),
  });
};

/** Whoever did not begin an upload is told that there is none; the service role may end and finish each. */
async function requireUpload({ deps, call, query, bucket, name }: S3Request): Promise<S3Upload> {
  const id = query.get('uploadId') ?? '';
  const found = UPLOAD_ID.test(id) ? await findS3Upload(deps.db, id) : undefined;
  const { role } = call.caller;
  const isOwn =
    role === 'service_role' || (found?.role === role && found.owner_id === readOwner(call.caller));
  if (!found || !isOwn || found.bucket_id !== bucket || found.key !== name)
    throw storageError.noSuchMultipartUpload();
  return found;
}

/**
 * Asks the caller's policies before bytes are kept, for a file of so many. What the person's other uploads hold counts as if it were in this
 * one: nobody fills the disk with what is never finished.
 */
async function rehearse({ deps, call }: S3Request, upload: NewS3Upload, bytes: number): Promise<void> {
  const { id, bucket_id: bucket, key: name, owner_id: owner, user_metadata: userMetadata } = upload;
  const others = owner === null ? { count: 0, bytes: 0 } : await sumUnfinished(deps.db, owner, id);
  if (others.count >= MOST_UNFINISHED) throw storageError.slowDown('Too many unfinished uploads');
  const metadata = { size: bytes + others.bytes };
  const wish = {
    bucket,
    name,
    owner: readOwner(call.caller),
    upsert: true,
    version: id,
    metadata,
    userMetadata,
  };
  await call.rehearse((tx) => writeObject(tx, wish));
}

const REFUSALS = {
  gone: storageError.noSuchMultipartUpload,
  too_large: () => storageError.tooLarge(),
  too_many: storageError.tooManyParts,
} as const;

async function keepPart(
  request: S3Request,
  upload: S3Upload,
  announced: number | undefined,
  open: () => Promise<Readable>,
): Promise<WrittenBlob> {
  const { deps, query, bucket, name } = request;
  const number = Number(/^\d{1,5}$/.exec(query.get('partNumber') ?? '')?.[0] ?? 0);
  if (number < 1 || number > MOST_PART_NUMBER) throw storageError.invalidParameter('partNumber');
  const others = (await listS3Parts(deps.db, upload.id)).filter((part) => part.part_number !== number);
  if (others.length >= MOST_PARTS) throw storageError.tooManyParts();
  const { maxBytes } = await findFileRules(deps, { bucket, name });
  const left = maxBytes - sum(others);
  if (announced !== undefined && announced > left) throw storageError.tooLarge();
  await rehearse(request, upload, sum(others) + (announced ?? 0));

  const version = randomUUID();
  const key = toBlobKey(bucket, version);
  const blob = await deps.blobs.write(key, await open(), { maxBytes: left }).catch((error: unknown) => {
    if (error instanceof BlobTooLargeError) throw storageError.tooLarge(undefined, error);
    throw error instanceof BlobMissingError ? storageError.noSuchKey(error) : error;
  });
  const part = { part_number: number, version, size: blob.size, etag: blob.md5 };
  const bounds = { maxBytes, maxParts: MOST_PARTS };
  const kept = await putS3Part(deps.db, upload.id, part, bounds).catch(async (error: unknown) => {
    await forgetUnlessKept(deps, key, error);
    throw error;
  });
  if (typeof kept === 'string') {
    await forgetBlobs(deps, [key]);
    throw REFUSALS[kept]();
  }
  if (kept.replaced !== null) await forgetBlobs(deps, [toBlobKey(bucket, kept.replaced)]);
  return blob;
}

async function pickParts(request: S3Request, { id }: S3Upload): Promise<readonly S3Part[]> {
  // What `x-amz-checksum-…` says is the file's; `Content-MD5` is this list's.
  const said = readChecksums(request.request.headers).filter(({ algorithm }) => algorithm === 'md5');
  const wanted = readXmlList(await readText(request, said), 'Part', MOST_PARTS);
  const known = new Map((await listS3Parts(request.deps.db, id)).map((part) => [part.part_number, part]));
  let before = 0;
  return wanted.map(({ PartNumber: text = '', ETag: etag = '' }) => {
    const number = Number(text);
    if (!(number > before)) throw storageError.invalidPartOrder();
    before = number;
    const part = known.get(number);
    if (part?.etag !== etag.replaceAll('"', '')) throw storageError.invalidPart();
    return part;
  });
}

async function joinParts(
  { deps, request: { headers }, bucket }: S3Request,
  parts: readonly S3Part[],
  key: string,
): Promise<WrittenBlob> {
  const said = readWholeChecksums(headers);
  async function* join() {
    const sums = createChecksums();
    for (const { version } of parts) {
      const bytes: AsyncIterable<Buffer> = await deps.blobs.read(toBlobKey(bucket, version));
      for await (const chunk of bytes) {
        if (said.length > 0) sums.update(chunk);
        yield chunk;
      }
    }
    if (!said.every((checksum) => isRightChecksum(sums, checksum))) throw storageError.badDigest();
  }
  try {
    return await deps.blobs.write(key, Readable.from(join()), { maxBytes: sum(parts) });
  } catch (error) {
    // Ended, or finished, by another request at this very moment.
    throw error instanceof BlobMissingError ? storageError.noSuchMultipartUpload() : error;
  }
}

async function forgetUpload({ deps }: S3Request, id: string): Promise<void> {
  for (const { bucket_id: bucket, parts } of await removeS3Upload(deps.db, id))
    await forgetBlobs(
      deps,
      parts.map((part) => toBlobKey(bucket, part)),
    );
}

function sum(parts: readonly Pick<S3Part, 'size'>[]): number {
  return parts.reduce((total, { size }) => total + size, 0);
}
