import type { Folder } from '@linkoteca/domain/entities';
import type { GoTrueClient } from '@supabase/auth-js';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { LibraryCounts } from '../../features/account/api/use-library-counts.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { folderListKey } from '../../features/folders/model/folder-rows.ts';
import { log } from '../../shared/lib/log.ts';
import { ownWritesOf } from '../../shared/lib/own-writes.ts';
import type { RealtimeSource, TableSubscription } from '../../shared/lib/realtime/realtime-source.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { followReceived } from './follow-received.ts';
import { followTabs } from './follow-tabs.ts';
import { keepSubscriptions } from './keep-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
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

/** What every signed-in person hears of: one's own rows, and what is shared with one's address. */
export function listSubscriptions({ userId, email }: LiveScope): readonly TableSubscription[] {
  const own = ['folders', 'categories', 'links', 'subscribers'].map(
    (table): TableSubscription => ({
      name: table,
      table,
      event: '*',
      filter: `user_id=eq.${userId}`,
    }),
  );
  if (email === '') return own;
  return [...own, { name: 'shared_with', table: 'shared_with', event: '*', filter: `email=eq.${email}` }];
}

/**
 * Compares the lists with the counters whenever those have been read: where they disagree, something came or went that
 * nobody told of, and the list is asked for. So the look at the counters every 15 s stands in for a silent change feed.
 * @param isQuiet false while changes arrive: an answer may be ahead of them.
 * @returns ends it.
 */
export function noticeDrift({ queryClient, userId }: LiveScope, isQuiet: () => boolean): () => void {
  const ask = (name: string) =>
    void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'active' });
  const compare = ({ folders, categories, links }: LibraryCounts) => {
    const folderList = queryClient.getQueryData<readonly Folder[]>(folderListKey(userId));
    const categoryList = queryClient.getQueryData<readonly ListedCategory[]>(categoryListKey(userId));
    if (folderList && folderList.length !== folders) ask('folders');
    const listed = categoryList?.reduce((sum, { link_count: count }) => sum + count, 0);
    if (categoryList && (categoryList.length !== categories || listed !== links)) ask('categories');
    if (listed === undefined || listed === links) return;
    for (const name of ['links', 'recent-links']) ask(name);
  };
  return queryClient.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (query.queryKey[0] !== 'library-counts' || queryClient.isMutating() > 0 || !isQuiet()) return;
    // A list that is just being read may know better than this answer.
    const reading = queryClient.isFetching({
      predicate: ({ queryKey }) => queryKey[0] === 'folders' || queryKey[0] === 'categories',
    });
    if (reading === 0) compare(query.state.data as LibraryCounts);
  });
}

/** First words of the keys of what the change feed keeps true. */
const KEPT_TRUE: ReadonlySet<unknown> = new Set([
  'folders',
  'categories',
  'links',
  'received-shares',
  'recent-links',
  'library-counts',
  'subscription',
  'search',
]);

/** Subscriptions come back together; they are answered together. Milliseconds. */
const TOGETHER_MS = 100;
/** When a server comes back, all its clients do: they ask spread over so long. Milliseconds. */
const SPREAD_MS = 2_000;

interface CatchUpOptions {
  readonly queryClient: QueryClient;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * After a time in which nobody listened, asks once for all that is on the screen and was read before; what is only
 * cached is asked for when somebody looks at it.
 */
export function catchUp({ queryClient, random }: CatchUpOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (liveAt: number) => {
    // An answer from the middle of a write would take back what is shown ahead.
    if (queryClient.isMutating() > 0) {
      timer = setTimeout(refresh, TOGETHER_MS, liveAt);
      return;
    }
    const isOutdated = ({ queryKey, state }: Query) =>
      KEPT_TRUE.has(queryKey[0]) && (state.dataUpdatedAt < liveAt || state.fetchStatus === 'fetching');
    void queryClient.invalidateQueries({ predicate: isOutdated, refetchType: 'active' });
  };
  return {
    /** @param again false for the first time: the person has just come, and nobody else with them. */
    run: (again: boolean) => {
      clearTimeout(timer);
      timer = setTimeout(refresh, TOGETHER_MS + (again ? random() * SPREAD_MS : 0), Date.now());
    },
    stop: () => clearTimeout(timer),
  };
}
