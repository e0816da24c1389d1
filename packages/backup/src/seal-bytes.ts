import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt as scryptWithCallback,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';

/** First in every file; the last byte is the version of what follows. */
const MAGIC = Buffer.from('LINKOTECA BACKUP');
const FORMAT = 1;
const [PLAIN, ENCRYPTED] = [0, 1];
const SALT_BYTES = 16;
const CHECK_BYTES = 16;
const HEADER_BYTES = MAGIC.length + 2 + SALT_BYTES + CHECK_BYTES;

const CHUNK_BYTES = 65_536;
/** The highest bit of a chunk's length: nothing comes after it. */
const LAST = 0x8000_0000;
const LENGTH_BYTES = 4;

/** 64 MiB and a fifth of a second for each guess (RFC 7914). They belong to the format: a file cannot ask for more. */
const SCRYPT = { N: 65_536, r: 8, p: 1, maxmem: 96 * 1024 * 1024 };
const scrypt = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scryptWithCallback);

/** Makes the key of a file, and what tells a wrong passphrase, from its passphrase and salt. */
export type DeriveKey = (passphrase: string, salt: Buffer) => Promise<Buffer>;

/** Slow on purpose, and always the same for the same passphrase and salt. */
export const deriveKey: DeriveKey = (passphrase, salt) =>
  scrypt(passphrase.normalize('NFC'), salt, 32 + CHECK_BYTES, SCRYPT);

/** What keeps the chunks of one file: each with its tag, bound to its place. */
type Seal = {
  readonly tagBytes: number;
  close(content: Buffer, isLast: boolean): { readonly body: Buffer; readonly tag: Buffer };
  /** Undefined where content, place or tag are not those that were written. */
  open(body: Buffer, tag: Buffer, isLast: boolean): Buffer | undefined;
};

/**
 * Bytes as a file that tells when it was cut, altered or put together anew: chunks, each with a tag over itself, its place and
 * whether it is the last. With a passphrase they are encrypted (the STREAM construction over AES-256-GCM), without one the tags are
 * a chain of SHA-256 sums, which accident cannot forge but whoever wants to can.
 */
export async function* sealBytes(
  source: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    const salt = randomBytes(SALT_BYTES);
    const start = Buffer.concat([
      MAGIC,
      Buffer.from([FORMAT, passphrase === undefined ? PLAIN : ENCRYPTED]),
      salt,
    ]);
    const { seal, check } = await createSeal(start, salt, passphrase, deriveKey);
    yield Buffer.concat([start, check]);
    let content = await reader.read(CHUNK_BYTES);
    for (let isLast = false; !isLast; ) {
      const next = await reader.read(CHUNK_BYTES);
      isLast = next.length === 0;
      const { body, tag } = seal.close(content, isLast);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(isLast ? (body.length | LAST) >>> 0 : body.length);
      yield Buffer.concat([length, body, tag]);
      content = next;
    }
  } finally {
    await reader.close();
  }
}

/**
 * The bytes again, each chunk given out only when its tag was right. Whoever has not seen the end has not seen a whole file.
 * @param derive for whoever opens files of one salt again and again.
 * @throws BackupError for a file of something else, of a newer program, encrypted with another passphrase, cut or altered.
 */
export async function* openSealed(
  source: AsyncIterable<Buffer>,
  passphrase: string | undefined,
  derive = deriveKey,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    const header = await reader.read(HEADER_BYTES);
    const seal = await readHeader(header, passphrase, derive);
    for (let number = 1, isLast = false; !isLast; number += 1) {
      const length = await reader.read(LENGTH_BYTES);
      if (length.length < LENGTH_BYTES) throw cutShort();
      const value = length.readUInt32BE();
      isLast = value >= LAST;
      const size = value % LAST;
      if (size > CHUNK_BYTES) throw altered(number);
      const sealed = await reader.read(size + seal.tagBytes);
      if (sealed.length < size + seal.tagBytes) throw cutShort();
      const content = seal.open(sealed.subarray(0, size), sealed.subarray(size), isLast);
      if (content === undefined) throw altered(number);
      yield content;
    }
    if ((await reader.read(1)).length > 0)
      throw new BackupError('O backup está danificado: há mais dados depois do seu fim.');
  } finally {
    await reader.close();
  }
}

