import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Which steps have passed on exactly the files that are here, kept on this machine only (beside what is installed, so that a new
 * installation forgets it). `npm test -- --changed` leaves those out.
 * @param {{ rootFolder: string, file: string }} options `file`: where the record is kept, made when it is not there.
 */
export async function openPassedSteps({ rootFolder, file }) {
  /** @type {Record<string, string>} A step's name and the digest of what it read when it last passed. */
  const passed = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  return {
    /**
     * @param {readonly import('./run-steps.mjs').Step[]} steps
     * @returns {Promise<import('./run-steps.mjs').Step[]>} those that have passed on these files.
     */
    async among(steps) {
      const unchanged = [];
      for (const step of steps) {
        if (step.ignores === undefined || !passed[step.name]) continue;
        if (passed[step.name] === (await digestOf(rootFolder, step.ignores))) unchanged.push(step);
      }
      return unchanged;
    },

    /**
     * Runs a step and remembers that it passed, unless a file it reads was changed meanwhile.
     * @template {{ failed: number }} Result
     * @param {import('./run-steps.mjs').Step} step
     * @param {() => Promise<Result>} work
     * @returns {Promise<Result>}
     */
    async remember(step, work) {
      if (step.ignores === undefined) return work();
      const before = await digestOf(rootFolder, step.ignores);
      const result = await work();
      delete passed[step.name];
      if (result.failed === 0 && before === (await digestOf(rootFolder, step.ignores)))
        passed[step.name] = before;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(passed, null, 2));
      return result;
    },
  };
}

/**
 * Every file of the project, its path and its bytes, new ones included, but what it `ignores`; and Node's version.
 * @param {string} rootFolder
 * @param {RegExp} ignores paths from the root that it does not read.
 * @returns {Promise<string | null>} hexadecimal; null where there is no git to ask.
 */
async function digestOf(rootFolder, ignores) {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: rootFolder,
    maxBuffer: 16 * 1024 * 1024,
  }).catch(() => null);
  if (listed === null) return null;
  const digest = createHash('sha256').update(process.version);
  for (const path of [...new Set(listed.stdout.split('\0'))].sort()) {
    if (path === '' || ignores.test(path)) continue;
    const bytes = await readFile(join(rootFolder, path)).catch(() => 'gone');
    digest.update(`\0${path}\0`).update(createHash('sha256').update(bytes).digest());
  }
  return digest.digest('hex');
}
