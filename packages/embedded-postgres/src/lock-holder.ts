import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readProcess } from './read-process.ts';

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
