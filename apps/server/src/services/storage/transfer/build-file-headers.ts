import { create as createDisposition } from 'content-disposition';
import type { ObjectMetadata } from '../records/objects.ts';
import { parseMediaType, toEssence, UNKNOWN_MEDIA_TYPE } from './media-type.ts';

/** What a browser draws or plays without running anything in it. Everything else is saved, never shown. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((name) => `image/${name}`),
  ...['mpeg', 'mp4', 'aac', 'ogg', 'opus', 'wav', 'x-wav', 'webm', 'flac'].map((name) => `audio/${name}`),
  ...['mp4', 'webm', 'ogg', 'quicktime'].map((name) => `video/${name}`),
  'text/plain',
]);

/**
 * `sandbox` takes the origin away from whatever a browser makes of a file and lets nothing in it run, submit or open; pictures, sound
 * and the browser's own style stay, so that a picture that is opened by itself can be seen.
 */
const POLICY = [
  'sandbox',
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "media-src 'self'",
  "style-src 'unsafe-inline'",
].join('; ');

/** Of files about which nobody said otherwise. */
export const DEFAULT_CACHE_CONTROL = 'no-cache';
/** What goes into a header again: printable characters alone. */
const HEADER_TEXT = /^[\x20-\x7e]+$/;

/** Whether a stored text can stand in a header. */
export function isHeaderText(value: unknown, most = 200): value is string {
  return typeof value === 'string' && value.length <= most && HEADER_TEXT.test(value);
}

/** How long a file may be kept; what cannot be read counts as not said. */
export function readCacheControl({ cacheControl }: Partial<ObjectMetadata>): string {
  return isHeaderText(cacheControl) ? cacheControl : DEFAULT_CACHE_CONTROL;
}

/**
 * The headers that keep a file from acting on our origin: its type is read anew from the record, whoever wrote it there, and what is
 * not on the list of what is shown has neither a type that a browser runs nor a place in a window.
 * @param download the parameter of that name: '' saves the file, a text saves it under that name (RFC 6266).
 */
export function buildGuardHeaders(
  { mimetype, contentEncoding }: Partial<ObjectMetadata>,
  download: string | undefined,
): Readonly<Record<string, string>> {
  const mediaType = parseMediaType(mimetype) ?? UNKNOWN_MEDIA_TYPE;
  const isShown = SHOWN.has(toEssence(mediaType));
  return {
    'content-type': isShown ? mediaType : UNKNOWN_MEDIA_TYPE,
    'x-content-type-options': 'nosniff',
    'content-security-policy': POLICY,
    ...(isHeaderText(contentEncoding) ? { 'content-encoding': contentEncoding } : {}),
    ...(download === undefined && isShown ? {} : { 'content-disposition': describeAttachment(download) }),
  };
}

function describeAttachment(download: string | undefined): string {
  // Without characters that nobody sees: they turn the end of a name around (U+202E) or hide it.
  const name = (download ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, 255)
    .toWellFormed();
  return name === '' ? 'attachment' : createDisposition(name);
}
