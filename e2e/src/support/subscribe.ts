import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import type { Account } from './open-account.ts';
import type { RunningServer } from './run-server.ts';

/** Gives an account a paid plan, as the payment webhook writes it. */
export async function subscribe(
  { url, dataFolder }: RunningServer,
  owner: Account,
  plan: 'plus' | 'pro',
): Promise<void> {
  const { stdout } = await runProjectCommand('keys', [], {
    DATA_DIR: dataFolder,
    PORT: new URL(url).port,
    SITE_URL: url,
  });
  const { serviceRoleKey } = JSON.parse(stdout) as { serviceRoleKey: string };
  const response = await fetch(`${url}/rest/v1/subscribers`, {
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
