import type { GoTrueClient } from '@supabase/auth-js';
import { log } from '../../shared/lib/log.ts';
import { ownWritesOf } from '../../shared/lib/own-writes.ts';
import type { RealtimeSource } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { catchUp } from './catch-up.ts';
import { followReceived } from './follow-received.ts';
import { followTabs } from './follow-tabs.ts';
import { keepSubscriptions } from './keep-subscriptions.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { noticeDrift } from './notice-drift.ts';
import { openChangePath } from './open-change-path.ts';
import { watchOwnSession } from './watch-own-session.ts';

interface LiveUpdatesOptions {
  readonly scope: LiveScope;
  readonly database: DatabaseClient;
  readonly source: RealtimeSource;
  readonly auth: GoTrueClient;
  readonly store: LiveStore;
}

/** The change feed while it runs. */
export interface LiveUpdates {
  /** Which category is on the screen; null for none. */
  readonly setOpenCategory: (id: string | null) => void;
  readonly stop: () => void;
}

/** Keeps every screen of a person true: what changes elsewhere arrives in the cache by itself. */
export function beginLiveUpdates(options: LiveUpdatesOptions): LiveUpdates {
  const { scope, database, source } = options;
  const path = openChangePath(options);
  const tabs = followTabs({
    scope,
    database,
    isHeard: (table) => source.isLive(table),
    onChange: path.hear,
    onTable: path.hearOfTable,
    onError: (reason) => log.warn('what another tab wrote could not be read', reason),
  });
  const feed = listen(options, (change) => {
    tabs.noteHeard(change);
    path.hear(change);
  });
  const stopComparing = noticeDrift(scope, path.isQuiet);
  const stopWatching = watchOwnSession(options);
  return {
    setOpenCategory: feed.setOpenCategory,
    stop: () => {
      stopComparing();
      stopWatching();
      for (const part of [feed, tabs, path]) part.stop();
    },
  };
}

/** Subscribes to all that concerns the person, tells the screens how it goes, and catches up after each gap. */
function listen({ scope, source, store }: LiveUpdatesOptions, onChange: (change: TableChange) => void) {
  const refresh = catchUp({ queryClient: scope.queryClient, random: Math.random });
  let heardBefore = false;
  const onLive = () => {
    // Echoes of what was written while nobody listened will not come.
    ownWritesOf(scope.queryClient).forgetEchoes();
    refresh.run(heardBefore);
  };
  const publishView = () =>
    store.publish.view({ state: source.getState(), subscriptions: subscriptions.list() });
  const subscriptions = keepSubscriptions(source, {
    onChange,
    onLive,
    onListChange: () => publishView(),
  });
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
      received.stop();
      refresh.stop();
      stopWatching();
      source.stop();
      store.publish.control(null);
      store.publish.view({ state: 'stopped', subscriptions: [] });
    },
  };
}
