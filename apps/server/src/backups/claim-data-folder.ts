import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataFolder } from '@linkoteca/embedded-postgres/lock-data-folder';

/**
 * Keeps servers and other restorations off a data folder, whatever becomes of what is in it.
 * @throws PostgresStartError that says who uses it.
 */
export async function claimDataFolder(dataFolder: string): Promise<{ release(): void }> {
  const folder = join(dataFolder, 'postgres');
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const path = realpathSync(folder);
  return lockDataFolder(path, join(path, 'socket'));
}
