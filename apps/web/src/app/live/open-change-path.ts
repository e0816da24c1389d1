import type { QueryClient } from '@tanstack/react-query';
import { recountLinks } from '../../features/categories/api/recount-links.ts';
import { log } from '../../shared/lib/log.ts';
import { type OwnWrites, ownWritesOf } from '../../shared/lib/own-writes.ts';
import { batchInFrames } from '../../shared/lib/realtime/batch-in-frames.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { applyChanges, type Outcome } from './apply-changes.ts';
import { applyToLists } from './apply-to-lists.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { sortChanges } from './sort-changes.ts';

/** What is told in this time may have passed an answer on its way. Milliseconds. */
const QUIET_MS = 2_000;
/** What follows from rows of any table, besides its own list. */
const FOLLOWING = ['library-counts', 'recent-links', 'categories'] as const;

interface ChangePathOptions {
  readonly scope: LiveScope;
  readonly database: DatabaseClient;
  readonly store: LiveStore;
}

/** The way of a change, wherever it was heard: gathered, held back while it must wait, shown, confirmed. */
export function openChangePath({ scope, database, store }: ChangePathOptions) {
  const { queryClient, userId } = scope;
  const questions = askAgainSoon({
    queryClient,
    recount: (ids) =>
      recountLinks({ database, queryClient }, userId, ids).catch((reason: unknown) =>
        log.warn('the links could not be counted anew', reason),
      ),
  });
  const replay = replayOverReads(scope);
  const held = holdUnderWay(ownWritesOf(queryClient), (changes) => {
    const outcome = applyChanges(scope, changes);
    replay.note(changes);
    questions.note(outcome);
    if (outcome.news.length > 0) store.publish.news();
  });
  const batch = batchInFrames(held.add);
  let heardAt = Number.NEGATIVE_INFINITY;
  return {
    hear: (change: TableChange) => {
      heardAt = performance.now();
      store.publish.change(change);
      batch.add(change);
    },
    /** Rows of this table have changed, it is not known which. */
    hearOfTable: (table: string) =>
      questions.note({ recount: new Set(), askAgain: new Set([table, ...FOLLOWING]) }),
    isQuiet: () => performance.now() - heardAt > QUIET_MS,
    stop: () => {
      for (const part of [batch, held, questions, replay]) part.stop();
    },
  };
}

/**
 * Holds back what is heard of rows that this tab is just writing: what is shown ahead of the service would flicker, and
 * a refusal would put an old value over a new one. It goes on, in order, when the write has settled.
 */
function holdUnderWay(own: OwnWrites, goOn: (changes: readonly TableChange[]) => void) {
  let held: readonly TableChange[] = [];
  const sift = (changes: readonly TableChange[]) => {
    if (changes.length === 0) return;
    const isHeld = ({ table, id }: TableChange) => own.isUnderWay(table, id);
    held = changes.filter(isHeld);
    const ready = held.length === 0 ? changes : changes.filter((change) => !isHeld(change));
    if (ready.length > 0) goOn(ready);
  };
  const unsubscribe = own.onSettled(() => {
    if (held.length > 0) sift(held);
  });
  return {
    add: (changes: readonly TableChange[]) => sift([...held, ...changes]),
    stop: () => {
      held = [];
      unsubscribe();
    },
  };
}

const NO_GAINS: ReadonlyMap<string, number> = new Map();
/** First words of the keys of the lists that changes are put into. */
const LISTS: ReadonlySet<unknown> = new Set([
  'folders',
  'categories',
  'links',
  'received-shares',
  'recent-links',
]);

/**
 * An answer that was under way when a change was heard may not have it: the change is put into it once more.
 * @returns `note`, to be called with changes when they have been applied.
 */
function replayOverReads(scope: LiveScope) {
  const cache = scope.queryClient.getQueryCache();
  const late = new Map<string, TableChange[]>();
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated' || !['success', 'error'].includes(event.action.type)) return;
    if (event.action.type === 'success' && event.action.manual) return;
    const changes = late.get(event.query.queryHash);
    late.delete(event.query.queryHash);
    if (changes && event.action.type === 'success')
      applyToLists(scope, sortChanges(scope, changes), NO_GAINS);
  });
  return {
    note: (changes: readonly TableChange[]) => {
      for (const query of cache.findAll({ fetchStatus: 'fetching' })) {
        if (!LISTS.has(query.queryKey[0])) continue;
        late.set(query.queryHash, [...(late.get(query.queryHash) ?? []), ...changes]);
      }
    },
    stop: unsubscribe,
  };
}

interface AskAgainOptions {
  readonly queryClient: QueryClient;
  /** Reads the true number of links of these categories and shows it. */
  readonly recount: (categoryIds: readonly string[]) => Promise<void>;
}

/** Asked when changes have rested for so long, and however they go on after the longest. Milliseconds. */
const REST_MS = 400;
const LONGEST_MS = 3_000;
/** What a person waits for: nothing else shows it. */
const AT_ONCE: ReadonlySet<string> = new Set(['subscription', 'received-shares']);

/** Has the service confirm and complete what changes left open: once for a burst, and only what is on the screen. */
function askAgainSoon({ queryClient, recount }: AskAgainOptions) {
  const names = new Set<string>();
  const categories = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;

  const ask = (name: string) => {
    // Out of sight: asked when somebody looks.
    void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'active' });
  };
  const run = () => {
    // An answer from the middle of a write would take back what is shown ahead.
    if (queryClient.isMutating() > 0) return wait();
    since = 0;
    for (const name of names) ask(name);
    if (categories.size > 0) void recount([...categories]);
    names.clear();
    categories.clear();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(run, REST_MS);
  };
  return {
    note: (outcome: Pick<Outcome, 'recount' | 'askAgain'>) => {
      for (const name of outcome.askAgain) {
        if (AT_ONCE.has(name)) ask(name);
        else names.add(name);
      }
      for (const id of outcome.recount) categories.add(id);
      if (names.size === 0 && categories.size === 0) return;
      if (since === 0) since = Date.now();
      if (Date.now() - since < LONGEST_MS) wait();
    },
    stop: () => clearTimeout(timer),
  };
}
