import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project. Every script starts from it, wherever it was called from. */
export const rootFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The environment of every child: our own binaries first, so that `node` is the version in the lock file
 * and not the one the machine happens to have.
 */
export function projectEnvironment(extra = {}) {
  const path = `${join(rootFolder, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
  return { ...process.env, ...extra, PATH: path };
}

/**
 * Installs what the lock file names, development tools included, and does nothing when it is there already.
 * @param {{ say?: (line: string) => void }} [options] `say` gets one line before the work starts.
 * @returns {Promise<boolean>} whether something had to be installed.
 * @throws {Error} one line that says what to do.
 */
export async function ensureInstalled({ say = console.log } = {}) {
  if (await isInstalled()) return false;
  say('Installing dependencies (a minute on a fresh clone) …');
  const { code, output } = await installLocked();
  if (code !== 0) {
    throw new Error(
      `${output.trim()}\nnpm ci failed: check the network connection, then run the command again.`,
    );
  }
  return true;
}

const INSTALL_OPTIONS = ['--include=dev', '--no-progress', '--loglevel=error'];

/**
 * `npm ci` wants every optional package of every platform to be in the lock file, those that the registry does not carry
 * included (a company's mirror, say), and gives up before it touches anything. `npm install` skips what it need not
 * have; told not to save, it takes the versions of the lock file and leaves that file alone.
 */
async function installLocked() {
  const clean = await run('npm', ['ci', ...INSTALL_OPTIONS]);
  if (clean.code === 0 || !clean.output.includes('EUSAGE')) return clean;
  return run('npm', ['install', '--no-save', ...INSTALL_OPTIONS]);
}

/** npm keeps a copy of the lock file of what it last installed: the two must name the same versions. */
async function isInstalled() {
  const [wanted, present] = await Promise.all([
    readLock(join(rootFolder, 'package-lock.json')),
    readLock(join(rootFolder, 'node_modules', '.package-lock.json')),
  ]);
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link === true || !path.includes('node_modules/')) return true;
    const found = present[path];
    // An optional package for another platform is rightly absent.
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

async function readLock(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages;
  } catch {
    return null;
  }
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: rootFolder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
