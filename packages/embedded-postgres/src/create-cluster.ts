import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Account } from './choose-account.ts';
import { claimUnfinished } from './claim-cluster.ts';
import { describeFolderFailure, PostgresStartError } from './describe-folder-failure.ts';
import { flushFolder } from './folders.ts';
import type { Launch } from './plan-launch.ts';
import { POSTGRES_ENVIRONMENT } from './postgres-environment.ts';

type NewCluster = {
  readonly binaries: string;
  readonly majorVersion: number;
  readonly clusterFolder: string;
  readonly account: Account;
  readonly launch: Launch;
  readonly durable: boolean;
};

/**
 * Makes the cluster where there is none, or an empty folder. It is made beside its place and renamed when whole, so that a
 * first start cut short leaves nothing half made. Call it only while holding the data folder's lock.
 * @throws PostgresStartError with the last line of initdb.
 */
export async function createCluster(wanted: NewCluster): Promise<void> {
  const { clusterFolder, account } = wanted;
  const parent = dirname(clusterFolder);
  requireNothingSetAside(clusterFolder);
  const folder = `${clusterFolder}.new`;
  mkdirSync(folder, { mode: 0o700 });
  if (account.isOther) chownSync(folder, account.userId, account.groupId);
  const lock = await claimUnfinished(folder);
  try {
    await runInitdb(wanted, folder, lock.descriptor);
    // An empty folder gives way.
    renameSync(folder, clusterFolder);
    flushFolder(parent);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

/**
 * A recovery or an upgrade that was cut short between its last two steps leaves no cluster: an empty one in its place would look like
 * a loss.
 */
function requireNothingSetAside(clusterFolder: string): void {
  const name = basename(clusterFolder);
  const kept = readdirSync(dirname(clusterFolder)).sort();
  if (existsSync(clusterFolder)) return;
  const recovered = kept.findLast((one) => one.startsWith(`${name}.before-`));
  if (recovered !== undefined)
    throw new PostgresStartError(
      `Uma recuperação foi interrompida: rode "npm run recover" outra vez, ou dê a ${recovered} o nome ${name} de volta.`,
    );
  if (kept.some((one) => new RegExp(`^${name}\\.\\d+-`).test(one)))
    throw new PostgresStartError(
      'Uma mudança de versão do Postgres foi interrompida: rode "npm run upgrade-postgres" outra vez.',
    );
}

/**
 * Removes what starts that were cut short have left beside the cluster, once their initdb has ended: it makes its folder anew
 * when somebody takes it away. Call it only while holding the data folder's lock.
 */
export async function clearUnfinished(clusterFolder: string): Promise<void> {
  const parent = dirname(clusterFolder);
  const leftovers = readdirSync(parent).filter((name) => name.startsWith(`${basename(clusterFolder)}.new`));
  for (const path of leftovers.map((name) => join(parent, name))) {
    const lock = await claimUnfinished(path);
    rmSync(path, { recursive: true, force: true });
    lock.release();
  }
}

async function runInitdb(
  { binaries, majorVersion, launch, durable }: NewCluster,
  folder: string,
  lock: number,
): Promise<void> {
  const locale =
    majorVersion >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale-provider=libc', '--locale=C.UTF-8'];
  const options = ['-D', folder, '-U', 'postgres', '-E', 'UTF8', '--auth=trust', ...locale];
  options.push('--wal-segsize=1', '--no-instructions', ...(durable ? [] : ['--no-sync']));
  // Short-lived and harmless alone: where the watchdog is a shell on a pipe, initdb does without.
  const prefix = launch.usesPipe ? [] : launch.prefix;
  const [program = '', ...rest] = [...prefix, join(binaries, 'bin', 'initdb'), ...options];
  const child = spawn(program, rest, {
    ...launch.identity,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe', lock],
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [status] = await once(child, 'close').catch((error: Error) => [error.message]);
  if (status === 0) return;
  const reason = output.split('\n').find((line) => /error|could not|fatal/i.test(line));
  throw new PostgresStartError(
    describeFolderFailure(dirname(folder), output) ??
      `Não foi possível criar o banco de dados em ${dirname(folder)}: ${reason ?? `initdb saiu com ${status}`}`,
  );
}
