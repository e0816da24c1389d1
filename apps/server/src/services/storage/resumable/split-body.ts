import type { Readable } from 'node:stream';

export type BodySource = {
  /** Whether bytes come that nobody has taken yet. */
  hasMore(): Promise<boolean>;
  /** The next bytes, that many at most. */
  take(bytes: number): AsyncGenerator<Buffer>;
  /** Why no more came, when the body broke off. What came before is good all the same. */
  readonly failure: unknown;
};

/** Reads a body in parts of bounded length. A body that breaks off ends: its last part is what came of it. */
export function splitBody(body: Readable): BodySource {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let rest: Buffer | undefined;
  let failure: unknown;
  let isOver = false;

  async function next(): Promise<Buffer | undefined> {
    while (rest === undefined && !isOver) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) isOver = true;
        else if (value.length > 0) rest = value;
      } catch (error) {
        failure = error;
        isOver = true;
      }
    }
    return rest;
  }

  return {
    hasMore: async () => (await next()) !== undefined,
    async *take(bytes) {
      for (let left = bytes; left > 0; ) {
        const chunk = await next();
        if (chunk === undefined) return;
        rest = chunk.length > left ? chunk.subarray(left) : undefined;
        left -= chunk.length;
        yield rest === undefined ? chunk : chunk.subarray(0, chunk.length - rest.length);
      }
    },
    get failure() {
      return failure;
    },
  };
}
