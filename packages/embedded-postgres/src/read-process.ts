import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type ProcessFacts = {
  /** Differs between two processes that got the same number one after the other, reboots included. */
  readonly startedAt: string;
  /** Ended, but not yet collected by its parent: it answers to signals and does nothing. */
  readonly isZombie: boolean;
  /** Stopped by a signal: it reacts to none but SIGKILL. */
  readonly isStopped: boolean;
  /** Empty where it cannot be read. On systems without /proc: one element, the whole line. */
  readonly commandLine: readonly string[];
};

/** What is known of a running process; undefined when there is none of that number. */
export function readProcess(processId: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? readFromProc(processId) : readFromPs(processId);
}

/** proc(5): the name in parentheses may itself hold spaces and parentheses, so fields count from the last one. */
function readFromProc(processId: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = ''] = fields;
    const startTicks = fields[19] ?? '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const commandLine = readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return {
      startedAt: `${boot}:${startTicks}`,
      isZombie: 'ZX'.includes(state),
      isStopped: 'Tt'.includes(state),
      commandLine,
    };
  } catch {
    return undefined;
  }
}

function readFromPs(processId: number): ProcessFacts | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(processId)], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' },
  });
  if (status !== 0) return undefined;
  // lstart is five words: Fri Nov 21 14:10:00 2025
  const [, state = '', startedAt = '', command = ''] =
    /^\s*(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s*(.*)$/.exec(stdout.trim()) ?? [];
  return {
    startedAt,
    isZombie: state.startsWith('Z'),
    isStopped: state.startsWith('T'),
    commandLine: [command],
  };
}
