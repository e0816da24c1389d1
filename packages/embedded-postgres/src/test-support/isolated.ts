import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const NAMESPACES = ['--pid', '--ipc', '--net', '--uts', '--mount-proc', '--fork', '--kill-child'];
const AS_ROOT = ['unshare', ...NAMESPACES];
const AS_USER = ['unshare', '--user', '--map-current-user', ...NAMESPACES];

/**
 * Put in front of a command, it lets it live as in a container of its own: other processes, shared memory, network and host
 * name. Where the machine permits no namespaces it is empty; tests remove `server.lock` too, which hides as much from a start.
 */
export const ISOLATED: readonly string[] =
  [AS_ROOT, AS_USER].find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0) ??
  [];

type Found = { readonly id: number; readonly parent: number; readonly commandLine: string };

/** The processes that serve a data folder, as they are numbered here, in whatever namespace they are. */
export function findServing(dataFolder: string): { readonly server: number; readonly postgres: number[] } {
  const all = listProcesses();
  const server = all.find(
    ({ commandLine }) => commandLine.startsWith(process.execPath) && commandLine.includes(`"${dataFolder}"`),
  );
  const postmaster = all.find(({ commandLine }) =>
    commandLine.includes(`/bin/postgres\0-D\0${dataFolder}/cluster`),
  );
  const connections = all.filter(({ parent }) => parent === postmaster?.id);
  return {
    server: server?.id ?? 0,
    postgres: [...(postmaster ? [postmaster] : []), ...connections].map(({ id }) => id),
  };
}

/** Sends to all of them what they are to get, whether they still live or not. */
export function signalAll(processIds: readonly number[], signal: NodeJS.Signals): void {
  for (const processId of processIds) {
    try {
      process.kill(processId, signal);
    } catch {
      // It has ended.
    }
  }
}

function listProcesses(): Found[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return [{ id: Number(name), parent: Number(parent), commandLine }];
    } catch {
      return [];
    }
  });
}
