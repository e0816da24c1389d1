import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './folders.ts';

/** The file Postgres makes in a socket folder for port 5432. */
export const SOCKET_NAME = '.s.PGSQL.5432';
/** sun_path holds 104 bytes on macOS and 108 on Linux, the final NUL included. */
const MAX_SOCKET_PATH_BYTES = 103;
const TEMPORARY_PREFIX = 'linkoteca-';

/** Where the database listens: beside the data, or in a short folder of its own when that path is too long for a socket. */
export function chooseSocketFolder(dataFolder: string): string {
  const beside = join(dataFolder, 'socket');
  if (Buffer.byteLength(join(beside, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES) {
    makeFolder(beside);
    return beside;
  }
  const long = join(tmpdir(), `${TEMPORARY_PREFIX}123456`, SOCKET_NAME);
  const base = Buffer.byteLength(long) <= MAX_SOCKET_PATH_BYTES ? tmpdir() : '/tmp';
  return mkdtempSync(join(base, TEMPORARY_PREFIX));
}

/**
 * Closes the folder to everybody but the account and throws out what an earlier run left. Call it only while holding
 * the data folder's lock and with no Postgres running on it.
 */
export function prepareSocketFolder(
  folder: string,
  account: { readonly userId: number; readonly groupId: number; readonly isOther: boolean },
): void {
  chmodSync(folder, 0o700);
  if (account.isOther) chownSync(folder, account.userId, account.groupId);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true, recursive: true });
}

/** Removes a folder made outside the data folder; the one beside the data stays. */
export function discardSocketFolder(folder: string, dataFolder: string): void {
  if (!folder.startsWith(dataFolder)) rmSync(folder, { recursive: true, force: true });
}
