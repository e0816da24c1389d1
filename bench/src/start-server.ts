import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';

export type RunningServer = {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly pid: number;
  /** What it has written so far: errors only. */
  output(): string;
  stop(): Promise<unknown>;
};

/**
 * Starts the product's server, as `npm start` does once everything is built, on a free port over `dataFolder`.
 * @param settings further ones
 */
export async function startServer(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await findFreePort();
  const environment = { LOG_LEVEL: 'error', ...settings };
  const server = await startServerProcess({ dataFolder, port, environment });
  const { stdout } = await runProjectCommand('keys', [], { DATA_DIR: dataFolder });
  const { anonKey, serviceRoleKey } = JSON.parse(stdout) as { anonKey: string; serviceRoleKey: string };
  return {
    url: server.url,
    anonKey,
    serviceRoleKey,
    pid: server.pid,
    output: server.output,
    stop: server.stop,
  };
}
