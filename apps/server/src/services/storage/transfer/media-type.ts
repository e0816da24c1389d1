import { MIMEType } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { storageError } from '../storage-error.ts';
import { requireValidBucketName, requireValidKey } from '../validate-names.ts';

/** Of bytes that nobody has named, and of those whose name nobody can read. */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';
/** RFC 6838, section 4.2, allows 127 characters on either side of the slash; nobody uses half of it. */
const ESSENCE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const CHARSET = /^[a-z0-9][a-z0-9._:-]{0,39}$/;

/**
 * A media type (RFC 9110, section 8.3.1) written anew: the type in lower case and, for text, its charset. Nothing else that was said
 * survives, because browsers disagree on what stands behind a comma or a semicolon. Undefined for what is no media type.
 */
export function parseMediaType(given: unknown): string | undefined {
  const parsed = typeof given === 'string' ? parse(given) : undefined;
  if (parsed === undefined || !ESSENCE.test(parsed.essence)) return undefined;
  const charset = parsed.params.get('charset')?.toLowerCase() ?? '';
  const keepsCharset = parsed.type === 'text' && CHARSET.test(charset);
  return keepsCharset ? `${parsed.essence}; charset=${charset}` : parsed.essence;
}

function parse(given: string): MIMEType | undefined {
  try {
    return new MIMEType(given);
  } catch {
    return undefined;
  }
}

/** The same for what a client sends; without a word, the type of unknown bytes. @throws StorageError for what is no media type. */
export function requireMediaType(given: string | undefined): string {
  const mediaType = parseMediaType(given?.trim() || UNKNOWN_MEDIA_TYPE);
  if (mediaType === undefined) throw storageError.invalidMimeType(String(given).trim().slice(0, 200));
  return mediaType;
}

/** A media type without its parameters. */
export function toEssence(mediaType: string): string {
  return mediaType.split(';', 1)[0] ?? '';
}

/** Whether a bucket takes files of a parsed type. Its list names types (`image/png`) or all of a kind (`image/*`); no list allows all. */
export function isMediaTypeAllowed(mediaType: string, allowed: readonly string[] | null): boolean {
  if (allowed === null || allowed.length === 0) return true;
  const essence = toEssence(mediaType);
  const [kind] = essence.split('/', 1);
  return allowed
    .map((entry) => toEssence(entry).trim().toLowerCase())
    .some((entry) => entry === essence || entry === `${kind}/*` || entry === '*/*');
}

export type FileAddress = { readonly bucket: string; readonly name: string };

/**
 * The bucket and the name in a path `…/:bucket/*`, decoded.
 * @throws StorageError for names that no bucket or file can have.
 */
export function readAddress(request: FastifyRequest): FileAddress {
  const { bucket = '', '*': name = '' } = request.params as {
    readonly bucket?: string;
    readonly '*'?: string;
  };
  return { bucket: requireValidBucketName(bucket), name: requireValidKey(name) };
}

/** A parameter of the query; the first one where it is repeated. */
export function readQuery(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.[0];
}
