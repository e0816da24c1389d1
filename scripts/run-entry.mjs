import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectEnvironment, rootFolder } from './ensure-installed.mjs';

/**
 * Runs a TypeScript entry with the project's own Node (24: it strips types by itself), passing signals on and ending
 * with the same code. When this process dies without a word the entry learns it from the channel between them.
 * @param {string} entry path below the project's folder.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code.
 */
export function runEntry(entry, args) {
  const child = spawn('node', [join(rootFolder, entry), ...args], {
    cwd: rootFolder,
    env: projectEnvironment({ NODE_COMPILE_CACHE: join(rootFolder, 'node_modules/.cache/node-compile') }),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const passOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  endWithNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(
        `Não foi possível iniciar o Node do projeto (${error.message}): rode "npm ci" e tente de novo.`,
      );
      resolve(1);
    });
    child.on('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
}

const CHECK_MS = 500;
/** Looked up at once: npm may be gone before the installation or the build is done. */
const parent = process.ppid;

/** A killed npm tells nobody: started by it, we leave with it. */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, CHECK_MS);
  timer.unref();
}
