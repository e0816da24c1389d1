import { randomUUID } from 'node:crypto';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type SignedInUser, signInAs } from '../sign-in-as.ts';

export type Keys = { readonly anonKey: string; readonly serviceRoleKey: string };

/** Somebody who writes, with a category to begin with. */
export type Writer = SignedInUser & { readonly folderId: string; readonly categoryIds: readonly string[] };

export async function readKeys(environment: Readonly<Record<string, string>>): Promise<Keys> {
  const { code, stdout, stderr } = await runProjectCommand('keys', [], environment);
  if (code !== 0) throw new Error(`npm run keys ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Keys;
}

/** Signs a few people up on the plan without limits, each with a folder of two categories, as the app would make them. */
export async function createWriters(url: string, keys: Keys, count: number): Promise<readonly Writer[]> {
  const writers: Writer[] = [];
  for (let index = 0; index < count; index += 1) {
    const person = await signInAs({ ...keys, url }, `autor-${randomUUID()}@exemplo.com.br`);
    const service = { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` };
    await insert(url, service, 'subscribers', {
      user_id: person.id,
      plan: 'pro',
      subscription_status: 'active',
    });
    const folder = await insert(url, person.headers, 'folders', { name: 'Leituras' });
    const categoryIds: string[] = [];
    for (const name of ['Artigos', 'Livros'])
      categoryIds.push((await insert(url, person.headers, 'categories', { name, folder_id: folder.id })).id);
    writers.push({ ...person, folderId: folder.id, categoryIds });
  }
  return writers;
}

async function insert(
  url: string,
  headers: Readonly<Record<string, string>>,
  table: string,
  row: object,
): Promise<{ readonly id: string }> {
  const response = await fetch(`${url}/rest/v1/${table}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
    body: JSON.stringify(row),
  });
  if (!response.ok) throw new Error(`${table}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { id: string }[])[0] as { id: string };
}
