import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import type { Account } from './open-account.ts';
import type { RunningServer } from './run-server.ts';

/** What `npm run -s keys` says of a data folder stays the same as long as it lives: asked once, not for each plan. */
const keysOf = new Map<string, Promise<string>>();

/** Gives an account a paid plan, as the payment webhook writes it. */
export async function subscribe(server: RunningServer, owner: Account, plan: 'plus' | 'pro'): Promise<void> {
  const serviceRoleKey = await readServiceRoleKey(server);
  const response = await fetch(`${server.url}/rest/v1/subscribers`, {
    method: 'POST',
    headers: {
      apikey: serviceRoleKey,
      authorization: `Bearer ${serviceRoleKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user_id: owner.id, plan, subscription_status: 'active' }),
  });
  if (!response.ok) throw new Error(`the subscription was refused: ${await response.text()}`);
}

export function readServiceRoleKey({ url, dataFolder }: RunningServer): Promise<string> {
  const known = keysOf.get(dataFolder);
  if (known !== undefined) return known;
  const asked = askForKeys(url, dataFolder);
  keysOf.set(dataFolder, asked);
  return asked;
}

async function askForKeys(url: string, dataFolder: string): Promise<string> {
  const { stdout } = await runProjectCommand('keys', [], {
    DATA_DIR: dataFolder,
    PORT: new URL(url).port,
    SITE_URL: url,
  });
  return (JSON.parse(stdout) as { serviceRoleKey: string }).serviceRoleKey;
}
