import { useEffect, useRef, useState } from 'react';
import { saveFile } from '../../../shared/lib/browser/save-file.ts';
import { log } from '../../../shared/lib/log.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { type ExportFormat, nameExportFile } from '../model/bookmark-files.ts';
import { type ExportScope, makeExport } from './make-export.ts';

export type ExportState =
  | { readonly status: 'idle' | 'done' | 'canceled' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'working'; readonly percent: number };

export interface ExportRequest {
  readonly scope: ExportScope;
  readonly format: ExportFormat;
  /** What is exported, for the file's name; null for everything. */
  readonly name: string | null;
  /** Links that are expected, for the bar alone. */
  readonly expected: number;
}

/** Makes a bookmark file and saves it; leaving the page ends it. */
export function useExport() {
  const database = useDatabase();
  const userId = useUserId();
  const [state, setState] = useState<ExportState>({ status: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async ({ scope, format, name, expected }: ExportRequest) => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ status: 'working', percent: 0 });
    const onProgress = (links: number) =>
      setState({ status: 'working', percent: Math.min(99, (100 * links) / Math.max(1, expected)) });
    try {
      const file = await makeExport({ database, userId, scope, format, signal, onProgress });
      signal.throwIfAborted();
      saveFile(file, nameExportFile(name, format, new Date()));
      setState({ status: 'done' });
    } catch (error) {
      log.warn('the bookmarks could not be exported', error);
      setState(signal.aborted ? { status: 'canceled' } : { status: 'failed', error });
    } finally {
      running.current = null;
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}
