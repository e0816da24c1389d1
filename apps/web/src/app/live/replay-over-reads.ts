import type { TableChange } from '../../shared/lib/realtime/table-change.ts';
import { applyToLists } from './apply-to-lists.ts';
import type { LiveScope } from './live-scope.ts';
import { sortChanges } from './sort-changes.ts';

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
export function replayOverReads(scope: LiveScope) {
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
