import type { IncomingMessage } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Bytes on the wire of a page; whoever reads it stops earlier. A compressed stream could go on for ever without a byte of page. */
const MAX_WIRE_BYTES = 1_048_576;

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/**
 * An answer's body, decompressed as it is read: never more at once than was asked for. Breaking off the iteration closes
 * the connection.
 * @throws Error for an encoding that was not offered.
 */
export function decodeBody(
  incoming: IncomingMessage,
  maxWireBytes = MAX_WIRE_BYTES,
): AsyncIterable<Uint8Array> {
  const coding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const counted = limitBytes(maxWireBytes);
  // The reader of the last stream hears of every failure; the pipeline itself has nobody to tell.
  if (coding === '' || coding === 'identity') return pipeline(incoming, counted, ignore);
  if (!isKnown(coding)) throw new Error(`the answer is encoded as ${coding}`);
  return pipeline(incoming, counted, DECODERS[coding](), ignore);
}

function isKnown(coding: string): coding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, coding);
}

function limitBytes(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new Error('the answer is too large'));
      else done(null, chunk);
    },
  });
}

function ignore(): void {}
