import type { ArrangedFolder } from '@linkoteca/domain/arrange-import';
import type { ExistingLibrary } from '@linkoteca/domain/fit-import';
import { splitImport } from '@linkoteca/domain/split-import';
import { createId } from '../../../shared/lib/create-id.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/**
 * Which links of a file lie in their category already, by `n`. Only categories that exist can hold any: a first import asks nothing.
 * @throws the table API's error.
 */
export async function findKnownLinks(
  database: DatabaseClient,
  folders: readonly ArrangedFolder[],
  existing: ExistingLibrary,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const known = new Set<number>();
  for (const { places, links } of splitImport(keepExisting(folders, existing), createId)) {
    const { data } = await database
      .rpc('preview_import', {
        content: {
          places: places.map(({ n, folder, category }) => ({ n, folder, category })),
          links: links.map(({ n, place, url }) => ({ n, place, url })),
        },
      })
      .abortSignal(signal)
      .throwOnError();
    for (const n of data ?? []) known.add(n);
  }
  return known;
}

function keepExisting(
  folders: readonly ArrangedFolder[],
  existing: ExistingLibrary,
): readonly ArrangedFolder[] {
  const ids = new Map(existing.folders.map(({ id, name }) => [name, id]));
  const there = new Set(existing.categories.map(({ folder_id, name }) => `${folder_id} ${name}`));
  return folders
    .map((folder) => ({
      ...folder,
      categories: folder.categories.filter(
        ({ name, links }) => links.length > 0 && there.has(`${ids.get(folder.name)} ${name}`),
      ),
    }))
    .filter(({ categories }) => categories.length > 0);
}
