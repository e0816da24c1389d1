/** Takes bytes that arrive in pieces of any size as pieces of the size that is asked for. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #waiting: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** `length` bytes; fewer only where the source ends. */
  async read(length: number): Promise<Buffer> {
    const pieces = [this.#waiting];
    let size = this.#waiting.length;
    while (size < length) {
      const next = await this.#source.next();
      if (next.done === true) break;
      pieces.push(next.value);
      size += next.value.length;
    }
    const all = pieces.length === 1 ? this.#waiting : Buffer.concat(pieces);
    this.#waiting = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Lets the source go before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
