import type { ImportPlan } from '@linkoteca/domain/fit-import';
import type { Plan } from '@linkoteca/domain/plans';
import { splitImport } from '@linkoteca/domain/split-import';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createId } from '../../../shared/lib/create-id.ts';
import { log } from '../../../shared/lib/log.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { ImportRun, ImportState } from '../model/import-state.ts';
import { UnreadableFile } from '../model/unreadable-file.ts';
import { NotCompared, prepareImport } from './prepare-import.ts';
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
