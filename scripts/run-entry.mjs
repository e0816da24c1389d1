import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectEnvironment, rootFolder } from './ensure-installed.mjs';

/** Before the first, second … start after a sudden end; the last one goes on for ever. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];
/** A process that has served this long had overcome what ended the one before it. */
const STEADY_MS = 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The same signal again so soon comes from the same key: the terminal sends it to every process, and npm passes its own on. */
const ECHO_MS = 300;

/**
 * Runs a TypeScript entry with the project's own Node (24: it strips types by itself), passing signals on and ending
 * with the same code. When this process dies without a word the entry learns it from the channel between them.
 * @param {string} entry path below the project's folder.
 * @param {string[]} args
 * @param {{ readonly keepAlive?: boolean, readonly pauses?: readonly number[], readonly runtime?: string, readonly folder?: string }} [options]
 *   `keepAlive` starts an entry again that said 'ready' and then ended without having been asked to; `pauses` are the milliseconds
 *   before each new start; `runtime` is the Node it runs with, `folder` where it runs.
 * @returns {Promise<number>} the exit code.
 */
export async function runEntry(entry, args, options = {}) {
  const { keepAlive = false, pauses = PAUSES_MS, runtime = 'node', folder = rootFolder } = options;
  const run = { child: undefined, isStopping: false, wake: () => undefined };
  const stop = (signal) => {
    run.isStopping = true;
    run.child?.kill(signal);
    run.wake();
  };
  const heardAt = new Map();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const isEcho = performance.now() - (heardAt.get(signal) ?? Number.NEGATIVE_INFINITY) < ECHO_MS;
      heardAt.set(signal, performance.now());
      if (!isEcho) stop(signal);
    });
  }
  endWithNpm(() => {
    if (!run.isStopping) stop('SIGTERM');
  });

  let hasServed = false;
  for (let failures = 0; ; ) {
    const startedAt = performance.now();
    const ended = await runOnce(run, { runtime, folder, entry, args, ownGroup: keepAlive });
    hasServed ||= ended.wasReady;
    if (run.isStopping || !keepAlive || !hasServed || ended.code === 0) return ended.code;
    if (ended.wasReady && performance.now() - startedAt > STEADY_MS) failures = 0;
    const pause = pauses[Math.min(failures, pauses.length - 1)] ?? 0;
    failures += 1;
    console.error(
      `O servidor terminou de repente (${ended.reason}); começa de novo em ${Math.ceil(pause / 1000)} s.`,
    );
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      run.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    if (run.isStopping) return ended.code;
  }
}

/** One process, from its start to its end. */
function runOnce(run, { runtime, folder, entry, args, ownGroup }) {
  const child = spawn(runtime, [join(rootFolder, entry), ...args], {
    cwd: folder,
    env: projectEnvironment({ NODE_COMPILE_CACHE: join(rootFolder, 'node_modules/.cache/node-compile') }),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // What the terminal sends to the launcher's group reaches a server through the launcher alone.
    detached: ownGroup,
  });
  run.child = child;
  let wasReady = false;
  child.on('message', (message) => {
    if (message === 'ready') wasReady = true;
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(
        `Não foi possível iniciar o Node do projeto (${error.message}): rode "npm ci" e tente de novo.`,
      );
      resolve({ code: 1, reason: error.message, wasReady });
    });
    child.on('close', (code, signal) =>
      resolve({
        code: signal === null ? (code ?? 1) : 1,
        reason: signal === null ? `código ${code}` : `sinal ${signal}`,
        wasReady,
      }),
    );
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
