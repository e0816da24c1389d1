import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import type { Fault } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { runUnderLoad } from './run-under-load.ts';

const DISK_MIB = 300;
const FULL_MS = 4_000;

/** A small disk in memory (tmpfs), away with `remove`. @throws Error without the right to mount. */
function mountDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'linkoteca-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  chmodSync(folder, 0o755);
  return {
    path: join(folder, 'data'),
    async remove() {
      execFileSync('umount', [folder], { stdio: 'pipe' });
      rmSync(folder, { recursive: true });
    },
  };
}

/** Something else fills the disk to the last byte, people go on writing, and after a while there is room again. */
async function fillDisk({ dataFolder, recover }: Installation, draw: Draw): Promise<number> {
  const ballast = join(dataFolder, '../ballast');
  const { bavail, bsize } = statfsSync(dataFolder);
  // Some pages are left at times, so that it is not always the same write that finds no room.
  const room = bavail * bsize - draw.number(2_000_000);
  writeFileSync(ballast, Buffer.alloc(Math.max(room, 0)));
  await pause(FULL_MS);
  rmSync(ballast);
  return recover();
}

export const FULL_DISK: Fault = {
  name: 'full-disk',
  title: `the disk is full for ${FULL_MS / 1000} s`,
  rounds: 4,
  recoverWithinSeconds: 30,
  findObstacle() {
    try {
      void mountDisk().remove();
      return undefined;
    } catch {
      return 'mounting a small disk takes root';
    }
  },
  run: (trial) =>
    runUnderLoad(trial, {
      open: () => createInstallation({ data: mountDisk() }),
      strike: fillDisk,
    }),
};
