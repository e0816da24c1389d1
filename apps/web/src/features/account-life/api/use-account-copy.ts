import { useEffect, useRef, useState } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { saveFile } from '../../../shared/lib/save-file.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { nameAccountCopy } from '../model/account-copy.ts';
import { makeAccountCopy } from './make-account-copy.ts';

export type AccountCopyState =
  | { readonly status: 'idle' | 'done' | 'canceled' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'working'; readonly percent: number };

interface AccountCopy {
  readonly state: AccountCopyState;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** Makes the copy of everything and saves it; leaving the page ends it. */
export function useAccountCopy(): AccountCopy {
  const { auth } = useBackend();
  const database = useDatabase();
  const userId = useUserId();
  const [state, setState] = useState<AccountCopyState>({ status: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ status: 'working', percent: 0 });
    const now = new Date();
    const onProgress = (percent: number) => setState({ status: 'working', percent });
    try {
      const copy = await makeAccountCopy({
        auth,
        database,
        userId,
        storage: localStorage,
        now,
        signal,
        onProgress,
      });
      signal.throwIfAborted();
      saveFile(copy, nameAccountCopy(now));
      setState({ status: 'done' });
    } catch (error) {
      log.warn('the copy of the account could not be made', error);
      setState(signal.aborted ? { status: 'canceled' } : { status: 'failed', error });
    } finally {
      running.current = null;
    }
  };
  return { state, start: () => void start(), cancel: () => running.current?.abort() };
}
