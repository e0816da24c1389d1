/** Far enough to hold what a file says of itself, past any comment. */
const HEAD_BYTES = 4096;

/**
 * The text of a file whose encoding nobody tells: by its byte order mark, as UTF-8 where that is what it is, else as the file says,
 * else as Windows-1252, which older browsers and Excel write and which takes any byte.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = readMark(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(readDeclared(bytes) ?? 'windows-1252').decode(bytes);
  }
}

function readMark([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function readDeclared(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES));
  const label = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  // It is no UTF-8, whatever it says.
  if (label === undefined || /^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
