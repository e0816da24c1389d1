import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** 15, 16, …: of the cluster where there is one, else of the binaries (asking them costs a process). */
export function readMajorVersion(binaries: string, clusterFolder: string): number {
  try {
    return Number.parseInt(readFileSync(join(clusterFolder, 'PG_VERSION'), 'utf8'), 10);
  } catch {
    const { stdout } = spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
    return Number.parseInt(/\d+/.exec(stdout ?? '')?.[0] ?? '18', 10);
  }
}
