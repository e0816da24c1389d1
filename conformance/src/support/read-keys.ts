import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';

export type Keys = {
  readonly url: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
};

/**
 * The keys of an installation, as `npm run -s keys` prints them (operator-commands.test.ts), without npm's own start.
 * @throws Error with what the command said when it did not print them.
 */
export async function readKeys(server: { dataFolder: string; port: number }): Promise<Keys> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(PROJECT_FOLDER, 'apps/server/src/commands/keys.ts')],
    {
      cwd: PROJECT_FOLDER,
      env: {
        ...process.env,
        DATA_DIR: server.dataFolder,
        PORT: String(server.port),
        SITE_URL: `http://127.0.0.1:${server.port}`,
      },
    },
  );
  return JSON.parse(stdout) as Keys;
}
