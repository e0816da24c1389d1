import { recountLinks } from '../../features/categories/api/recount-links.ts';
import { log } from '../../shared/lib/log.ts';
import { ownWritesOf } from '../../shared/lib/own-writes.ts';
import { batchInFrames } from '../../shared/lib/realtime/batch-in-frames.ts';
import type { RealtimeSource } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { applyChanges } from './apply-changes.ts';
import { askAgainSoon } from './ask-again-soon.ts';
import { catchUp } from './catch-up.ts';
import { followReceived } from './follow-received.ts';
import { followTabs } from './follow-tabs.ts';
import { holdUnderWay } from './hold-under-way.ts';
import { keepSubscriptions } from './keep-subscriptions.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { replayOverReads } from './replay-over-reads.ts';

interface LiveUpdatesOptions {
  readonly scope: LiveScope;
  readonly database: DatabaseClient;
  readonly source: RealtimeSource;
  readonly store: LiveStore;
}

/** The change feed while it runs. */
export interface LiveUpdates {
  /** Which category is on the screen; null for none. */
  readonly setOpenCategory: (id: string | null) => void;
  readonly stop: () => void;
}

/** Keeps every screen of a person true: what changes elsewhere arrives in the cache by itself. */
export function beginLiveUpdates({ scope, database, source, store }: LiveUpdatesOptions): LiveUpdates {
  const { queryClient, userId } = scope;
  const own = ownWritesOf(queryClient);
  const questions = askAgainSoon({
    queryClient,
    recount: (ids) =>
      recountLinks({ database, queryClient }, userId, ids).catch((reason: unknown) =>
        log.warn('the links could not be counted anew', reason),
      ),
  });
  const replay = replayOverReads(scope);
  const refresh = catchUp({ queryClient, random: Math.random });

  const show = (changes: readonly TableChange[]) => {
    const outcome = applyChanges(scope, changes);
    replay.note(changes);
    questions.note(outcome);
    if (outcome.news.length > 0) store.publish.news();
  };
  const held = holdUnderWay(own, show);
  const batch = batchInFrames(held.add);
  const hear = (change: TableChange) => {
    store.publish.change(change);
    batch.add(change);
  };

  const tabs = followTabs({
    scope,
    database,
    isHeard: (table) => source.isLive(table),
    onChange: hear,
    onTable: (table) => questions.note({ recount: new Set(), askAgain: new Set([table, ...FOLLOWING]) }),
    onError: (reason) => log.warn('what another tab wrote could not be read', reason),
  });

  let heardBefore = false;
  const publishView = () =>
    store.publish.view({ state: source.getState(), subscriptions: subscriptions.list() });
  const subscriptions = keepSubscriptions(
    source,
    {
      onChange: (change) => {
        tabs.noteHeard(change);
        hear(change);
      },
      onLive: () => {
        // Echoes of what was written while nobody listened will not come.
        own.forgetEchoes();
        refresh.run(heardBefore);
      },
    },
    () => publishView(),
  );
  const stopWatching = source.onStateChange(() => {
    if (source.getState() === 'live') heardBefore = true;
    publishView();
  });
  for (const subscription of listSubscriptions(scope)) subscriptions.want(subscription);
  const received = followReceived(scope, subscriptions);
  store.publish.control(subscriptions);

  return {
    setOpenCategory: received.setOpen,
    stop: () => {
      for (const part of [received, tabs, batch, held, questions, replay, refresh]) part.stop();
      stopWatching();
      source.stop();
      store.publish.control(null);
      store.publish.view({ state: 'stopped', subscriptions: [] });
    },
  };
}

/** What follows from rows of any table, besides its own list. */
const FOLLOWING = ['library-counts', 'recent-links', 'categories'] as const;
