import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECT_FOLDER } from './run-project-command.ts';

export type ServerOptions = {
  readonly dataFolder: string;
  readonly port: number;
  /** Settings on top of port, host and data folder. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another version of the program; this one where it is left out. */
  readonly projectFolder?: string;
  /** What the server is started by: `unshare` and its options, for one that lives as in a container. */
  readonly startedBy?: readonly string[];
};

export type ServerProcess = {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly dataFolder: string;
  readonly pid: number;
  /** Everything it has written so far. */
  output(): string;
  /** Resolves to the exit code when it has ended, however that came. */
  readonly ended: Promise<number | null>;
  /** SIGTERM; resolves to the exit code when it has ended. */
  stop(): Promise<number | null>;
  /** SIGKILL: the power cut. */
  kill(): Promise<void>;
};

export type LaunchedProcess = Pick<ServerProcess, 'output' | 'kill'> & {
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
};

const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;

/**
 * Starts the real server as a process of its own and waits until `/health` says that it may be used.
 * @throws Error with the server's own output when it ends first or is not ready in time.
 */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { child, output } = spawnServer(options);
  const url = `http://127.0.0.1:${options.port}`;
  const ended = once(child, 'close').then(() => child.exitCode);
  try {
    await waitUntilHealthy(child, url, output);
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
  return {
    url,
    dataFolder: options.dataFolder,
    pid: child.pid ?? -1,
    output,
    ended,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => {
      await end(child, 'SIGKILL');
    },
  };
}

/**
 * Starts the server without waiting for it.
 * @returns what it says, when it has ended, and the power cut.
 */
export function launchServerProcess(options: ServerOptions): LaunchedProcess {
  const { child, output } = spawnServer(options);
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    ended,
    output,
    kill: async () => {
      await end(child, 'SIGKILL');
    },
  };
}

/**
 * Starts the server where it is expected to refuse.
 * @returns its exit code and what it said.
 */
export async function runServerToItsEnd(
  options: ServerOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = spawnServer(options);
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output: output() };
}

function spawnServer(options: ServerOptions) {
  const { dataFolder, port, environment = {}, projectFolder = PROJECT_FOLDER, startedBy = [] } = options;
  const chunks: string[] = [];
  const [program, ...args] = [...startedBy, process.execPath, join(projectFolder, 'apps/server/src/main.ts')];
  const child = spawn(program as string, args, {
    cwd: projectFolder,
    env: {
      ...process.env,
      DATA_DIR: dataFolder,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL: `http://127.0.0.1:${port}`,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whoever started it may be interrupted: the server must not outlive its tests.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('close', () => process.removeListener('exit', endWithUs));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => chunks.push(chunk));
  }
  return { child, output: () => chunks.join('') };
}

async function waitUntilHealthy(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child))
      throw new Error(`the server ended at its start (${child.signalCode ?? child.exitCode}):\n${output()}`);
    if (await isHealthy(url)) return;
    await pause(POLL_MS);
  }
  throw new Error(`the server was not ready after ${READY_WITHIN_MS} ms:\n${output()}`);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
    return response.status === 200;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (!hasEnded(child)) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return child.exitCode;
}
