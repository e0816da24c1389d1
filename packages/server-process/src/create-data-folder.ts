import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type DataFolder = { readonly path: string; remove(): Promise<void> };

/**
 * An empty place for `DATA_DIR`, thrown away by `remove`. Every user may pass through the folder above it: when
 * the tests run as root, Postgres runs as somebody else.
 */
export async function createDataFolder(): Promise<DataFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'linkoteca-'));
  await chmod(parent, 0o755);
  return {
    path: join(parent, 'data'),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
