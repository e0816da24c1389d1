import { readLimitedBytes } from '../_shared/read-body.ts';

/** The fields of a form, as they were sent. */
export type MailForm = {
  /** A field's text; empty where it is missing, a file, or there more than once: senders can add fields by writing headers. */
  readonly get: (name: string, charset?: string) => string;
  /** The texts of a field that may be there several times, one after the other: for what anybody may write. */
  readonly join: (name: string) => string;
};

/** Reads a posted form, url-encoded or in parts. @returns undefined for what is none. */
export async function readForm(
  request: Request,
  maxBytes: number,
): Promise<MailForm | 'too_large' | undefined> {
  const body = await readLimitedBytes(request, maxBytes);
  if (body === undefined) return 'too_large';
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const fields = new URLSearchParams(new TextDecoder().decode(body));
    return { get: (name) => only(fields.getAll(name)), join: (name) => fields.getAll(name).join('\n') };
  }
  if (!/^multipart\/form-data\b/i.test(type)) return undefined;
  return await readParts(body, type);
}

/**
 * Fields may each have a charset of their own, and the platform reads all as UTF-8. So every byte is written as the one character of its
 * number, which survives that, and turned back when its charset is known.
 */
async function readParts(body: Uint8Array, type: string): Promise<MailForm | undefined> {
  try {
    const fields = await new Response(writeBytes(body), { headers: { 'content-type': type } }).formData();
    const read = (name: string) =>
      fields.getAll(name).filter((value): value is string => typeof value === 'string');
    return {
      get: (name, charset = 'utf-8') => decode(only(read(name)), charset),
      join: (name) => decode(read(name).join('\n'), 'utf-8'),
    };
  } catch {
    return undefined;
  }
}

/** Few enough to be the arguments of one call. */
const CHUNK = 8_192;

function writeBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return text;
}

function only(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : '';
}

function decode(bytesAsText: string, charset: string): string {
  const bytes = Uint8Array.from(bytesAsText, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A name that is no charset: a sender may write anything.
    return new TextDecoder().decode(bytes);
  }
}
