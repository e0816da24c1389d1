import { createReadStream } from 'node:fs';
import { access, chmod, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BackupError } from '@linkoteca/backup/backup-error';
import type { Settings } from '../kernel/settings.ts';
import type { BackupStore } from './backup-store.ts';
import { createS3BackupStore } from './create-s3-store.ts';

const IN_OBJECT_STORAGE = 's3:';

/**
 * The store of `BACKUP_TO`, or of a command's argument: a folder, or `s3:PREFIX`.
 * @throws BackupError where object storage is named and none is set.
 */
export function openBackupStore(place: string, { s3 }: Pick<Settings, 's3'>): BackupStore {
  if (!place.startsWith(IN_OBJECT_STORAGE)) return createFolderBackupStore(place);
  if (s3 === undefined)
    throw new BackupError(
      `${place} fica em armazenamento de objetos: defina S3_ENDPOINT, S3_BUCKET e as chaves.`,
    );
  return createS3BackupStore(s3, place.slice(IN_OBJECT_STORAGE.length));
}

/**
 * A single backup's store, and its name there: of `FILE`, `s3:NAME` or `s3:PREFIX/NAME`.
 * @param folder where relative paths start.
 * @throws BackupError
 */
export function openPlace(place: string, settings: Pick<Settings, 's3'>, folder: string) {
  const scheme = place.startsWith(IN_OBJECT_STORAGE) ? IN_OBJECT_STORAGE : '';
  const path = place.slice(scheme.length);
  const [parent, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  if (name === '' || name === '.' || name === '..')
    throw new BackupError(
      `${place || '(nada)'} não é o nome de um arquivo: use, por exemplo, linkoteca.backup.`,
    );
  return {
    store: openBackupStore(scheme === '' ? resolve(folder, parent) : scheme + parent, settings),
    name,
  };
}

const UNFINISHED = '.part';

/** Backups in a folder of this machine: secrets lie in them, so they are the account's alone. */
export function createFolderBackupStore(folder: string): BackupStore {
  return {
    label: folder,

    async write(name, bytes) {
      const [path, partial] = [join(folder, name), join(folder, `${name}${UNFINISHED}`)];
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (await exists(path)) throw new BackupError(`${path} já existe: escolha outro nome.`);
        const size = await writeWhole(partial, bytes);
        await rename(partial, path);
        await syncFolder(folder);
        return size;
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined);
        throw explain(error, path);
      }
    },

    async *read(name) {
      const path = join(folder, name);
      try {
        for await (const piece of createReadStream(path, { highWaterMark: 262_144 })) yield piece as Buffer;
      } catch (error) {
        throw explain(error, path);
      }
    },

    async list() {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
        .map(({ name }) => name);
    },

    remove: (name) => rm(join(folder, name), { force: true }),

    async removeUnfinished(before) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        if (!name.endsWith(UNFINISHED)) continue;
        // Another copy may remove it at this moment.
        const found = await stat(path).catch(() => undefined);
        if (found && found.mtime < before) await rm(path, { force: true });
      }
    },

    async freeBytes() {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
      const found = await statfs(folder).catch(() => undefined);
      return found && found.bavail * found.bsize;
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The disk has all of it when this returns. */
async function writeWhole(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const file = await open(path, 'w', 0o600);
  let size = 0;
  try {
    // One that a killed writer left may be more open.
    await chmod(path, 0o600);
    for await (const piece of bytes) {
      await file.writeFile(piece);
      size += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const CAUSES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} não existe.`,
  ENOSPC: (path) => `O disco de ${path} está cheio: libere espaço, ou escolha outro lugar para o backup.`,
  EDQUOT: (path) => `A cota de disco de ${path} acabou: libere espaço, ou escolha outro lugar para o backup.`,
  EROFS: (path) => `O disco de ${path} só permite leitura: escolha outro lugar para o backup.`,
  EACCES: (path) =>
    `Sem permissão para usar ${path}: mude o dono da pasta, ou escolha outro lugar para o backup.`,
  EPERM: (path) =>
    `Sem permissão para usar ${path}: mude o dono da pasta, ou escolha outro lugar para o backup.`,
  EISDIR: (path) => `${path} é uma pasta: diga o nome de um arquivo.`,
  EEXIST: (path) => `No caminho ${path} há um arquivo onde deveria haver uma pasta.`,
  ENOTDIR: (path) => `No caminho ${path} há um arquivo onde deveria haver uma pasta.`,
};

/** What the file system says of the backup's own file: errors that name another path come from elsewhere. */
function explain(error: unknown, path: string): unknown {
  const { code = '', path: place = path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const cause = path.startsWith(place) || place.startsWith(path) ? CAUSES[code] : undefined;
  return cause === undefined ? error : new BackupError(cause(path), { cause: error });
}
