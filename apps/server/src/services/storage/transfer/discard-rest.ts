import type { IncomingMessage } from 'node:http';

/** More than twice the largest file: whoever sends an honest one to the end hears why it was refused. */
const MOST_BYTES_READ_IN_VAIN = 128 * 1024 * 1024;

/**
 * Takes what is still to come of a body that nobody wants any more and throws it away: a client that still sends hears the answer
 * only then. Who sends on and on is cut off.
 */
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  let bytes = 0;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES_READ_IN_VAIN) raw.destroy();
  });
  raw.resume();
}
