import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type SupervisorOptions = {
  readonly binaries?: string;
  readonly patienceMilliseconds?: number;
  /** Starts a process of its own, which outlives it. */
  readonly hasChild?: boolean;
};

export type Supervisor = {
  readonly socketFolder: string;
  /** Of Postgres. */
  readonly postgresId: number;
  readonly process: ChildProcess;
  /** What it has said on standard error so far. */
  errors(): string;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

const SCRIPT = fileURLToPath(new URL('./supervisor.ts', import.meta.url));

/**
 * Runs a supervisor as a process of its own, so that it can be killed.
 * @param prefix put in front of the command: to become another user, say.
 * @throws Error with its one line when it refuses.
 */
export async function startSupervisor(
  dataFolder: string,
  prefix: readonly string[] = [],
  options: SupervisorOptions = {},
): Promise<Supervisor> {
  const wanted = JSON.stringify({ dataFolder, ...options });
  const [program = '', ...args] = [...prefix, process.execPath, SCRIPT, wanted];
  const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('close', () => reject(new Error(errors.trim())));
  });
  const { socketFolder, processId } = JSON.parse(line) as { socketFolder: string; processId: number };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode;
  };
  return {
    socketFolder,
    postgresId: processId,
    process: child,
    errors: () => errors,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
}
