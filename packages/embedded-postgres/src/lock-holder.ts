import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** What `server.lock` tells others of the process that uses a data folder. It informs; the lock itself is the kernel's. */
export type LockHolder = {
  readonly processId: number;
  readonly startedAt: string;
  readonly socketFolder: string;
  /** Where that process id means something; absent in what a version without kernel locks wrote. */
  readonly namespace?: string;
  readonly host?: string;
  /** ISO 8601. */
  readonly since?: string;
};

/** Describes this process. */
export function describeOwnProcess(socketFolder: string): LockHolder {
  return {
    processId: process.pid,
    startedAt: readProcess(process.pid)?.startedAt ?? '',
    socketFolder,
    namespace: readNamespace(),
    host: hostname(),
    since: new Date().toISOString(),
  };
}

/** Whether the holder's process can be looked up from here, or lives in another container or on another machine. */
export function isVisible({ namespace = readNamespace() }: LockHolder): boolean {
  return namespace === readNamespace();
}

/** Whether the very process that is named still runs. True only of one that is visible from here. */
export function isAlive(holder: LockHolder): boolean {
  const found = isVisible(holder) ? readProcess(holder.processId) : undefined;
  return found !== undefined && !found.isZombie && found.startedAt === holder.startedAt;
}

/** For a sentence in Portuguese: `processo 7 de "c0ffee", desde 22/11/2026 10:00:00 (UTC)`. */
export function describeHolder(holder: LockHolder): string {
  const { processId, host = '', since } = holder;
  const place = isVisible(holder) ? '' : ` de "${host}", outro contêiner ou máquina`;
  return `processo ${processId}${place}${since === undefined ? '' : `, desde ${formatTime(since)}`}`;
}

function formatTime(since: string): string {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(since) ?? [];
  return `${day}/${month}/${year} ${time} (UTC)`;
}

/** A machine's boot and, in it, the numbering of processes. Systems without /proc have but one. */
function readNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** What the last holder wrote; undefined when nobody did, or it cannot be read. */
export function readHolder(dataFolder: string): LockHolder | undefined {
  try {
    const value = JSON.parse(readFileSync(holderPath(dataFolder), 'utf8')) as Partial<LockHolder>;
    const { processId, startedAt, socketFolder } = value;
    if (!Number.isSafeInteger(processId) || typeof startedAt !== 'string' || typeof socketFolder !== 'string')
      return undefined;
    return value as LockHolder;
  } catch {
    return undefined;
  }
}

/** Appears whole: nobody reads half of it. */
export function writeHolder(dataFolder: string, holder: LockHolder): void {
  const draft = `${holderPath(dataFolder)}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    renameSync(draft, holderPath(dataFolder));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** For the holder, when it leaves. */
export function removeHolder(dataFolder: string): void {
  rmSync(holderPath(dataFolder), { force: true });
}

function holderPath(dataFolder: string): string {
  return join(dataFolder, 'server.lock');
}

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