async function readHeader(header: Buffer, passphrase: string | undefined, derive: DeriveKey): Promise<Seal> {
  const magic = header.subarray(0, MAGIC.length);
  if (!magic.equals(MAGIC.subarray(0, magic.length)) || magic.length === 0)
    throw new BackupError('O arquivo não é um backup da Linkoteca.');
  if (header.length < HEADER_BYTES) throw cutShort();
  const [format, mode] = header.subarray(MAGIC.length);
  if (format !== FORMAT || (mode !== PLAIN && mode !== ENCRYPTED))
    throw new BackupError('O backup foi feito por um programa mais novo: restaure-o com a versão que o fez.');
  if (mode === ENCRYPTED && passphrase === undefined)
    throw new BackupError('O backup está cifrado: defina BACKUP_PASSPHRASE com a senha dele.');
  const start = header.subarray(0, HEADER_BYTES - CHECK_BYTES);
  const salt = start.subarray(-SALT_BYTES);
  const { seal, check } = await createSeal(start, salt, mode === ENCRYPTED ? passphrase : undefined, derive);
  if (!timingSafeEqual(check, header.subarray(-CHECK_BYTES)))
    throw mode === ENCRYPTED
      ? new BackupError('BACKUP_PASSPHRASE não é a senha deste backup.')
      : new BackupError('O backup está danificado: o começo do arquivo foi alterado.');
  return seal;
}

async function createSeal(start: Buffer, salt: Buffer, passphrase: string | undefined, derive: DeriveKey) {
  if (passphrase === undefined)
    return {
      seal: createChain(start),
      check: createHash('sha256').update(start).digest().subarray(0, CHECK_BYTES),
    };
  const derived = await derive(passphrase, salt);
  return { seal: createCipher(derived.subarray(0, 32), start), check: derived.subarray(32) };
}

/** The key is this file's alone (its salt), so the chunk's number is a nonce. */
function createCipher(key: Buffer, start: Buffer): Seal {
  let number = 0;
  const nextNonce = (isLast: boolean) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 7);
    nonce.writeUInt8(isLast ? 1 : 0, 11);
    number += 1;
    return nonce;
  };
  return {
    tagBytes: 16,
    close(content, isLast) {
      const cipher = createCipheriv('aes-256-gcm', key, nextNonce(isLast)).setAAD(start);
      const body = Buffer.concat([cipher.update(content), cipher.final()]);
      return { body, tag: cipher.getAuthTag() };
    },
    open(body, tag, isLast) {
      const decipher = createDecipheriv('aes-256-gcm', key, nextNonce(isLast), { authTagLength: 16 });
      decipher.setAAD(start).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

function createChain(start: Buffer): Seal {
  let before = createHash('sha256').update(start).digest();
  const nextTag = (content: Buffer, isLast: boolean) => {
    before = createHash('sha256')
      .update(before)
      .update(Buffer.from([isLast ? 1 : 0]))
      .update(content)
      .digest();
    return before;
  };
  return {
    tagBytes: 32,
    close: (content, isLast) => ({ body: content, tag: nextTag(content, isLast) }),
    open: (body, tag, isLast) => (nextTag(body, isLast).equals(tag) ? body : undefined),
  };
}

function cutShort(): BackupError {
  return new BackupError(
    'O backup está incompleto: o arquivo termina antes do fim. Use outro, ou copie-o de novo.',
  );
}

function altered(number: number): BackupError {
  return new BackupError(
    `O backup está danificado ou foi alterado (parte ${number}). Use outro, ou copie-o de novo.`,
  );
}
