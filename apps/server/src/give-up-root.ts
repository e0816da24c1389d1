import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { findServiceIdentity } from '@linkoteca/embedded-postgres/choose-account';
import type { Logger } from 'pino';
import type { Settings } from './kernel/settings.ts';
import { FUNCTION_SOURCES, PROJECT_FOLDER, WEB_FOLDER } from './project-folders.ts';

export type ServiceAccount = { readonly userId: number; readonly groupId: number };

/** What the server writes to in the data folder, as its own. The cluster is Postgres's own already, and `secrets.json` stays root's. */
const HANDED_OVER = ['backups', 'mail', 'storage', 'postgres'];

/**
 * The account that a server goes on as when root has started it: that of its own Postgres, which it has to start again after
 * a crash. Undefined where there is nothing to give up, or nobody to become.
 */
export function chooseServiceAccount(dataFolder: string): ServiceAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const cluster = statSync(join(dataFolder, 'postgres/cluster'), { throwIfNoEntry: false });
  if (cluster && cluster.uid !== 0) return { userId: cluster.uid, groupId: cluster.gid };
  try {
    return findServiceIdentity();
  } catch {
    return undefined;
  }
}

/**
 * Hands the data folder over and goes on without root's rights. Call it when the port is open. Where the account could not do
 * the server's work (the project lies below /root, or the disk knows no owners), it stays root, and the log says why.
 */
export function giveUpRoot(
  account: ServiceAccount | undefined,
  { dataFolder, functionsFolder }: Pick<Settings, 'dataFolder' | 'functionsFolder'>,
  logger: Logger,
): void {
  if (process.getuid?.() !== 0) return;
  if (account === undefined) {
    logger.warn('the server keeps root’s rights: there is no account "postgres" or "nobody"');
    return;
  }
  handOver(dataFolder, account);
  const closed = findClosed(account, dataFolder, functionsFolder);
  if (closed !== undefined) {
    logger.warn(
      { path: closed, ...account },
      'the server keeps root’s rights: its account cannot use a folder',
    );
    return;
  }
  // What has been compiled lies where only root may write.
  flushCompileCache();
  process.setgroups?.([account.groupId]);
  process.setgid?.(account.groupId);
  process.setuid?.(account.userId);
  logger.info({ ...account }, 'root’s rights are given up');
}

/** What an earlier server, or a command, has left there as root. A disk without owners is told by what the account may do afterwards. */
function handOver(dataFolder: string, { userId, groupId }: ServiceAccount): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o711 });
    chownSync(dataFolder, userId, groupId);
  } catch {
    return;
  }
  const folders = HANDED_OVER.map((name) => join(dataFolder, name)).filter((path) => existsSync(path));
  const cluster = join(dataFolder, 'postgres/cluster');
  // A file with a second name elsewhere is not handed over with it.
  const ofRoot = ['-user', '0', '(', '-type', 'd', '-o', '-links', '1', ')'];
  const change = ['-exec', 'chown', '-h', `${userId}:${groupId}`, '{}', '+'];
  if (folders.length > 0)
    spawnSync('find', [...folders, '-path', cluster, '-prune', '-o', ...ofRoot, ...change], {
      stdio: 'ignore',
    });
}

/** The first folder that the account cannot use as the server does. */
function findClosed(
  account: ServiceAccount,
  dataFolder: string,
  functionsFolder: string,
): string | undefined {
  const { packagesFolder } = FUNCTION_SOURCES;
  const read = [join(PROJECT_FOLDER, 'apps/server/src/main.ts'), packagesFolder, functionsFolder, WEB_FOLDER];
  const written = [dataFolder, ...HANDED_OVER.map((name) => join(dataFolder, name))];
  const test = ({ path, how }: { readonly path: string; readonly how: '-r' | '-w' }) =>
    spawnSync('/bin/sh', ['-c', 'test "$0" "$1" && { test ! -d "$1" || test -x "$1"; }', how, path], {
      uid: account.userId,
      gid: account.groupId,
      cwd: '/',
    }).status === 0;
  return [
    ...read.map((path) => ({ path, how: '-r' as const })),
    ...[join(packagesFolder, 'node_modules')].map((path) => ({ path, how: '-r' as const })),
    ...written.map((path) => ({ path, how: '-w' as const })),
  ].find((needed) => existsSync(needed.path) && !test(needed))?.path;
}
