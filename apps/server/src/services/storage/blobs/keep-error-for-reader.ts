import type { Readable } from 'node:stream';

/** A sender may go away while a store still makes its file: nobody listens to the stream yet, and its error must wait for who does. */
export function keepErrorForReader(body: Readable): void {
  body.on('error', () => undefined);
}
