import { createHeadParser } from './create-head-parser.ts';

export type HeadBytes = {
  readonly bytes: Uint8Array;
  /** What the page's own `<meta>` says. */
  readonly charset: string | undefined;
};

/** Decompressed bytes of a page that are read at most; heads of real pages are a tenth of it. */
const MAX_BYTES = 512 * 1024;

/**
 * Reads a page until its head is over, it has said enough, or the limit is reached. Tags are ASCII in every encoding of the
 * web but UTF-16 (which is then read up to the limit), so the end is found before the encoding is known.
 */
export async function readHead(body: AsyncIterable<Uint8Array>): Promise<HeadBytes> {
  const bytes = new Uint8Array(MAX_BYTES);
  const parser = createHeadParser();
  const asciiDecoder = new TextDecoder('windows-1252');
  let length = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, MAX_BYTES - length);
    bytes.set(taken, length);
    length += taken.length;
    parser.write(asciiDecoder.decode(taken, { stream: true }));
    if (parser.isDone() || length === MAX_BYTES) break;
  }
  return { bytes: bytes.subarray(0, length), charset: parser.facts.charset };
}
