import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What is restored beside its place and then takes it, piece by piece. Nobody has the data folder meanwhile. */
const PIECES = ['storage', 'secrets.json', 'postgres/cluster'];
/** Its presence says: what lies beside it is whole and was checked. */
const ORDER = 'swap.json';

export function nameRestoring(dataFolder: string): string {
  return join(dataFolder, '.restoring');
}

/**
 * A piece's place that is a file system of its own: nothing can be moved there, nor away. A small folder is moved to find out: a bind mount
 * has the device number of what it shows.
 */
export function findMount(dataFolder: string, isEmbedded: boolean): string | undefined {
  const places = isEmbedded ? ['storage', 'postgres', 'postgres/cluster'] : ['storage'];
  const probe = mkdtempSync(join(dataFolder, '.probe-'));
  try {
    return places.map((place) => join(dataFolder, place)).find((place) => isMount(place, probe));
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function isMount(place: string, probe: string): boolean {
  // A link in a piece's own place is moved itself; one on the way to it leads elsewhere.
  const isPiece = PIECES.some((piece) => place.endsWith(`/${piece}`));
  if (!existsSync(place) || (isPiece && lstatSync(place).isSymbolicLink())) return false;
  const moved = join(place, basename(probe));
  try {
    renameSync(probe, moved);
    renameSync(moved, probe);
    return false;
  } catch (error) {
    // Anything else has no part in where the pieces lie.
    return (error as NodeJS.ErrnoException).code === 'EXDEV';
  }
}

/** From here on the restored state is the one that counts, even if the process dies before all of it is in its place. */
export function startSwap(dataFolder: string): void {
  const restoring = nameRestoring(dataFolder);
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const pieces = PIECES.filter((piece) => existsSync(join(restoring, piece)));
  const order = { aside: `before-restore-${stamp}`, pieces } satisfies Order;
  writeFileSync(join(restoring, `${ORDER}.new`), JSON.stringify(order), { mode: 0o600, flush: true });
  renameSync(join(restoring, `${ORDER}.new`), join(restoring, ORDER));
  syncFolder(restoring);
}

/** Whether a restoration was cut short while its pieces took their places. */
export function isSwapUnfinished(dataFolder: string): boolean {
  return existsSync(join(nameRestoring(dataFolder), ORDER));
}

/**
 * Puts the pieces of a finished restoration into their places, those that were there aside; also where an earlier process
 * was cut short at it. Call it only while holding the data folder.
 * @returns the folder in which the old pieces lie now, if there were any.
 */
export function finishSwap(dataFolder: string): string | undefined {
  if (!isSwapUnfinished(dataFolder)) return undefined;
  const restoring = nameRestoring(dataFolder);
  const order = JSON.parse(readFileSync(join(restoring, ORDER), 'utf8')) as Order;
  const aside = join(dataFolder, order.aside);
  for (const piece of order.pieces) {
    // A piece that is no longer beside has taken its place already.
    if (!existsSync(join(restoring, piece))) continue;
    if (existsSync(join(dataFolder, piece))) move(join(dataFolder, piece), join(aside, piece));
    move(join(restoring, piece), join(dataFolder, piece));
  }
  renameSync(join(restoring, ORDER), join(restoring, `${ORDER}.done`));
  syncFolder(restoring);
  return existsSync(aside) ? aside : undefined;
}

type Order = { readonly aside: string; readonly pieces: readonly string[] };

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
  syncFolder(dirname(to));
  syncFolder(dirname(from));
}

/** A rename is durable once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
