import type { QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { pendingWritesOf } from '../../../shared/lib/writes/pending-writes.ts';
import type { ImportPart } from '../model/fit-import.ts';

/** How many of each were made, or went. */
export interface ImportFigures {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

export const NO_FIGURES: ImportFigures = { folders: 0, categories: 0, links: 0 };

export function addFigures(one: ImportFigures, other: ImportFigures): ImportFigures {
  return {
    folders: one.folders + other.folders,
    categories: one.categories + other.categories,
    links: one.links + other.links,
  };
}

interface WriteOptions {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly importId: string;
}

/**
 * Sends one part of an import. The same part may be sent again: it is written once, and answered as the first time.
 * @throws the table API's error.
 */
export async function writeImportPart(
  { database, queryClient, importId }: WriteOptions,
  part: number,
  content: ImportPart,
): Promise<ImportFigures> {
  const pending = pendingWritesOf(queryClient);
  const writes = [
    pending.begin({
      table: 'folders',
      kind: 'add',
      ids: unique(content.places.map((place) => place.folder_id)),
    }),
    pending.begin({
      table: 'categories',
      kind: 'add',
      ids: unique(content.places.flatMap(({ category_id }) => category_id ?? [])),
    }),
    pending.begin({ table: 'links', kind: 'add', ids: content.links.map(({ id }) => id) }),
  ];
  try {
    const { data } = await database
      .rpc('import_library', { import_id: importId, part, content: JSON.parse(JSON.stringify(content)) })
      .throwOnError();
    return readFigures(data);
  } catch (error) {
    for (const write of writes) write.undo();
    throw error;
  } finally {
    for (const write of writes) write.settle();
  }
}

/**
 * Takes an import back, call by call until nothing of it is left.
 * @returns what went.
 * @throws the table API's error; asked again it goes on.
 */
export async function undoImport({
  database,
  importId,
}: Omit<WriteOptions, 'queryClient'>): Promise<ImportFigures> {
  let gone = NO_FIGURES;
  for (;;) {
    const { data } = await database.rpc('undo_import', { import_id: importId }).throwOnError();
    gone = addFigures(gone, readFigures(data));
    if (readField(data, 'done') === true) return gone;
  }
}

export function readFigures(answer: unknown): ImportFigures {
  const count = (name: string) => {
    const value = readField(answer, name);
    return typeof value === 'number' ? value : 0;
  };
  return { folders: count('folders'), categories: count('categories'), links: count('links') };
}

function readField(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
