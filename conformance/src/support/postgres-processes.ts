import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The id of Postgres's first process, from the file that Postgres itself keeps in its cluster. */
export async function findPostgres(dataFolder: string): Promise<number> {
  const content = await readFile(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(content.split('\n', 1)[0]);
}

/** Stops every process of that Postgres as it is: nobody is refused, and nobody gets an answer. */
export async function freezePostgres(
  dataFolder: string,
): Promise<{ thaw(): void /** What its server has ended already is left out. */; kill(): void }> {
  const first = await findPostgres(dataFolder);
  const others = execFileSync('ps', ['-o', 'pid=', '--ppid', String(first)], { encoding: 'utf8' });
  const processes = [first, ...others.trim().split(/\s+/).map(Number)];
  const signal = (name: NodeJS.Signals) => {
    for (const id of processes) {
      try {
        process.kill(id, name);
      } catch {
        // Gone.
      }
    }
  };
  signal('SIGSTOP');
  return { thaw: () => signal('SIGCONT'), kill: () => signal('SIGKILL') };
}
