import { readCharset } from './create-head-parser.ts';
import type { HeadBytes } from './read-head.ts';

/**
 * Turns a page's bytes into text as browsers do: the byte order mark decides, then the `Content-Type` header, then the
 * page's own `<meta>`. A page that says nothing is UTF-8 when it can be, else Western European, as old Brazilian pages are.
 */
export function decodeHead({ bytes, charset }: HeadBytes, contentType: string | null): string {
  const decoder =
    createDecoder(readMark(bytes)) ??
    createDecoder(readCharset(contentType ?? '')) ??
    createDecoder(charset && correctMeta(charset));
  if (decoder) return decoder.decode(bytes, PIECE);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, PIECE);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes, PIECE);
  }
}

/** The bytes may end in the middle of a character. */
const PIECE = { stream: true } as const;

function readMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** A `<meta>` that could be read as ASCII cannot stand in UTF-16 (HTML standard, section 13.2.3.2). */
function correctMeta(charset: string): string {
  return /^utf-?16/i.test(charset.trim()) ? 'utf-8' : charset;
}

function createDecoder(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // Nobody knows this encoding.
    return undefined;
  }
}
