import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type DataFolder = { readonly path: string; remove(): Promise<void> };

/**
 * An empty place for `DATA_DIR`, thrown away by `remove`. Every user may pass through the folder above it: when
 * the tests run as root, Postgres runs as somebody else.
 */
export async function createDataFolder(): Promise<DataFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'linkoteca-'));
  await chmod(parent, 0o755);
  const path = join(parent, 'data');
  return {
    path,
    async remove() {
      await waitForPostgres(path);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

const PATIENCE_MS = 10_000;

/** A Postgres whose server was killed ends by itself a moment later, and writes until it has. One that a test has frozen is not waited for. */
async function waitForPostgres(dataFolder: string): Promise<void> {
  const written = await readFile(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(
    () => '',
  );
  const pid = Number.parseInt(written, 10);
  const until = Date.now() + PATIENCE_MS;
  while (pid > 0 && isRunning(pid) && Date.now() < until) await pause(20);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
