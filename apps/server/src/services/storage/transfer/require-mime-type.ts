import { storageError } from '../storage-error.ts';
import { readMediaType } from './is-mime-type-allowed.ts';

const DEFAULT_TYPE = 'application/octet-stream';
/** It goes into a header again: printable characters alone. */
const PRINTABLE = /^[\x20-\x7e]{1,200}$/;

/**
 * A file's content type with its parameters, or the one of bytes that nobody has named.
 * @throws StorageError for what is no media type.
 */
export function requireMimeType(contentType: string | undefined): string {
  const given = contentType?.trim() || DEFAULT_TYPE;
  if (readMediaType(given) === undefined || !PRINTABLE.test(given))
    throw storageError.invalidMimeType(given.slice(0, 200));
  return given;
}
