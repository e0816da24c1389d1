import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';
import { openSealed, sealBytes } from './seal-bytes.ts';

/** What an entry is, as its writer describes it; its bytes follow. */
export type EntryHeader = { readonly kind: string; readonly [detail: string]: unknown };

export type ArchiveEntry = {
  readonly header: EntryHeader;
  /** To be read to its end before the next entry is asked for. @throws BackupError where the bytes are not those that were written. */
  readonly body: AsyncIterable<Buffer>;
};

export type EntrySum = { readonly bytes: number; readonly sha256: string };

const [HEADER, DATA, END] = [1, 2, 3];
const FRAME_BYTES = 5;
/** Nothing that is written is longer; a length beyond it is no length. */
const LONGEST_FRAME = 64 * 1024 * 1024;
const LONGEST_DATA = 1024 * 1024;

/** One entry as frames of an archive. Returns what its bytes came to. */
export async function* writeEntry(
  header: EntryHeader,
  body: AsyncIterable<Buffer | string>,
): AsyncGenerator<Buffer, EntrySum> {
  yield frame(HEADER, Buffer.from(JSON.stringify(header)));
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of body) {
    const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
    hash.update(data);
    bytes += data.length;
    for (let at = 0; at < data.length; at += LONGEST_DATA)
      yield frame(DATA, data.subarray(at, at + LONGEST_DATA));
  }
  const sum = { bytes, sha256: hash.digest('hex') };
  yield frame(END, Buffer.from(JSON.stringify(sum)));
  return sum;
}

/** An entry that is one piece of JSON. */
export async function* writeJson(header: EntryHeader, value: unknown): AsyncGenerator<Buffer, EntrySum> {
  return yield* writeEntry(header, Readable.from([Buffer.from(JSON.stringify(value))]));
}

/** Frames, compressed and sealed: the bytes of the backup's file. */
export async function* packArchive(
  frames: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const compress = createZstdCompress();
  // A failure of the frames destroys the stream, whose reader then throws it.
  pipeline(Readable.from(frames), compress, () => undefined);
  try {
    yield* sealBytes(compress, passphrase);
  } finally {
    compress.destroy();
  }
}

/**
 * The entries of a backup's file, in their order, each with its bytes as they come.
 * @throws BackupError for everything that is not a whole and unaltered backup.
 */
export async function* readArchive(
  file: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): AsyncGenerator<ArchiveEntry> {
  const decompress = createZstdDecompress();
  pipeline(Readable.from(openSealed(file, passphrase)), decompress, () => undefined);
  const reader = new ByteReader(decompress);
  try {
    for (;;) {
      const next = await readFrame(reader);
      if (next === undefined) return;
      if (next.type !== HEADER) throw malformed();
      const body = readBody(reader);
      yield { header: parseJson(next.content) as EntryHeader, body };
      // Whoever was not interested has it skipped, and checked all the same.
      for await (const _piece of body);
    }
  } catch (error) {
    throw isDamage(error) ? malformed(error) : error;
  } finally {
    decompress.destroy();
  }
}

/** The JSON that is an entry's body. */
export async function readJson({ body }: Pick<ArchiveEntry, 'body'>): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return parseJson(Buffer.concat(pieces));
}

async function* readBody(reader: ByteReader): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const next = await readFrame(reader);
    if (next?.type === DATA) {
      hash.update(next.content);
      bytes += next.content.length;
      yield next.content;
      continue;
    }
    if (next?.type !== END) throw malformed();
    const sum = parseJson(next.content) as EntrySum;
    if (sum.bytes !== bytes || sum.sha256 !== hash.digest('hex')) throw malformed();
    return;
  }
}

function frame(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_BYTES);
  head.writeUInt8(type);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Undefined at the end. */
async function readFrame(reader: ByteReader) {
  const head = await reader.read(FRAME_BYTES);
  if (head.length === 0) return undefined;
  if (head.length < FRAME_BYTES) throw malformed();
  const [type, length] = [head.readUInt8(), head.readUInt32BE(1)];
  if (length > LONGEST_FRAME) throw malformed();
  const content = await reader.read(length);
  if (content.length < length) throw malformed();
  return { type, content };
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch (cause) {
    throw malformed(cause);
  }
}

/** What zlib says of bytes that it did not write. */
function isDamage(error: unknown): boolean {
  const { code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code.startsWith('ZSTD_') || code.startsWith('Z_');
}

function malformed(cause?: unknown): BackupError {
  return new BackupError('O backup está danificado: o conteúdo não é o que foi gravado.', { cause });
}
