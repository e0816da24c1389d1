import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import type { Account } from './open-account.ts';
import type { RunningServer } from './run-server.ts';

/** Makes somebody the administrator of the installation, as an operator does. @returns what the operator reads */
export async function appoint({ url, dataFolder }: RunningServer, account: Account): Promise<string> {
  const { stdout } = await runProjectCommand('admin', [account.email], {
    DATA_DIR: dataFolder,
    PORT: new URL(url).port,
    SITE_URL: url,
  });
  return stdout;
}
