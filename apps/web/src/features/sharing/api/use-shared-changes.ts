import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { whenIdle } from '../../../shared/lib/browser/when-idle.ts';
import { log } from '../../../shared/lib/log.ts';
import { RealtimeContext } from '../../../shared/lib/realtime/realtime-context.tsx';
import type { RealtimeSource } from '../../../shared/lib/realtime/realtime-source.ts';
import { reconnectDelay } from '../../../shared/lib/realtime/reconnect-delay.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { sharedLinksKey } from './list-shared-links.ts';
import { sharedCategoryKey } from './read-shared-category.ts';

/** A change reaches every open page at once: asking is spread over this time, which revocation can spare. */
const SPREAD_MS = 250;

/** The least time between two looks at the links for each page of them that is loaded. */
const PAUSE_PER_PAGE_MS = 300;

/**
 * Asks for a shared category again as soon as something of it changes: by the event on its topic, which carries nothing,
 * and for somebody who was invited by their own rows of `shared_with`. The client's code comes after the first paint.
 */
export function useSharedChanges(categoryId: string): void {
  const open = use(RealtimeContext);
  const queryClient = useQueryClient();
  const email = usePerson()?.email.toLowerCase() ?? '';

  useEffect(() => {
    if (open === null) return undefined;
    let over = false;
    let source: RealtimeSource | null = null;
    const look = lookAgain(queryClient, categoryId);
    const start = async (tries = 1): Promise<void> => {
      try {
        const opened = await open();
        if (over) return opened.stop();
        source = opened;
        listen(opened, categoryId, email, look.soon);
      } catch (reason) {
        log.warn('changes of the shared category are not heard', reason);
        await new Promise((resolve) => setTimeout(resolve, reconnectDelay(tries)));
        if (!over) return start(tries + 1);
      }
    };
    const cancel = whenIdle(() => void start());
    return () => {
      over = true;
      cancel();
      look.stop();
      source?.stop();
    };
  }, [open, queryClient, categoryId, email]);
}

function listen(source: RealtimeSource, categoryId: string, email: string, onChange: () => void) {
  source.listen(`shared:${categoryId}`, 'changed', { onEvent: onChange, onLive: onChange });
  if (email === '') return;
  source.subscribe(
    { name: 'shared_with', table: 'shared_with', event: '*', filter: `email=eq.${email}` },
    { onChange, onLive: onChange },
  );
}

/**
 * Two things to ask: how one stands to the category, at once; and its links, of which somebody may have scrolled through
 * hundreds of pages, at a pace that fits them.
 */
function lookAgain(queryClient: QueryClient, categoryId: string) {
  let accessTimer: ReturnType<typeof setTimeout> | undefined;
  let linksTimer: ReturnType<typeof setTimeout> | undefined;
  let linksAskedAt = 0;
  const linksKey = sharedLinksKey(categoryId);

  const askLinks = () => {
    linksTimer = undefined;
    linksAskedAt = Date.now();
    void queryClient.invalidateQueries({ queryKey: linksKey });
  };
  return {
    soon: () => {
      accessTimer ??= setTimeout(() => {
        accessTimer = undefined;
        void queryClient.invalidateQueries({ queryKey: sharedCategoryKey(categoryId) });
        const pages = queryClient.getQueryData<{ readonly pages: readonly unknown[] }>(linksKey)?.pages
          .length;
        const longest = (pages ?? 1) * PAUSE_PER_PAGE_MS;
        // A clock that was set back makes nobody wait longer.
        const pause = Math.min(longest, linksAskedAt + longest - Date.now());
        linksTimer ??= setTimeout(askLinks, Math.max(0, pause));
      }, Math.random() * SPREAD_MS);
    },
    stop: () => {
      clearTimeout(accessTimer);
      clearTimeout(linksTimer);
    },
  };
}
