import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type S3Server, startS3Server } from '../services/storage/blobs/test-support/start-s3-server.ts';
import { openBackupStore, openPlace } from './backup-place.ts';
import type { BackupStore } from './backup-store.ts';

const account = { accessKeyId: 'chave', secretAccessKey: 'segredo', region: 'us-east-1' };

let folder: string;
let storage: S3Server;
let s3: { endpoint: string; bucket: string } & typeof account;
beforeAll(async () => {
  storage = await startS3Server('meus', account);
  s3 = { ...account, endpoint: storage.endpoint, bucket: 'meus' };
});
afterAll(() => storage.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-place-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

async function* failAfter(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('the database went away');
}

const kinds: { kind: string; open: () => BackupStore; countUnfinished: () => number }[] = [
  {
    kind: 'a folder',
    open: () => openBackupStore(join(folder, 'deep/backups'), { s3: undefined }),
    countUnfinished: () =>
      readdirSync(join(folder, 'deep/backups')).filter((name) => name.endsWith('.part')).length,
  },
  {
    kind: 'object storage',
    open: () => openBackupStore(`s3:${folder.slice(-6)} é&/x`, { s3 }),
    countUnfinished: () =>
      [...storage.uploads.values()].filter(({ key }) => key.includes(folder.slice(-6))).length,
  },
];

describe.each(kinds)('$kind', ({ open, countUnfinished }) => {
  it('gives back what was written, in one piece or in several parts', async () => {
    const store = open();
    for (const size of [0, 10, 40_000_000]) {
      const bytes = randomBytes(size);
      expect(
        await store.write(
          `${size}.backup`,
          Readable.from([bytes.subarray(0, size / 2), bytes.subarray(size / 2)]),
        ),
      ).toBe(size);
      expect((await buffer(Readable.from(store.read(`${size}.backup`)))).equals(bytes)).toBe(true);
    }
    expect([...(await store.list())].sort()).toEqual(['0.backup', '10.backup', '40000000.backup']);
    await store.remove('10.backup');
    expect(await store.list()).toHaveLength(2);
    expect(countUnfinished()).toBe(0);
  });

  it('never has half a backup, and writes none over another', async () => {
    const store = open();
    await expect(store.write('um.backup', failAfter(randomBytes(20_000_000)))).rejects.toThrow(
      'the database went away',
    );
    expect(await store.list()).toEqual([]);
    expect(countUnfinished()).toBe(0);
    await store.write('um.backup', Readable.from([Buffer.from('first')]));
    await expect(store.write('um.backup', Readable.from([Buffer.from('second')]))).rejects.toThrow(
      /já existe: escolha outro nome/,
    );
    expect((await buffer(Readable.from(store.read('um.backup')))).toString()).toBe('first');
  });

  it('says what is not there', async () => {
    await expect(buffer(Readable.from(open().read('nada.backup')))).rejects.toThrow(
      /nada\.backup não existe/,
    );
  });
});

it.each([
  ['EROFS', 'só permite leitura'],
  ['ENOSPC', 'está cheio'],
])('what the disk says, here %s, is said with the name of the backup', async (code, words) => {
  async function* meet(): AsyncGenerator<Buffer> {
    yield Buffer.from('x');
    throw Object.assign(new Error(code), { code, path: folder });
  }
  await expect(openBackupStore(folder, { s3: undefined }).write('um.backup', meet())).rejects.toThrow(
    `O disco de ${join(folder, 'um.backup')} ${words}`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

describe('what a killed writer has left', () => {
  it('is removed from a folder when it is old', async () => {
    const [old, young] = [join(folder, 'old.part'), join(folder, 'young.part')];
    for (const path of [old, young]) writeFileSync(path, 'x');
    utimesSync(old, new Date(0), new Date(0));
    await openBackupStore(folder, { s3: undefined }).removeUnfinished(new Date(Date.now() - 1000));
    expect(readdirSync(folder)).toEqual(['young.part']);
  });

  it('is given up in object storage after the longest upload, and only below its own prefix', async () => {
    const { openS3 } = await import('../services/storage/blobs/s3.ts');
    const ask = openS3(s3);
    await ask('POST', 'linkoteca-backups/meus/morto.backup?uploads');
    await ask('POST', 'outra-coisa?uploads');
    // The storage says that all uploads have begun with the year.
    const { removeUnfinished } = openBackupStore('s3:meus', { s3 });
    await removeUnfinished(new Date('2026-01-01T12:00:00Z'));
    expect(storage.uploads.size).toBe(2);
    await removeUnfinished(new Date('2026-01-02T12:00:00Z'));
    expect([...storage.uploads.values()].map(({ key }) => key)).toEqual(['outra-coisa']);
  });
});

describe('the place of a backup', () => {
  it('is a file, for its owner alone, named from where the operator stands', async () => {
    const { store, name } = openPlace('longe/um.backup', { s3: undefined }, folder);
    await store.write(name, Readable.from([Buffer.from('x')]));
    expect(statSync(join(folder, 'longe/um.backup')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'longe')).mode & 0o777).toBe(0o700);
  });

  it('is a name in object storage, beside files and never among them', async () => {
    const { store, name } = openPlace('s3:mensal/um.backup', { s3 }, folder);
    await store.write(name, Readable.from([Buffer.from('x')]));
    expect([...storage.objects.keys()]).toContain('linkoteca-backups/mensal/um.backup');
  });

  it.each(['', 's3:', 'pasta/', '..', 's3:pasta/'])('is not "%s"', (place) => {
    expect(() => openPlace(place, { s3 }, folder)).toThrow('não é o nome de um arquivo');
  });

  it('cannot be in object storage where none is set', () => {
    expect(() => openPlace('s3:um', { s3: undefined }, folder)).toThrow('defina S3_ENDPOINT');
  });

  it('that is a folder, or below a file, is named as such', async () => {
    mkdirSync(join(folder, 'pasta'));
    writeFileSync(join(folder, 'arquivo'), '');
    const write = (place: string) => {
      const { store, name } = openPlace(place, { s3: undefined }, folder);
      return store.write(name, Readable.from([Buffer.from('x')]));
    };
    await expect(write('pasta')).rejects.toThrow('já existe');
    await expect(write('arquivo/um.backup')).rejects.toThrow('há um arquivo onde deveria haver uma pasta');
    const read = openPlace('pasta', { s3: undefined }, folder);
    await expect(buffer(Readable.from(read.store.read(read.name)))).rejects.toThrow('é uma pasta');
  });
});
