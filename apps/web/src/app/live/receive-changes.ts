import { applyLinkChanges } from '../../features/links/model/apply-link-changes.ts';
import { linkListKey } from '../../features/links/model/link-rows.ts';
import { batchInFrames } from '../../shared/lib/realtime/batch-in-frames.ts';
import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import { type PendingWrites, pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';
import { classifyChanges, type ReceivedChange } from './classify-change.ts';
import type { InvalidationBus } from './invalidation-bus.ts';
import type { LiveScope } from './live-scope.ts';
import type { LiveStore } from './live-store.ts';
import { mayBe } from './outdated-reads.ts';

interface ReceiveOptions {
  readonly scope: LiveScope;
  readonly store: LiveStore;
  readonly bus: InvalidationBus;
}

/**
 * The way of a change that the feed tells: gathered by frame, deferred while this tab writes, classified, and handed to the
 * bus. Lists of links alone are patched: they may have thousands of rows, and are not read again for one.
 */
export function receiveChanges({ scope, store, bus }: ReceiveOptions) {
  const { queryClient } = scope;
  const deferred = deferWhilePending<ReceivedChange>(pendingWritesOf(queryClient), (received) => {
    const classified = classifyChanges(scope, received);
    const current = classified.filter(({ isCurrent }) => isCurrent).map(({ change }) => change);
    applyLinkChanges(
      queryClient,
      current.filter(({ table }) => table === 'links'),
    );
    forgetLinksOfGone(scope, current);
    bus.add(classified.flatMap(({ outdated }) => outdated));
    if (classified.some(({ isNews }) => isNews)) store.publish.news();
  });
  const batch = batchInFrames(deferred.add);
  return {
    receive: (change: TableChange) => {
      store.publish.change(change);
      batch.add({ change, receivedAt: Date.now() });
    },
    stop: () => {
      batch.stop();
      deferred.stop();
    },
  };
}

/** What nobody may open any more need not be kept; a page that shows it leaves by itself. */
function forgetLinksOfGone({ queryClient, email }: LiveScope, changes: readonly TableChange[]): void {
  for (const change of changes) {
    if (change.operation !== 'DELETE') continue;
    if (change.table !== 'categories' && !mayBe(change, 'received', email)) continue;
    queryClient.removeQueries({ queryKey: linkListKey(change.id), type: 'inactive' });
  }
}

/**
 * Keeps what arrives while this tab writes, in order, until the service has answered: what is shown ahead of it would flicker,
 * and a refusal would put an old value over a new one.
 */
function deferWhilePending<Item>(writes: PendingWrites, goOn: (items: readonly Item[]) => void) {
  let deferred: readonly Item[] = [];
  const flush = () => {
    if (deferred.length === 0 || !writes.isIdle()) return;
    const items = deferred;
    deferred = [];
    goOn(items);
  };
  const stopListening = writes.onSettled(flush);
  return {
    add: (items: readonly Item[]) => {
      deferred = [...deferred, ...items];
      flush();
    },
    stop: () => {
      deferred = [];
      stopListening();
    },
  };
}
