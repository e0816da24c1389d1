import type { Plan } from '@linkoteca/domain/plans';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { listChanged } from '../model/amend-import.ts';
import { type ArrangedFolder, arrangeImport, type ImportArrangement } from '../model/arrange-import.ts';
import { type ExistingLibrary, type ImportPlan, splitImport } from '../model/fit-import.ts';
import type { ImportPreview, ImportRun, ImportState } from '../model/import-state.ts';
import { UnreadableFile } from '../model/unreadable-file.ts';
import { readExistingLibrary } from './read-existing-library.ts';
import { useRenewLibrary } from './use-renew-library.ts';
import { addFigures, NO_FIGURES, writeImportPart } from './write-import.ts';

/** Reading, choosing and writing a bookmark file, one step after the other. Leaving the page ends it between two parts. */
export function useImport(plan: Plan | null) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const renew = useRenewLibrary();
  const [state, setState] = useState<ImportState>({ status: 'idle' });
  const reading = useRef<AbortController>(null);
  const stopAsked = useRef(false);
  useEffect(() => {
    stopAsked.current = false;
    return () => {
      reading.current?.abort();
      stopAsked.current = true;
    };
  }, []);

  const read = async (file: File) => {
    reading.current?.abort();
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    setState({ status: 'reading', percent: 0 });
    try {
      const preview = await prepareImport(file, {
        database,
        userId,
        plan,
        now: new Date(),
        signal,
        onProgress: (percent) => setState({ status: 'reading', percent }),
        onRead: () => setState({ status: 'comparing' }),
      });
      if (!signal.aborted) setState({ status: 'preview', preview });
    } catch (error) {
      if (signal.aborted) return;
      log.warn('a bookmark file could not be prepared', error);
      setState(describeFailure(error));
    }
  };

  /**
   * Takes a file that somebody corrected, once the library was asked about what changed its place.
   * @throws the table API's error; then the preview is as it was.
   */
  const amend = async (preview: ImportPreview, arrangement: ImportArrangement) => {
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    const changed = listChanged(preview.arrangement.folders, arrangement.folders);
    const found = await findKnownLinks(database, changed, preview.existing, signal);
    if (signal.aborted) return;
    const moved = new Set(
      changed.flatMap(({ categories }) => categories.flatMap(({ links }) => links.map(({ n }) => n))),
    );
    const known = new Set([...[...preview.known].filter((n) => !moved.has(n)), ...found]);
    setState({ status: 'preview', preview: { ...preview, arrangement, known } });
  };

  /** Sends what is left, part by part, until all is there, somebody stops it, or a part fails. */
  const write = async (begun: ImportRun) => {
    stopAsked.current = false;
    let run = begun;
    for (const [part, content] of run.parts.entries()) {
      if (part < run.done) continue;
      if (stopAsked.current) break;
      setState({ status: 'writing', run, stopping: false });
      try {
        const made = await writeImportPart({ database, queryClient, importId: run.importId }, part, content);
        run = { ...run, done: part + 1, made: addFigures(run.made, made) };
      } catch (error) {
        log.warn('a part of an import was not written', error);
        setState({ status: 'paused', run, error });
        renew();
        return;
      }
    }
    setState(run.done < run.parts.length ? { status: 'paused', run, error: null } : { status: 'done', run });
    renew();
  };

  const begin = ({ folders, made }: ImportPlan) => {
    const [first, ...rest] = splitImport(folders, createId);
    // The whole is judged before its first part is written.
    const parts =
      first === undefined
        ? []
        : [{ ...first, total: { links: made.links, categories: made.categories } }, ...rest];
    return write({ importId: createId(), parts, done: 0, made: NO_FIGURES, totalLinks: made.links });
  };

  return {
    state,
    read,
    amend,
    begin,
    goOn: write,
    stop: () => {
      stopAsked.current = true;
      setState((now) => (now.status === 'writing' ? { ...now, stopping: true } : now));
    },
    reset: () => {
      reading.current?.abort();
      setState({ status: 'idle' });
    },
  };
}

function describeFailure(error: unknown): ImportState {
  if (error instanceof UnreadableFile) return { status: 'unreadable', reason: error.reason };
  if (error instanceof NotCompared) return { status: 'not_compared', error: error.cause };
  return { status: 'unreadable', reason: 'failed' };
}

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
async function prepareImport(file: File, options: PrepareOptions): Promise<ImportPreview> {
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
class NotCompared extends Error {
  override readonly name = 'NotCompared';
}

function roomOf(max: number | null | undefined, used: number): number | null {
  return typeof max === 'number' ? Math.max(0, max - used) : null;
}

/**
 * Which links of a file lie in their category already, by `n`. Only categories that exist can hold any: a first import asks nothing.
 * @throws the table API's error.
 */
async function findKnownLinks(
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
