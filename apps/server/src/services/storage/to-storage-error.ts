import pg from 'pg';
import { isDatabaseUnavailable } from '../../kernel/log-failure.ts';
import { StorageError, storageError } from './storage-error.ts';

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
