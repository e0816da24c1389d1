import { storageError } from './storage-error.ts';

/** What is safe in a URL, a header and S3 alike: the platform's own choice. */
const SAFE_KEY = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const SAFE_BUCKET = /^[\w!\-.*'() &$@=;:+,?]{1,100}$/;
/** S3's, and long enough for any path of folders. */
const MAX_KEY_LENGTH = 1024;

/**
 * Empty parts (`a//b`) are names of their own, as on the platform and in S3.
 * @throws StorageError InvalidKey, also for a path with `.` or `..` parts, which mean another path to others.
 */
export function requireValidKey(key: string): string {
  const isValid =
    key.length <= MAX_KEY_LENGTH &&
    SAFE_KEY.test(key) &&
    key.split('/').every((part) => part !== '.' && part !== '..');
  if (!isValid) throw storageError.invalidKey(key.slice(0, MAX_KEY_LENGTH));
  return key;
}

/** @throws StorageError InvalidBucketName. */
export function requireValidBucketName(name: string): string {
  const isValid = SAFE_BUCKET.test(name) && name.trim() === name && name !== '.' && name !== '..';
  if (!isValid) throw storageError.invalidBucketName();
  return name;
}
