import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { storageError } from '../storage-error.ts';

/**
 * A request's body as a stream of its own: whoever stops reading it early does not close the connection on which the answer goes.
 * It fails when the sender goes away before the end.
 */
export function detachBody(raw: IncomingMessage): Readable {
  const body = new PassThrough();
  // It may fail before anybody reads it.
  body.on('error', () => undefined);
  raw.once('close', () => {
    if (!raw.complete) body.destroy(storageError.invalidRequest('The request was aborted'));
  });
  raw.pipe(body);
  return body;
}
