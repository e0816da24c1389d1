import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PostgresStartError } from './postgres-start-error.ts';

type Link = { readonly source: string; readonly target: string };

/**
 * Recreates the links between shared libraries that an npm package cannot carry. The package's own postinstall script
 * does it too, but package managers skip such scripts more and more often.
 * @param binaries the folder that holds `pg-symlinks.json`; its paths start with that folder's own name.
 * @throws PostgresStartError when links are missing and the folder cannot be written.
 */
export function restoreLibraryLinks(binaries: string): void {
  for (const { source, target } of readLinks(binaries)) {
    const path = join(dirname(binaries), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (cause) {
      // Another copy of the server may have made it in between.
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      throw new PostgresStartError(
        `Sem permissão para criar ${path}: rode "npm rebuild" com o usuário dono de node_modules.`,
        { cause },
      );
    }
  }
}

function readLinks(binaries: string): readonly Link[] {
  try {
    return JSON.parse(readFileSync(join(binaries, 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch {
    // Other builds of Postgres ship their libraries whole.
    return [];
  }
}
