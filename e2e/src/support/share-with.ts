import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { fillLibrary, type Library } from './fill-library.ts';
import { type Account, openAccount } from './open-account.ts';
import type { RunningServer } from './run-server.ts';

/** 'Dona Clara', who has the plan for it, shares a category with an address. */
export async function shareWith(server: RunningServer, email: string, category: string): Promise<Library> {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner);
  const library = await fillLibrary(owner, { category, links: ['Maçã'] });
  await owner.insert('shared_with', [{ category_id: library.categoryId, email }]);
  return library;
}

/** As the payment webhook writes it. */
async function subscribe({ url, dataFolder }: RunningServer, owner: Account): Promise<void> {
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
    body: JSON.stringify({ user_id: owner.id, plan: 'plus', subscription_status: 'active' }),
  });
  if (!response.ok) throw new Error(`the subscription was refused: ${await response.text()}`);
}
