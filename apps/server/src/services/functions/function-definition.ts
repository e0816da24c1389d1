import { PassThrough, type Readable } from 'node:stream';

/** A function of the project, as its folder and `config.toml` describe it. */
export type FunctionDefinition = {
  /** In the address: `/functions/v1/NAME`. */
  readonly name: string;
  /** Its place among the functions of the project, by name. */
  readonly ordinal: number;
  /** Absolute path of its module. */
  readonly entry: string;
  /** Specifier to target, from its import map; paths are absolute. */
  readonly imports: Readonly<Record<string, string>>;
  /** Whether callers without a valid token or key are refused before the function hears of them (`verify_jwt`). */
  readonly verifyJwt: boolean;
  /** The secrets it gets, by name: of the platform's, and of those that `[edge_runtime.secrets]` lists. */
  readonly secrets: readonly string[];
  /** Calls a person may make; counted by the token's `sub`. */
  readonly limit?: { readonly calls: number; readonly seconds: number };
  /** Calls that run at the same time in this process, and that wait for their turn. */
  readonly room: { readonly atOnce: number; readonly waiting: number };
};

/** A call, as it goes to a function. */
export type FunctionCall = {
  readonly requestId: string;
  readonly method: string;
  /** `/NAME/more?query`. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Undefined when there is none. */
  readonly body: HeldBody | undefined;
  /** Fires when the caller hangs up before the answer is complete. */
  readonly signal: AbortSignal;
};

export type FunctionAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: NodeJS.ReadableStream;
  /** When the last byte has gone, or will never go. */
  readonly finished: Promise<void>;
};

/** The body of a request on its way to a function. */
type HeldBody = {
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
