import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { packArchive, readArchive, writeEntry, writeJson } from './archive.ts';
import { deriveKey, openSealed, sealBytes } from './seal-bytes.ts';

// A key is derived from the passphrase for each file, which is meant to take its time.
vi.setConfig({ testTimeout: 60_000 });

const PASSPHRASE = 'uma senha bem comprida';
/** How many bytes come before the first chunk: 16 of magic, 2 of format and mode, 16 of salt, 16 of check. */
const HEADER_BYTES = 50;
const CHUNK_BYTES = 65_536;

const derived = new Map<string, Promise<Buffer>>();

/** The file's own key, derived once for each passphrase and salt: one file is opened here with hundreds of alterations. */
function deriveOnce(passphrase: string, salt: Buffer): Promise<Buffer> {
  const name = `${passphrase} ${salt.toString('hex')}`;
  const key = derived.get(name) ?? deriveKey(passphrase, salt);
  derived.set(name, key);
  return key;
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const seal = (content: Buffer, passphrase?: string) =>
  buffer(Readable.from(sealBytes(inPieces(content, 10_000), passphrase)));
const open = (file: Buffer, passphrase?: string) =>
  buffer(Readable.from(openSealed(inPieces(file, 7_777), passphrase, deriveOnce)));

const content = randomBytes(3 * CHUNK_BYTES + 5);
const ways = [
  { way: 'plain', passphrase: undefined, tagBytes: 32 },
  { way: 'encrypted', passphrase: PASSPHRASE, tagBytes: 16 },
];

describe.each(ways)('a sealed file, $way', ({ passphrase, tagBytes }) => {
  const chunkBytes = 4 + CHUNK_BYTES + tagBytes;

  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])(
    'of %i bytes is what went in',
    async (size) => {
      const bytes = randomBytes(size);
      expect((await open(await seal(bytes, passphrase), passphrase)).equals(bytes)).toBe(true);
    },
  );

  it('tells wherever it was cut', async () => {
    const file = await seal(content, passphrase);
    const places = [
      1,
      HEADER_BYTES - 1,
      HEADER_BYTES,
      HEADER_BYTES + 2,
      HEADER_BYTES + chunkBytes,
      file.length - 1,
    ];
    for (const place of places)
      await expect(open(file.subarray(0, place), passphrase)).rejects.toThrow(/O backup está incompleto/);
  });

  it('tells of any altered byte, and hands out nothing of the chunk', async () => {
    const file = await seal(content, passphrase);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: file.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const altered = Buffer.from(file);
          altered[at] = (altered[at] ?? 0) ^ change;
          await expect(open(altered, passphrase)).rejects.toThrow(/backup|BACKUP_PASSPHRASE/);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('tells when its chunks were exchanged, left out or repeated, or something was added', async () => {
    const file = await seal(content, passphrase);
    const chunk = (number: number) =>
      file.subarray(HEADER_BYTES + number * chunkBytes, HEADER_BYTES + (number + 1) * chunkBytes);
    const header = file.subarray(0, HEADER_BYTES);
    const arrangements = [[1, 0, 2, 3], [0, 2, 3], [0, 0, 1, 2, 3], [3]];
    for (const order of arrangements)
      await expect(open(Buffer.concat([header, ...order.map(chunk)]), passphrase)).rejects.toThrow(
        /foi alterado \(parte \d\)/,
      );
    await expect(open(Buffer.concat([file, Buffer.from('x')]), passphrase)).rejects.toThrow(
      /depois do seu fim/,
    );
  });

  it('tells when the chunks of another file were put into it', async () => {
    const [one, other] = [await seal(content, passphrase), await seal(content, passphrase)];
    const mixed = Buffer.concat([
      one.subarray(0, HEADER_BYTES + chunkBytes),
      other.subarray(HEADER_BYTES + chunkBytes),
    ]);
    await expect(open(mixed, passphrase)).rejects.toThrow(/está danificado ou foi alterado \(parte 2\)/);
  });
});

describe('a sealed file', () => {
  it.each([
    ['without the passphrase', undefined, 'O backup está cifrado: defina BACKUP_PASSPHRASE'],
    ['with another', 'uma senha bem comprid', 'BACKUP_PASSPHRASE não é a senha deste backup'],
  ])('opens not %s', async (_how, passphrase, message) => {
    await expect(open(await seal(content, PASSPHRASE), passphrase)).rejects.toThrow(message);
  });

  it('shows nothing of what is in it when it is encrypted, and never the same twice', async () => {
    const secret = Buffer.from('segredo '.repeat(1000));
    const [one, other] = [await seal(secret, PASSPHRASE), await seal(secret, PASSPHRASE)];
    expect(one.includes('segredo')).toBe(false);
    expect(one.subarray(18, 200).equals(other.subarray(18, 200))).toBe(false);
  });

  it('that was not encrypted opens also where a passphrase is set', async () => {
    expect((await open(await seal(content), PASSPHRASE)).equals(content)).toBe(true);
  });

  it.each([Buffer.alloc(0), Buffer.from('PGDMP…'), randomBytes(200)])(
    'is told from other files',
    async (file) => {
      await expect(open(file)).rejects.toThrow('O arquivo não é um backup da Linkoteca');
    },
  );

  it('of a later format is not tried', async () => {
    const file = await seal(content);
    file[16] = 9;
    await expect(open(file)).rejects.toThrow('foi feito por um programa mais novo');
  });
});

describe('an archive', () => {
  it('gives back its entries in their order, whatever was read of them', async () => {
    const long = randomBytes(2_500_000);
    async function* frames() {
      yield* writeJson({ kind: 'first' }, { a: 'ç' });
      yield* writeEntry({ kind: 'long' }, Readable.from([long]));
      yield* writeEntry({ kind: 'skipped' }, Readable.from([long]));
      yield* writeEntry({ kind: 'empty' }, Readable.from([]));
    }
    const file = await buffer(Readable.from(packArchive(frames(), PASSPHRASE)));
    const found: unknown[] = [];
    for await (const { header, body } of readArchive(inPieces(file, 100_000), PASSPHRASE)) {
      const bytes = header.kind === 'skipped' ? undefined : await buffer(Readable.from(body));
      found.push([header.kind, bytes?.length]);
      if (header.kind === 'long') expect(bytes?.equals(long)).toBe(true);
    }
    expect(found).toEqual([
      ['first', 10],
      ['long', long.length],
      ['skipped', undefined],
      ['empty', 0],
    ]);
  });

  it('fails as what it is made of fails', async () => {
    async function* frames() {
      yield* writeJson({ kind: 'first' }, {});
      throw new Error('the table went away');
    }
    await expect(buffer(Readable.from(packArchive(frames(), undefined)))).rejects.toThrow(
      'the table went away',
    );
  });

  it('lets what it is made of go when nobody reads it to its end', async () => {
    let isClosed = false;
    async function* frames() {
      try {
        for (;;) yield* writeEntry({ kind: 'endless' }, Readable.from([randomBytes(100_000)]));
      } finally {
        isClosed = true;
      }
    }
    for await (const _piece of packArchive(frames(), undefined)) break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('of frames that nobody wrote is damaged, not believed', async () => {
    for (const frames of [
      [randomBytes(300)],
      [Buffer.from([1, 255, 255, 255, 255])],
      [Buffer.from([2, 0, 0, 0, 0])],
    ]) {
      const file = await buffer(Readable.from(packArchive(Readable.from(frames), undefined)));
      const read = async () => {
        for await (const { body } of readArchive(inPieces(file, 1000), undefined))
          await buffer(Readable.from(body));
      };
      await expect(read()).rejects.toThrow('O backup está danificado');
    }
  });
});
