import { resolve } from 'node:path';
import { BackupError } from '@linkoteca/backup/backup-error';
import type { Settings } from '../kernel/settings.ts';
import type { BackupShelf } from './backup-shelf.ts';
import { createFolderShelf } from './create-folder-shelf.ts';
import { createS3Shelf } from './create-s3-shelf.ts';

const IN_OBJECT_STORAGE = 's3:';

/**
 * The shelf of `BACKUP_TO`, or of a command's argument: a folder, or `s3:PREFIX`.
 * @throws BackupError where object storage is named and none is set.
 */
export function openShelf(place: string, { s3 }: Pick<Settings, 's3'>): BackupShelf {
  if (!place.startsWith(IN_OBJECT_STORAGE)) return createFolderShelf(place);
  if (s3 === undefined)
    throw new BackupError(
      `${place} fica em armazenamento de objetos: defina S3_ENDPOINT, S3_BUCKET e as chaves.`,
    );
  return createS3Shelf(s3, place.slice(IN_OBJECT_STORAGE.length));
}

/**
 * A single backup's shelf, and its name there: of `FILE`, `s3:NAME` or `s3:PREFIX/NAME`.
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
  return { shelf: openShelf(scheme === '' ? resolve(folder, parent) : scheme + parent, settings), name };
}
