import type { GoTrueClient } from '@supabase/auth-js';
import type { RealtimeSource, TableSubscription } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import { followReceived } from './follow-received.ts';
import { followTabs } from './follow-tabs.ts';
import { createInvalidationBus, type InvalidationBus } from './invalidation-bus.ts';
import { keepSubscriptions } from './keep-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { outdatedByTable } from './outdated-reads.ts';
import { receiveChanges } from './receive-changes.ts';
import { refetchAfterGap } from './refetch-after-gap.ts';
import { watchOwnSession } from './watch-own-session.ts';

interface LiveUpdatesOptions {
  readonly scope: LiveScope;
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

/** Keeps every screen of a person true: what changes elsewhere makes cached reads outdated, and those are made again. */
export function beginLiveUpdates(options: LiveUpdatesOptions): LiveUpdates {
  const { scope, source, store } = options;
  const { queryClient } = scope;
  const bus = createInvalidationBus(queryClient);
  const changes = receiveChanges({ scope, store, bus });
  const stopTabs = followTabs({
    queryClient,
    isLive: source.isLive,
    onTable: (table) => {
      bus.add(outdatedByTable(table));
      store.publish.news();
    },
  });
  const feed = subscribeToChanges(options, bus, changes.receive);
  const stopWatching = watchOwnSession(options);
  const stopRequests = listenToRequests(options);
  return {
    setOpenCategory: feed.setOpenCategory,
    stop: () => {
      stopWatching();
      stopRequests();
      stopTabs();
      for (const part of [feed, changes, bus]) part.stop();
    },
  };
}

/** Milliseconds from being told to asking. The log may tell of a commit a moment before others see it, on a busy machine a longer one. */
const LOOK_AFTER_MS = [250, 2_000];

/**
 * Who asks to see one's categories, and who no longer does: it is told without content, and asked for. Not by the bus: nothing of it is
 * shown ahead of the service, and what waits there should not wait for it.
 */
function listenToRequests({ scope: { queryClient, userId }, source }: LiveUpdatesOptions): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const look = () => void queryClient.invalidateQueries({ queryKey: ['access-requests'] });
  const lookSoon = () => {
    for (const delay of LOOK_AFTER_MS) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        look();
      }, delay);
      timers.add(timer);
    }
  };
  const stop = source.listen(`requests:${userId}`, 'changed', { onEvent: lookSoon, onLive: look });
  return () => {
    stop();
    for (const timer of timers) clearTimeout(timer);
  };
}

/** Subscribes to all that concerns the person, tells the screens how it goes, and has them refetched after each gap. */
function subscribeToChanges(
  { scope, source, store }: LiveUpdatesOptions,
  bus: InvalidationBus,
  onChange: (change: TableChange) => void,
) {
  const gap = refetchAfterGap({ queryClient: scope.queryClient, bus, random: Math.random });
  let wasLive = false;
  const publishView = () => {
    const list = subscriptions.list();
    // What is listened to beside them cannot be cancelled, and is not shown.
    const state = list.every(({ status }) => status === 'cancelled') ? 'stopped' : source.getState();
    store.publish.view({ state, subscriptions: list });
  };
  const subscriptions = keepSubscriptions(source, {
    onChange,
    onLive: () => gap.end(wasLive),
    onListChange: () => publishView(),
  });
  const stopWatching = source.onStateChange(() => {
    if (source.getState() === 'live') wasLive = true;
    publishView();
  });
  for (const subscription of listSubscriptions(scope)) subscriptions.want(subscription);
  const received = followReceived({ scope, source, subscriptions, bus });
  store.publish.control({ ...subscriptions, meet: source.meet });
  return {
    setOpenCategory: received.setOpen,
    stop: () => {
      received.stop();
      gap.stop();
      stopWatching();
      source.stop();
      store.publish.control(null);
      store.publish.view({ state: 'stopped', subscriptions: [] });
    },
  };
}

/** What every signed-in person is told of: one's own rows, and what is shared with one's address. */
export function listSubscriptions({ userId, email }: LiveScope): readonly TableSubscription[] {
  const own = [
    'folders',
    'categories',
    'links',
    'favorites',
    'folder_looks',
    'manual_order',
    'saved_searches',
    'subscribers',
    'tags',
  ].map(
    (table): TableSubscription => ({
      name: table,
      table,
      event: '*',
      filter: `user_id=eq.${userId}`,
    }),
  );
  own.push({
    name: 'own_folder_members',
    table: 'folder_members',
    event: '*',
    filter: `owner_id=eq.${userId}`,
  });
  if (email === '') return own;
  return [
    ...own,
    ...['shared_with', 'folder_members'].map(
      (table): TableSubscription => ({ name: table, table, event: '*', filter: `email=eq.${email}` }),
    ),
  ];
}
