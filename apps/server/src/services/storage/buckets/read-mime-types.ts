import { storageError } from '../storage-error.ts';

/**
 * What kinds of files a bucket takes, such as `image/*`. Null takes all; undefined says nothing.
 * @throws StorageError for anything but a list of texts.
 */
export function readMimeTypes(wish: unknown): readonly string[] | null | undefined {
  if (wish === null || wish === undefined) return wish;
  const isList =
    Array.isArray(wish) && wish.every((entry) => typeof entry === 'string' && entry.includes('/'));
  if (!isList) throw storageError.invalidParameter('allowed_mime_types');
  return wish;
}
