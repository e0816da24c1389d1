import { arrangeImport } from '@linkoteca/domain/arrange-import';
import type { Plan } from '@linkoteca/domain/plans';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { ImportPreview } from '../model/import-state.ts';
import { findKnownLinks } from './find-known-links.ts';
import { readExistingLibrary } from './read-existing-library.ts';

interface PrepareOptions {
  readonly database: DatabaseClient;
  readonly userId: string;
  /** Null while it is not known: then nothing is held back here, and the database decides. */
  readonly plan: Plan | null;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
  /** The file is read; the library is asked now. */
  readonly onRead: () => void;
}

/**
 * Reads a file and compares it with what is there. Nothing is written.
 * @throws UnreadableFile; NotCompared; AbortError when it was cancelled.
 */
export async function prepareImport(file: File, options: PrepareOptions): Promise<ImportPreview> {
  const { database, userId, plan, now, signal, onProgress, onRead } = options;
  // The parsers come with the first file, not with the page.
  const { readBookmarkFile } = await import('../model/read-bookmark-file.ts');
  const content = await readBookmarkFile(file, { signal, onProgress });
  onRead();
  const arrangement = arrangeImport(content, new Date(file.lastModified), now);
  try {
    const { library, counts } = await readExistingLibrary(database, userId, signal);
    const known = await findKnownLinks(database, arrangement.folders, library, signal);
    return {
      fileName: file.name,
      arrangement,
      existing: library,
      known,
      room: {
        links: roomOf(plan?.maxLinks, counts.links),
        categories: roomOf(plan?.maxCategories, counts.categories),
      },
    };
  } catch (cause) {
    throw new NotCompared('the library could not be read', { cause });
  }
}

/** The file is fine; the library could not be asked, for the reason that is the `cause`. */
export class NotCompared extends Error {
  override readonly name = 'NotCompared';
}

function roomOf(max: number | null | undefined, used: number): number | null {
  return typeof max === 'number' ? Math.max(0, max - used) : null;
}
