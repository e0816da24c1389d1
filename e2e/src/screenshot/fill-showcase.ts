import { randomUUID } from 'node:crypto';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import type { Account } from '../support/open-account.ts';
import type { RunningServer } from '../support/run-server.ts';
import { SHOWCASE } from './showcase.ts';

const DAY_MS = 86_400_000;

/** Puts the showcase into an account, with its ids and dates, as only the service may. */
export async function fillShowcase({ url, dataFolder }: RunningServer, owner: Account): Promise<void> {
  const { stdout } = await runProjectCommand('keys', [], {
    DATA_DIR: dataFolder,
    PORT: new URL(url).port,
    SITE_URL: url,
  });
  const { serviceRoleKey } = JSON.parse(stdout) as { serviceRoleKey: string };
  const insert = async (table: string, rows: readonly object[]) => {
    const response = await fetch(`${url}/rest/v1/${table}`, {
      method: 'POST',
      headers: {
        apikey: serviceRoleKey,
        authorization: `Bearer ${serviceRoleKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(rows),
    });
    if (!response.ok) throw new Error(`${table} refused: ${await response.text()}`);
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const user_id = owner.id;

  for (const [order, { id: folder_id, name, categories }] of SHOWCASE.entries()) {
    await insert('folders', [{ id: folder_id, name, user_id, created_at: daysAgo(order) }]);
    for (const [place, { name: categoryName, description = null, links }] of categories.entries()) {
      const category_id = randomUUID();
      const created_at = daysAgo(order + place / 10);
      await insert('categories', [
        { id: category_id, name: categoryName, description, folder_id, user_id, created_at },
      ]);
      const given =
        typeof links === 'number'
          ? Array.from({ length: links }, (_, index) => ({
              title: `${categoryName} ${index + 1}`,
              url: `https://example.com/${order}-${place}-${index}`,
              age: index,
            }))
          : links;
      await insert(
        'links',
        given.map(({ age, ...link }) => ({
          description: null,
          ...link,
          category_id,
          user_id,
          created_at: daysAgo(age),
        })),
      );
    }
  }
}
