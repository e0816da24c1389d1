import { PassThrough, type Readable } from 'node:stream';

/** The body of a request on its way to a function. */
export type HeldBody = {
  readonly stream: Readable;
  /**
   * Waits until all of it has arrived.
   * @returns false when it is larger than what is held back, or has not arrived in time.
   * @throws what the signal was aborted with.
   */
  arrives(signal: AbortSignal, withinMs?: number): Promise<boolean>;
  /** Nobody will read it: what still comes is thrown away. */
  discard(): void;
};

/** Everything that pages and the payment provider send; what is larger flows to the function at the function's pace. */
const HELD_BYTES = 262_144;

/** Takes in a body before anybody reads it. */
export function holdBody(raw: Readable): HeldBody {
  const stream = new PassThrough({ readableHighWaterMark: HELD_BYTES });
  const arrived = Promise.withResolvers<boolean>();
  let bytes = 0;
  raw.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > HELD_BYTES) arrived.resolve(false);
  });
  raw.once('end', () => arrived.resolve(true));
  raw.pipe(stream);
  return {
    stream,
    async arrives(signal, withinMs) {
      const over = Promise.withResolvers<boolean>();
      const abort = () => over.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      const timer = withinMs === undefined ? undefined : setTimeout(() => over.resolve(false), withinMs);
      try {
        return await Promise.race([arrived.promise, over.promise]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
    discard() {
      raw.unpipe(stream);
      stream.destroy();
      raw.resume();
    },
  };
}
