import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { storageError } from '../storage-error.ts';
import { type Checksum, createChecksums, isRightChecksum, readChecksums } from './checksums.ts';
import { isSame, type SignedRequest, type SigningKey, signPiece, UNSIGNED_PAYLOAD } from './signature.ts';

export type PayloadSeal = { readonly signed: SignedRequest; readonly key: SigningKey };

const HASH = /^[0-9a-f]{64}$/;
const EMPTY_HASH = createHash('sha256').digest('hex');
/** How a body is sent piece by piece (`aws-chunked`), and whether pieces are signed and lines follow them. */
const STREAMING: Readonly<Record<string, { readonly isSigned: boolean; readonly hasTrailer: boolean }>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
};

/** How long the file will be, where the request says it. @throws StorageError where what it says is no length */
export function readPayloadLength({ signed }: PayloadSeal, headers: IncomingHttpHeaders): number | undefined {
  const isStreaming = Object.hasOwn(STREAMING, signed.payload);
  const said = isStreaming ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  if (said === undefined) return undefined;
  if (typeof said !== 'string' || !/^\d{1,15}$/.test(said))
    throw storageError.invalidRequest('The length of the body cannot be read');
  return Number(said);
}

/**
 * The bytes of a file in a request's body, as they come. It fails at the end, or at the piece, that is not as it was signed or summed up:
 * what was read of it until then is to be thrown away.
 */
export function decodePayload(
  body: Readable,
  seal: PayloadSeal,
  headers: IncomingHttpHeaders,
  said = readChecksums(headers),
): Readable {
  const { payload } = seal.signed;
  const streaming = Object.hasOwn(STREAMING, payload) ? STREAMING[payload] : undefined;
  if (!streaming && payload !== UNSIGNED_PAYLOAD && !HASH.test(payload))
    throw storageError.invalidRequest('x-amz-content-sha256 is not supported');
  const pieces = streaming
    ? readPieces(body, seal, { ...streaming, length: readPayloadLength(seal, headers) })
    : readWhole(body, payload);
  return Readable.from(checkSums(pieces, said), { objectMode: false });
}

type Part = Buffer | { readonly trailer: ReadonlyMap<string, string> };

async function* readWhole(body: Readable, payload: string): AsyncGenerator<Part> {
  const hash = createHash('sha256');
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (HASH.test(payload) && !isSame(hash.digest('hex'), payload)) throw storageError.contentHashMismatch();
}

/** What the header or the lines behind the body say of the bytes. */
async function* checkSums(parts: AsyncGenerator<Part>, said: readonly Checksum[]): AsyncGenerator<Buffer> {
  const sums = createChecksums();
  let wanted = said;
  for await (const part of parts) {
    if (Buffer.isBuffer(part)) {
      sums.update(part);
      yield part;
    } else wanted = [...wanted, ...readChecksums(Object.fromEntries(part.trailer))];
  }
  if (!wanted.every((checksum) => isRightChecksum(sums, checksum))) throw storageError.badDigest();
}

/** A line of a piece's length, or of what follows the last one. */
const MOST_LINE_BYTES = 1024;
const MOST_TRAILER_LINES = 10;
const PIECE = /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i;

type Streaming = {
  readonly isSigned: boolean;
  readonly hasTrailer: boolean;
  readonly length: number | undefined;
};

async function* readPieces(
  body: Readable,
  { signed, key }: PayloadSeal,
  { isSigned, hasTrailer, length }: Streaming,
): AsyncGenerator<Part> {
  const source = new LineReader(body);
  let before = signed.signature;
  let total = 0;
  for (;;) {
    const [, size = '', signature = ''] = PIECE.exec(await source.readLine()) ?? [];
    if (size === '' || (isSigned && signature === ''))
      throw storageError.invalidRequest('A piece of the body cannot be read');
    const bytes = Number.parseInt(size, 16);
    const hash = createHash('sha256');
    for await (const chunk of source.readBytes(bytes)) {
      hash.update(chunk);
      total += chunk.length;
      yield chunk;
    }
    if (isSigned) {
      const hashes = [EMPTY_HASH, hash.digest('hex')];
      if (!isSame(signPiece(key, signed, { kind: 'PAYLOAD', before, hashes }), signature))
        throw storageError.signatureDoesNotMatch();
      before = signature;
    }
    if (bytes === 0) break;
    if ((await source.readLine()) !== '')
      throw storageError.invalidRequest('A piece of the body has another length');
  }
  if (hasTrailer)
    yield { trailer: await readTrailer(source, { signed, key }, isSigned ? before : undefined) };
  if (length !== undefined && total !== length) throw storageError.incompleteBody();
}

async function readTrailer(
  source: LineReader,
  { signed, key }: PayloadSeal,
  before: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const trailer = new Map<string, string>();
  for (let line = await source.readLine(); line !== ''; line = await source.readLine()) {
    const [name = '', value = ''] = line.split(/:(.*)/s);
    trailer.set(name.trim().toLowerCase(), value.trim());
    if (trailer.size > MOST_TRAILER_LINES)
      throw storageError.invalidRequest('Too many lines behind the body');
  }
  if (before === undefined) return trailer;
  const signature = trailer.get('x-amz-trailer-signature') ?? '';
  trailer.delete('x-amz-trailer-signature');
  const text = [...trailer].map(([name, value]) => `${name}:${value}\n`).join('');
  const hashes = [createHash('sha256').update(text).digest('hex')];
  if (!isSame(signPiece(key, signed, { kind: 'TRAILER', before, hashes }), signature))
    throw storageError.signatureDoesNotMatch();
  return trailer;
}

/** Lines of bounded length, and bytes between them. */
class LineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: Readable) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** Without its end. The end of the body ends a line, too. */
  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end !== -1 && end <= MOST_LINE_BYTES) {
        const line = this.#rest.subarray(0, end).toString('latin1');
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > MOST_LINE_BYTES)
        throw storageError.invalidRequest('A line of the body is too long');
      const next = await this.#chunks.next();
      if (next.done) {
        const line = this.#rest.toString('latin1');
        this.#rest = Buffer.alloc(0);
        return line;
      }
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
  }

  async *readBytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) throw storageError.incompleteBody();
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}
