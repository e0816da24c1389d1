import pg from 'pg';
import { isDatabaseUnavailable } from '../../kernel/log-failure.ts';

/** What `storage-js` and people who read a log are told: the kind as a word, and the status the fault stands for. */
type Kind = {
  /** The status the fault stands for; the answer itself carries another one (see `httpStatus`). */
  readonly statusCode: number;
  readonly code: string;
  /** The older word for the same; the code where the platform never had one. */
  readonly error?: string;
  readonly httpStatus?: number;
};

/** An expected failure, thrown once so that the service's error handler renders it. */
export class StorageError extends Error {
  readonly statusCode: string;
  readonly error: string;
  readonly code: string;
  /** What goes over the wire: 400 for every fault of the caller (protocol note, section 4), but 416, which players and browsers act on. */
  readonly httpStatus: number;

  constructor({ statusCode, code, error = code, httpStatus }: Kind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.statusCode = String(statusCode);
    this.code = code;
    this.error = error;
    this.httpStatus = httpStatus ?? (statusCode >= 500 || statusCode === 416 ? statusCode : 400);
  }
}

function make(statusCode: number, code: string, message: string, error?: string, cause?: unknown) {
  const kind = error === undefined ? { statusCode, code } : { statusCode, code, error };
  return new StorageError(kind, message, cause === undefined ? undefined : { cause });
}

const DUPLICATE = 'The resource already exists';

