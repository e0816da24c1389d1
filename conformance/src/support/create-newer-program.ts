import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';

export type NewerProgram = { readonly folder: string; remove(): Promise<void> };

/** What a next version would be: this program with further migrations, by the names of their files. */
export async function createNewerProgram(
  migrations: Readonly<Record<string, string>>,
): Promise<NewerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'linkoteca-newer-'));
  await mkdir(join(folder, 'apps/web'), { recursive: true });
  await mkdir(join(folder, 'supabase'));
  for (const path of ['apps/server', 'supabase/migrations'])
    await cp(join(PROJECT_FOLDER, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/\.test\.ts$|node_modules/.test(source.slice(PROJECT_FOLDER.length)),
    });
  for (const path of [
    'package.json',
    'node_modules',
    'packages',
    'apps/server/node_modules',
    'apps/web/dist',
    'supabase/functions',
    'supabase/config.toml',
    'supabase/templates',
  ])
    await symlink(join(PROJECT_FOLDER, path), join(folder, path));
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(folder, 'supabase/migrations', name), text);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
