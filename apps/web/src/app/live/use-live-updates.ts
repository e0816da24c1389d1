import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useState } from 'react';
import { whenIdle } from '../../shared/lib/browser/when-idle.ts';
import { log } from '../../shared/lib/log.ts';
import { type OpenRealtime, RealtimeContext } from '../../shared/lib/realtime/realtime-context.tsx';
import { reconnectDelay } from '../../shared/lib/realtime/reconnect-delay.ts';
import { usePerson, useUserId } from '../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { useOpenCategoryId } from '../organiser/use-open-category.ts';
import type { LiveUpdates } from './begin-live-updates.ts';
import { useLiveStore } from './live-context.tsx';

const loadUpdates = () => import('./begin-live-updates.ts');

/** Follows the change feed as long as somebody is inside. Its code comes after the first paint. */
export function useLiveUpdates(): void {
  const open = use(RealtimeContext);
  const queryClient = useQueryClient();
  const { auth } = useBackend();
  const store = useLiveStore();
  const userId = useUserId();
  const email = (usePerson()?.email ?? '').toLowerCase();
  const openCategoryId = useOpenCategoryId();
  const [updates, setUpdates] = useState<LiveUpdates | null>(null);

  useEffect(() => {
    if (open === null) return undefined;
    const scope = { queryClient, userId, email };
    let running: LiveUpdates | null = null;
    const cancel = whenIdle(() => void start());
    let over = false;
    const start = async () => {
      const parts = await loadPatiently(open, () => over);
      if (parts === null) return;
      running = parts.beginLiveUpdates({ scope, store, auth, source: parts.source });
      setUpdates(running);
    };
    return () => {
      over = true;
      cancel();
      running?.stop();
      setUpdates(null);
    };
  }, [open, queryClient, auth, store, userId, email]);

  useEffect(() => updates?.setOpenCategory(openCategoryId), [updates, openCategoryId]);
}

/** Tries again while the code does not arrive: without network, or while a new version is being put in place. */
async function loadPatiently(open: OpenRealtime, isOver: () => boolean) {
  for (let tries = 1; ; tries += 1) {
    if (isOver()) return null;
    try {
      const { beginLiveUpdates } = await loadUpdates();
      const source = await open();
      if (!isOver()) return { beginLiveUpdates, source };
      source.stop();
      return null;
    } catch (reason) {
      log.warn('the change feed could not be opened', reason);
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(tries)));
    }
  }
}
