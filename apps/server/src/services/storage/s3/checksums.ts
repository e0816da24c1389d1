import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { isSame } from './signature.ts';

/** Sums that are checked here; others that S3 has (`crc32c`, `crc64nvme`) are taken on trust. */
const ALGORITHMS = ['md5', 'crc32', 'sha1', 'sha256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export type Checksum = {
  readonly algorithm: Algorithm;
  /** Base64. */
  readonly value: string;
};

/** What is said of a body: `Content-MD5`, `x-amz-checksum-…`. */
export function readChecksums(headers: IncomingHttpHeaders): readonly Checksum[] {
  return ALGORITHMS.flatMap((algorithm) => {
    const value = headers[algorithm === 'md5' ? 'content-md5' : `x-amz-checksum-${algorithm}`];
    return typeof value === 'string' ? [{ algorithm, value }] : [];
  });
}

/** What is said of a whole file that comes in parts; the sum of the parts' sums (`COMPOSITE`) is taken on trust. */
export function readWholeChecksums(headers: IncomingHttpHeaders): readonly Checksum[] {
  if (headers['x-amz-checksum-type'] !== 'FULL_OBJECT') return [];
  return readChecksums(headers).filter(({ algorithm }) => algorithm !== 'md5');
}

export type Checksums = {
  update(bytes: Buffer): void;
  /** Base64, of all bytes so far. Ask once. */
  digest(algorithm: Algorithm): string;
};

export function createChecksums(): Checksums {
  const hashes = {
    md5: createHash('md5'),
    sha1: createHash('sha1'),
    sha256: createHash('sha256'),
  };
  let crc = 0;
  return {
    update(bytes) {
      for (const hash of Object.values(hashes)) hash.update(bytes);
      crc = crc32(bytes, crc);
    },
    digest(algorithm) {
      if (algorithm !== 'crc32') return hashes[algorithm].copy().digest('base64');
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc);
      return bytes.toString('base64');
    },
  };
}

export function isRightChecksum(sums: Checksums, { algorithm, value }: Checksum): boolean {
  return isSame(sums.digest(algorithm), value);
}
