import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { toBlobKey } from '../blobs/blob-store.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import { buildGuardHeaders } from '../transfer/build-file-headers.ts';
import { readQuery } from '../transfer/media-type.ts';
import { buildCacheHeaders, type FileToSend, requireChanged } from '../transfer/send-file.ts';
import type { RenderPicture } from './render-picture.ts';
import { describeTransformation, type Transformation, writeTransformation } from './transformation.ts';

/** Bytes: no larger file is drawn, as on the platform. */
const LARGEST_FILE = 25 * 1024 * 1024;

/**
 * Answers with a picture drawn anew, or that the client has it already.
 * @throws StorageError when there is none, it cannot be drawn, or too many are.
 */
export async function sendPicture(
  deps: StorageDeps,
  render: RenderPicture,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  wish: { readonly file: FileToSend; readonly transformation: Transformation },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { file, transformation } = wish;
  const object = await file.find();
  if (!object?.metadata) throw storageError.noSuchKey();
  const { metadata, bucket_id: bucket, version } = object;
  if (metadata.size > LARGEST_FILE) throw storageError.tooLarge();
  const takesWebp = /\bimage\/webp\b/.test(request.headers.accept ?? '');
  const shown = writeTransformation(transformation);
  const state = {
    etag: `"${createHash('md5').update(`${metadata.eTag} ${shown} ${takesWebp}`).digest('hex')}"`,
    'last-modified': new Date(metadata.lastModified).toUTCString(),
  };
  const caching = buildCacheHeaders(metadata, file, reply);
  const vary = [caching.vary ?? reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ');
  const headers = {
    ...state,
    ...caching,
    vary,
    'x-transformations': describeTransformation(transformation),
  };
  if (fresh(request.headers, state)) return reply.code(304).headers(headers).send();

  const picture = await render(async () => ({
    source: await deps.blobs.read(toBlobKey(bucket, version)),
    transformation,
    takesWebp,
  })).catch((error: unknown) => requireChanged(deps, object, file, error));
  // It was written over while it waited for its turn.
  if (picture === 'changed') return sendPicture(deps, render, exchange, wish);
  const { bytes, mimeType } = picture;
  reply.headers({
    ...headers,
    ...buildGuardHeaders({ mimetype: mimeType }, readQuery(request, 'download')),
    'content-length': bytes.length,
  });
  return reply.send(bytes);
}
