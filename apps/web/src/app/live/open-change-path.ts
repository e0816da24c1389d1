import { recountLinks } from '../../features/categories/api/recount-links.ts';
import { log } from '../../shared/lib/log.ts';
import { ownWritesOf } from '../../shared/lib/own-writes.ts';
import { batchInFrames } from '../../shared/lib/realtime/batch-in-frames.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { applyChanges } from './apply-changes.ts';
import { askAgainSoon } from './ask-again-soon.ts';
import { holdUnderWay } from './hold-under-way.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { replayOverReads } from './replay-over-reads.ts';

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