/** The closed catalogue: codes, statuses and wording of the platform's storage service (protocol note, section 4). */
export const storageError = {
  noSuchBucket: (cause?: unknown) => make(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found', cause),
  noSuchKey: (cause?: unknown) => make(404, 'NoSuchKey', 'Object not found', 'not_found', cause),
  noSuchRoute: (method: string, path: string) =>
    new StorageError(
      { statusCode: 404, code: 'InvalidRequest', error: 'Not Found', httpStatus: 404 },
      `Route ${method}:${path} not found`,
    ),
  bucketAlreadyExists: (cause?: unknown) => make(409, 'BucketAlreadyExists', DUPLICATE, 'Duplicate', cause),
  keyAlreadyExists: (cause?: unknown) => make(409, 'KeyAlreadyExists', DUPLICATE, 'Duplicate', cause),
  bucketNotEmpty: (cause?: unknown) =>
    make(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty', undefined, cause),
  resourceLocked: (cause?: unknown) =>
    make(423, 'ResourceLocked', 'The resource is locked', undefined, cause),
  accessDenied: (message = 'Access denied', cause?: unknown) =>
    make(403, 'AccessDenied', message, 'Unauthorized', cause),
  /** The refusal of every policy, so that a stranger learns nothing else. */
  rowLevelSecurity: (cause?: unknown) =>
    storageError.accessDenied('new row violates row-level security policy', cause),
  invalidBucketName: () => make(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input'),
  invalidKey: (key: string) => make(400, 'InvalidKey', `Invalid key: ${key}`),
  invalidMimeType: (mimeType: string) =>
    make(415, 'InvalidMimeType', `mime type ${mimeType} is not supported`, 'invalid_mime_type'),
  invalidFileSizeLimit: () =>
    make(400, 'InvalidRequest', 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B'),
  tooLarge: (message = 'The object exceeded the maximum allowed size', cause?: unknown) =>
    make(413, 'EntityTooLarge', message, 'Payload too large', cause),
  /** Nobody is told more: what a picture is made of is its sender's affair. */
  invalidPicture: (cause?: unknown) =>
    make(
      400,
      'InvalidRequest',
      'The source image is invalid or unsupported for rendering',
      'InvalidRequest',
      cause,
    ),
  invalidRange: () => make(416, 'InvalidRange', 'invalid range provided', 'invalid_range'),
  invalidParameter: (name: string, message = `Invalid Parameter ${name}`) =>
    make(400, 'InvalidParameter', message),
  missingParameter: (name: string) => make(400, 'MissingParameter', `Missing Required Parameter ${name}`),
  /** What is no request at all: a body, a query or a header of another shape. */
  invalidRequest: (message: string, cause?: unknown) => make(400, 'InvalidRequest', message, 'Error', cause),
  missingAuthorization: () =>
    storageError.invalidRequest(`headers must have required property 'authorization'`),
  noContent: () => make(400, 'InvalidRequest', 'No content provided'),
  invalidJwt: (message = 'Invalid JWT', cause?: unknown) =>
    make(403, 'InvalidJWT', message, 'Unauthorized', cause),
  /** The token in a signed address, not the caller's own. */
  invalidSignedToken: (message: string) => make(400, 'InvalidJWT', message),
  invalidSignature: (message = 'Invalid signature', cause?: unknown) =>
    make(400, 'InvalidSignature', message, undefined, cause),
  invalidUploadSignature: (cause?: unknown) =>
    make(400, 'InvalidUploadSignature', 'Invalid upload Signature', undefined, cause),
  expiredSignature: (cause?: unknown) =>
    make(400, 'ExpiredToken', 'The provided token has expired.', undefined, cause),
  featureNotEnabled: (feature: string) =>
    make(409, 'FeatureNotEnabled', `The feature ${feature} is not enabled for this resource`),
  /** Of a whole kind of requests, as to a project that has not paid for it. */
  featureNotOffered: () =>
    new StorageError(
      { statusCode: 403, code: 'FeatureNotEnabled', httpStatus: 403 },
      'feature not enabled for this tenant',
    ),
  /** More was begun than anybody needs at once. */
  slowDown: (message: string) => make(429, 'SlowDown', message),
  tooManyParts: () => make(400, 'InvalidRequest', 'The upload came in too many parts'),
  /** What was kept of an upload is gone: a backup that was restored has none of it. */
  noSuchUpload: (cause?: unknown) => make(410, 'NoSuchUpload', 'Upload not found', undefined, cause),
  /** Of the S3 protocol alone, in Amazon's words. */
  invalidAccessKeyId: () =>
    make(403, 'InvalidAccessKeyId', 'The AWS access key ID you provided does not exist in our records.'),
  signatureDoesNotMatch: () =>
    make(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    ),
  requestTimeTooSkewed: () =>
    make(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    ),
  contentHashMismatch: () =>
    make(
      400,
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 header does not match what was computed.',
    ),
  badDigest: () =>
    make(
      400,
      'BadDigest',
      'The Content-MD5 or checksum value that you specified did not match what the server received.',
    ),
  incompleteBody: () =>
    make(
      400,
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header.',
    ),
  malformedXml: () =>
    make(400, 'MalformedXML', 'The XML you provided was not well-formed or did not validate.'),
  notImplemented: () =>
    make(
      501,
      'NotImplemented',
      'A header or query you provided implies functionality that is not implemented.',
    ),
  preconditionFailed: () =>
    make(412, 'PreconditionFailed', 'At least one of the preconditions you specified did not hold.'),
  noSuchMultipartUpload: () => make(404, 'NoSuchUpload', 'The specified upload does not exist.'),
  invalidPart: () =>
    make(400, 'InvalidPart', 'One or more of the specified parts could not be found or did not match.'),
  invalidPartOrder: () => make(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.'),
  requestTimeout: (cause?: unknown) =>
    make(408, 'RequestTimeout', 'The request took too long to arrive', undefined, cause),
  /** The official client reports it; trying again later may succeed. */
  unavailable: (cause?: unknown) =>
    make(503, 'DatabaseConnectionLimit', 'The database does not answer at the moment', undefined, cause),
  internal: (cause?: unknown) => make(500, 'InternalError', 'Internal server error', 'Internal', cause),
} as const;

/** What anything that was thrown means to the caller; its own words stay in the log. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (isDatabaseUnavailable(error)) return storageError.unavailable(error);
  if (error instanceof pg.DatabaseError) return fromDatabase(error);
  const { statusCode = 500, message = '' } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode === 413)
    return storageError.tooLarge('The request body exceeded the maximum allowed size', error);
  if (statusCode === 408) return storageError.requestTimeout(error);
  if (statusCode >= 400 && statusCode < 500) return storageError.invalidRequest(message, error);
  return storageError.internal(error);
}

/** SQLSTATE codes and classes (Postgres manual, appendix A). */
function fromDatabase(error: pg.DatabaseError): StorageError {
  const { code = '', constraint, message, detail = '' } = error;
  if (code === '42501')
    // A policy that says why may be heard, as on the platform.
    return message.includes('row-level security')
      ? storageError.rowLevelSecurity(error)
      : storageError.accessDenied(message, error);
  if (code === '23505')
    return constraint === 'buckets_pkey' || constraint === 'bname'
      ? storageError.bucketAlreadyExists(error)
      : storageError.keyAlreadyExists(error);
  if (code === '23503')
    return detail.includes('is still referenced')
      ? storageError.bucketNotEmpty(error)
      : storageError.noSuchBucket(error);
  // Somebody else holds the same rows, or took them in another order.
  if (code === '55P03' || code.startsWith('40')) return storageError.resourceLocked(error);
  if (code === '57014') return storageError.unavailable(error);
  if (code.startsWith('22') || code === '23514') return storageError.invalidParameter('value');
  return storageError.internal(error);
}
