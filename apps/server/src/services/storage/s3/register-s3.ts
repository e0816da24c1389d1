import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openCallAs } from '../open-call.ts';
import type { NoteFailure } from '../resumable/register-resumable-uploads.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { type StorageError, storageError } from '../storage-error.ts';
import { discardRest } from '../transfer/register-uploads.ts';
import { requireValidBucketName, requireValidKey } from '../validate-names.ts';
import { authorize } from './authorize.ts';
import {
  headBucket,
  listAllBuckets,
  putBucket,
  removeBucket,
  showLocation,
  showVersioning,
} from './bucket-operations.ts';
import { listObjects, listObjectsV2 } from './list-operations.ts';
import {
  abortUpload,
  completeUpload,
  createUpload,
  listParts,
  listUploads,
  uploadPart,
  uploadPartCopy,
} from './multipart-operations.ts';
import {
  copyFile,
  deleteObject,
  deleteObjects,
  getObject,
  putObject,
  showTags,
} from './object-operations.ts';
import { isPostedForm, postForm } from './post-form.ts';
import type { S3Operation } from './request.ts';
import { writeXml } from './xml.ts';

type Deps = StorageDeps & { readonly noteFailure: NoteFailure };

/** The S3 protocol (path style, Signature Version 4). Refusals are XML, with their real status. */
export function registerS3(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    // Bodies are read as they come, and by nobody but the operations themselves.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // The framework would refuse what is no media type, in words of its own.
    scope.addHook('onRequest', async ({ raw }) => {
      raw.headers['content-type'] ??= 'application/octet-stream';
    });
    scope.addHook('onSend', async (request) => discardRest(request.raw));
    scope.setErrorHandler((error, request, reply) =>
      sendFailure(request, reply, deps.noteFailure(request, error)),
    );
    const config = { takesFiles: true };
    const handler = (request: FastifyRequest, reply: FastifyReply) => answer(deps, request, reply);
    for (const url of ['/s3', '/s3/', '/s3/:bucket', '/s3/:bucket/*'])
      scope.route({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
        url,
        config,
        exposeHeadRoute: false,
        handler,
      });
  });
}

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').header('x-amz-request-id', request.id);
  if (isPostedForm(request)) return postForm(deps, request, reply);
  const { caller, signed, key } = authorize(deps, request);
  const params = request.params as { readonly bucket?: string; readonly '*'?: string };
  const { bucket = '', '*': name = '' } = params;
  const query = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '');
  const operation = choose({ method: request.method, query, bucket, name, request });
  if (bucket !== '') requireValidBucketName(bucket);
  if (name !== '') requireValidKey(name);
  return operation({
    deps,
    call: openCallAs(deps, caller, request),
    seal: { signed, key },
    request,
    reply,
    query,
    bucket,
    name,
  });
}

type Choice = {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly bucket: string;
  readonly name: string;
  readonly request: Pick<FastifyRequest, 'headers'>;
};

/** Parameters that change nothing here, or belong to an operation. Any other names one that is not offered. */
const KNOWN =
  /^(?:[Xx]-[Aa]mz-.*|x-id|list-type|prefix|delimiter|max-keys|marker|start-after|continuation-token|encoding-type|fetch-owner|location|versioning|uploads|delete|uploadId|partNumber|max-parts|part-number-marker|max-uploads|key-marker|upload-id-marker|tagging|response-(?:cache-control|content-disposition|content-encoding|content-language|content-type|expires))$/;

function choose(choice: Choice): S3Operation {
  const { query, bucket, name } = choice;
  if (![...query.keys()].every((key) => KNOWN.test(key))) throw storageError.notImplemented();
  const operation =
    bucket === '' ? chooseForService(choice) : name === '' ? chooseForBucket(choice) : chooseForFile(choice);
  if (!operation) throw storageError.notImplemented();
  return operation;
}

function chooseForService({ method }: Choice): S3Operation | undefined {
  return method === 'GET' ? listAllBuckets : undefined;
}

function chooseForBucket({ method, query }: Choice): S3Operation | undefined {
  if (query.has('tagging')) return undefined;
  if (method === 'POST') return query.has('delete') ? deleteObjects : undefined;
  if (method === 'PUT') return putBucket;
  if (method === 'HEAD') return headBucket;
  if (method === 'DELETE') return removeBucket;
  if (query.has('location')) return showLocation;
  if (query.has('versioning')) return showVersioning;
  if (query.has('uploads')) return listUploads;
  return query.get('list-type') === '2' ? listObjectsV2 : listObjects;
}

function chooseForFile({ method, query, request }: Choice): S3Operation | undefined {
  const isPart = query.has('uploadId');
  if (query.has('tagging') && method !== 'GET') return undefined;
  const isCopy = request.headers['x-amz-copy-source'] !== undefined;
  if (method === 'POST') return query.has('uploads') ? createUpload : isPart ? completeUpload : undefined;
  if (method === 'PUT') {
    if (isPart) return isCopy ? uploadPartCopy : uploadPart;
    return isCopy ? copyFile : putObject;
  }
  if (method === 'DELETE') return isPart ? abortUpload : deleteObject;
  if (query.has('tagging')) return showTags;
  return isPart ? listParts : getObject;
}

/** Codes that S3's clients know by another word. */
const CODES: Readonly<Record<string, string>> = {
  ResourceNotEmpty: 'BucketNotEmpty',
  InvalidSignature: 'AuthorizationHeaderMalformed',
  InvalidJWT: 'InvalidToken',
  ResourceLocked: 'SlowDown',
  DatabaseConnectionLimit: 'ServiceUnavailable',
};

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, code, message }: StorageError,
): FastifyReply {
  const status = Number(statusCode);
  // Only 503 tells a client to come again.
  reply.code(status === 423 || status === 429 ? 503 : status).header('cache-control', 'no-store');
  if (request.method === 'HEAD') return reply.send();
  const resource = (request.raw.url ?? '').split('?')[0] ?? '';
  const content = {
    Code: CODES[code] ?? code,
    Message: message,
    Resource: resource,
    RequestId: request.id,
  };
  return reply.type('application/xml; charset=utf-8').send(writeXml('Error', content, ''));
}
