import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BlobTooLargeError } from './blob-store.ts';

export type SpooledBytes<Algorithm extends string> = {
  readonly size: number;
  /** Hexadecimal, by algorithm. */
  readonly digests: Readonly<Record<Algorithm, string>>;
};

export type SpoolOptions<Algorithm extends string> = {
  readonly maxBytes: number;
  readonly algorithms: readonly Algorithm[];
};

/**
 * Writes what comes into a new file, a piece at a time, and returns when the disk has it. Whoever called removes the file when it
 * throws.
 * @throws BlobTooLargeError at the first byte too many.
 */
export async function spoolBytes<Algorithm extends string>(
  body: Readable,
  path: string,
  { maxBytes, algorithms }: SpoolOptions<Algorithm>,
): Promise<SpooledBytes<Algorithm>> {
  const hashes = algorithms.map((algorithm) => [algorithm, createHash(algorithm)] as const);
  let size = 0;
  const measured = measureBytes(
    body,
    hashes.map(([, hash]) => hash),
    (length) => {
      size += length;
      if (size > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`);
    },
  );
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(measured);
    await file.sync();
  } finally {
    await file.close();
  }
  const digests = Object.fromEntries(hashes.map(([algorithm, hash]) => [algorithm, hash.digest('hex')]));
  return { size, digests: digests as Record<Algorithm, string> };
}

async function* measureBytes(body: Readable, hashes: readonly Hash[], count: (length: number) => void) {
  for await (const chunk of body) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    count(bytes.length);
    for (const hash of hashes) hash.update(bytes);
    yield bytes;
  }
}
