import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Longer than any build takes. */
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * Puts a folder in the place of another by renaming, so that whoever looks finds the old one or the new one, whole.
 * Where several do so at once the last one stays.
 * @param {string} next on the same file system.
 * @param {string} place need not exist yet.
 */
export async function replaceFolder(next, place) {
  const old = `${place}.old-${process.pid}`;
  await rm(old, { recursive: true, force: true });
  for (;;) {
    await rename(place, old).catch(unless('ENOENT'));
    try {
      await rename(next, place);
      break;
    } catch (error) {
      // Somebody else's came between the two: it goes, too. After any other failure all is as it was.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') {
        await rename(old, place).catch(unless('ENOENT'));
        throw error;
      }
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}

/**
 * Removes what builds that were killed left beside the place: `PLACE.next-PID` and `PLACE.old-PID`, an hour old or more.
 * @param {string} place
 * @param {Date} now
 */
export async function removeLeftovers(place, now) {
  const folder = dirname(place);
  const beginnings = ['next-', 'old-'].map((kind) => `${basename(place)}.${kind}`);
  const names = (await readdir(folder)).filter((name) => beginnings.some((part) => name.startsWith(part)));
  for (const path of names.map((name) => join(folder, name))) {
    const age = now.getTime() - ((await stat(path).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (age >= LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}

function unless(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}
