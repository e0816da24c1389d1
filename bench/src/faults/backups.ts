import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Fault, Trial } from './fault.ts';
import { createInstallation, type Installation } from './installation.ts';
import { runUnderLoad } from './run-under-load.ts';

const LONGEST_MS = 1_500;
const WRITING_MS = 600;

/** `npm run backup` or `npm run restore`, as a process of its own that can be killed. */
function launchCommand(command: 'backup' | 'restore', args: readonly string[], dataFolder: string) {
  const child = spawn(
    process.execPath,
    [join(PROJECT_FOLDER, `apps/server/src/commands/${command}.ts`), ...args],
    { cwd: PROJECT_FOLDER, env: { ...process.env, DATA_DIR: dataFolder }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const closed = once(child, 'close');
  return {
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    /** @throws Error with what it said when it does not end well. */
    async finish() {
      await closed;
      if (child.exitCode !== 0) throw new Error(`${command} ended with ${child.exitCode}: ${said}`);
    },
  };
}

/** A backup is killed, or the server that it is made of. No half of one is left, and the next one is whole. */
async function killBackup(installation: Installation, draw: Draw): Promise<number> {
  const { dataFolder } = installation;
  const file = join(dataFolder, '../copia.backup');
  const backup = launchCommand('backup', [file], dataFolder);
  await pause(draw.number(LONGEST_MS));
  let seconds: number;
  if (draw.chance(50)) {
    await backup.kill();
    seconds = await installation.recover();
  } else {
    await (installation.servers[0] as ServerProcess).kill();
    seconds = await installation.start();
    // Whether it was done before, or says what it lost: the file is there whole, or not at all.
    await backup.finish().catch(() => undefined);
  }
  rmSync(file, { force: true });
  await launchCommand('backup', [file], dataFolder).finish();
  if (!existsSync(file)) throw new Error('the backup after a killed one is not there');
  rmSync(file);
  return seconds;
}

/**
 * A restoration over the very installation that was backed up is killed: the start at once finds what was there before, or what is
 * restored, which is the same. Then it is made anew, to its end.
 */
async function killRestorations({ draw, rounds, report }: Trial): Promise<void> {
  const installation = await createInstallation();
  const { dataFolder, ledger, compare } = installation;
  const file = join(dataFolder, '../copia.backup');
  const restore = () => launchCommand('restore', [file, '--replace'], dataFolder);
  const stop = () => (installation.servers[0] as ServerProcess).stop();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = ledger.acknowledged();
      const writing = installation.startWriting(draw);
      await pause(WRITING_MS);
      await writing.stop();
      await launchCommand('backup', [file], dataFolder).finish();
      await stop();
      const restoring = restore();
      await pause(draw.number(2 * LONGEST_MS));
      await restoring.kill();
      const recoverySeconds = await installation.start();
      const first = await compare();
      await stop();
      await restore().finish();
      await installation.start();
      const second = await compare();
      rmSync(file);
      report({
        lost: [...first.lost, ...second.lost],
        doubled: [...first.doubled, ...second.doubled],
        acknowledged: ledger.acknowledged() - before,
        recoverySeconds,
      });
    }
  } finally {
    await installation.remove();
  }
}

export const BACKUPS: readonly Fault[] = [
  {
    name: 'kill-backup',
    title: '`kill -9` of a backup, or of the server that it is made of, then another one',
    rounds: 6,
    recoverWithinSeconds: 20,
    run: (trial) =>
      runUnderLoad(trial, {
        // A backup that finds no server any more has the folder to itself, until it is done.
        open: () => createInstallation({ environment: { WAIT_FOR_DATA_DIR: '60' } }),
        strike: killBackup,
      }),
  },
  {
    name: 'kill-restore',
    title: '`kill -9` of a restoration, a start at once, then another restoration',
    rounds: 5,
    recoverWithinSeconds: 20,
    run: killRestorations,
  },
];
