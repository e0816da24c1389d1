import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../kernel/settings.ts';

/** A database that was put aside and may be taken back, whose files lie among those of the one in use. */
export function findKeptAside({ dataFolder, s3 }: Pick<Settings, 'dataFolder' | 's3'>): string | undefined {
  const list = (folder: string, start: string) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.startsWith(start))
      .map((name) => join(folder, name));
  const recovered = list(join(dataFolder, 'postgres'), 'cluster.before-');
  // A restoration puts a folder of files aside as well, an object store it does not.
  const restored = s3 === undefined ? [] : list(dataFolder, 'before-restore-');
  return [...recovered, ...restored.filter((path) => existsSync(join(path, 'postgres')))][0];
}
