import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Account } from './choose-account.ts';
import type { Launch } from './plan-launch.ts';
import { POSTGRES_ENVIRONMENT } from './postgres-environment.ts';
import { PostgresStartError } from './postgres-start-error.ts';

type NewCluster = {
  readonly binaries: string;
  readonly majorVersion: number;
  readonly clusterFolder: string;
  readonly account: Account;
  readonly launch: Launch;
  readonly durable: boolean;
};

/**
 * Makes the cluster where there is none yet. It is made beside its place and renamed when whole, so that a first start
 * cut short leaves nothing half made. Call it only while holding the data folder's lock.
 * @returns whether a cluster was made.
 * @throws PostgresStartError with the last line of initdb.
 */
export function createCluster(wanted: NewCluster): boolean {
  const { clusterFolder, account } = wanted;
  const parent = dirname(clusterFolder);
  const unfinished = `${basename(clusterFolder)}.new`;
  for (const name of readdirSync(parent)) {
    if (name.startsWith(unfinished)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(join(clusterFolder, 'PG_VERSION'))) return false;
  requireNothingSetAside(clusterFolder);
  const folder = join(parent, unfinished);
  mkdirSync(folder, { mode: 0o700 });
  if (account.isOther) chownSync(folder, account.userId, account.groupId);
  runInitdb(wanted, folder);
  try {
    // An empty folder gives way; one with content is not ours to replace.
    renameSync(folder, clusterFolder);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw new PostgresStartError(
      `A pasta ${clusterFolder} tem arquivos que não são de um banco de dados: esvazie-a, ou escolha outra com DATA_DIR.`,
      { cause },
    );
  }
  flushFolder(parent);
  return true;
}

/** A recovery that was cut short between its last two steps leaves no cluster: an empty one in its place would look like a loss. */
function requireNothingSetAside(clusterFolder: string): void {
  const prefix = `${basename(clusterFolder)}.before-`;
  const kept = readdirSync(dirname(clusterFolder)).filter((name) => name.startsWith(prefix));
  if (kept.length === 0 || existsSync(clusterFolder)) return;
  throw new PostgresStartError(
    `Uma recuperação foi interrompida: rode "npm run recover" outra vez, ou dê a ${kept.sort().at(-1)} o nome ${basename(clusterFolder)} de volta.`,
  );
}

function runInitdb({ binaries, majorVersion, launch, durable }: NewCluster, folder: string): void {
  const locale =
    majorVersion >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale-provider=libc', '--locale=C.UTF-8'];
  const options = ['-D', folder, '-U', 'postgres', '-E', 'UTF8', '--auth=trust', ...locale];
  options.push('--wal-segsize=1', '--no-instructions', ...(durable ? [] : ['--no-sync']));
  // Short-lived and harmless alone: where the watchdog is a shell on a pipe, initdb does without.
  const prefix = launch.usesPipe ? [] : launch.prefix;
  const [program = '', ...rest] = [...prefix, join(binaries, 'bin', 'initdb'), ...options];
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    ...launch.identity,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  const reason = [stderr, stdout]
    .join('\n')
    .trim()
    .split('\n')
    .find((line) => /error|could not/i.test(line));
  throw new PostgresStartError(
    `Não foi possível criar o banco de dados em ${dirname(folder)}: ${reason ?? error?.message ?? `initdb saiu com ${status}`}`,
  );
}

/** A rename is durable once its folder is. */
function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
