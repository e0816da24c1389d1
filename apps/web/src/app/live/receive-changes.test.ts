import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangeOperation } from '../../shared/lib/realtime/table-change.ts';
import { pendingWritesOf } from '../../shared/lib/writes/pending-writes.ts';
import { createInvalidationBus } from './invalidation-bus.ts';
import { createLiveStore } from './live-store.ts';
import { receiveChanges } from './receive-changes.ts';

const AT = '2025-05-11T12:00:01+00:00';

let queryClient: QueryClient;
let store: ReturnType<typeof createLiveStore>;
let changes: ReturnType<typeof receiveChanges>;
let stop: () => void;
const count = vi.fn(async (): Promise<number> => 1);

beforeEach(() => {
  vi.useFakeTimers();
  queryClient = new QueryClient();
  queryClient.setQueryData(['categories', 'ana'], [{ id: 'd', updated_at: AT }]);
  queryClient.setQueryData(['library-counts', 'ana'], 1);
  const options = { queryKey: ['library-counts', 'ana'], queryFn: count, staleTime: Infinity };
  const leave = new QueryObserver(queryClient, options).subscribe(() => undefined);
  store = createLiveStore();
  const bus = createInvalidationBus(queryClient);
  const scope = { queryClient, userId: 'ana', email: 'ana@exemplo.com' };
  changes = receiveChanges({ scope, store, bus });
  stop = () => {
    leave();
    changes.stop();
    bus.stop();
  };
});
afterEach(() => {
  stop();
  count.mockClear();
  vi.useRealTimers();
});

function tell(table: string, operation: ChangeOperation, row: Record<string, unknown>) {
  const told = { user_id: 'ana', updated_at: AT, ...row };
  changes.receive({
    table,
    operation,
    id: String(row['id']),
    row: operation === 'DELETE' ? {} : told,
    before: operation === 'INSERT' ? {} : told,
    committedAt: AT,
  });
}
const tellLinks = (operation: ChangeOperation) => {
  for (const id of ['l', 'm']) tell('links', operation, { id, category_id: 'c' });
};
const begin = (kind: 'add' | 'drop') =>
  pendingWritesOf(queryClient).begin({ table: 'categories', kind, ids: ['c'] });
const rest = () => vi.advanceTimersByTimeAsync(2_000);
const seen = () => ({ news: store.getView().newsCount, counts: count.mock.calls.length });

test('links that went with a category that was dropped here are no news, and are not counted again', async () => {
  const write = begin('drop');
  tell('categories', 'DELETE', { id: 'c' });
  tellLinks('DELETE');
  await rest();
  write.settle();
  await rest();
  tellLinks('DELETE');
  await rest();
  expect(seen()).toEqual({ news: 0, counts: 0 });
});

test('nor are those that came back with it', async () => {
  begin('drop').settle();
  begin('add').settle();
  tell('categories', 'INSERT', { id: 'c' });
  tellLinks('INSERT');
  await rest();
  expect(seen()).toEqual({ news: 0, counts: 0 });
});

test('when the service refuses to drop it, they are news, which waits for the refusal and is counted once', async () => {
  const write = begin('drop');
  tellLinks('DELETE');
  await rest();
  expect(seen()).toEqual({ news: 0, counts: 0 });
  write.undo();
  write.settle();
  await rest();
  expect(seen()).toEqual({ news: 1, counts: 1 });
  pendingWritesOf(queryClient)
    .begin({ table: 'folders', kind: 'change', ids: ['f'] })
    .settle();
  await rest();
  expect(seen(), 'the next write has nothing left to wait for').toEqual({ news: 1, counts: 1 });
});

test('what comes long after is of somebody else', async () => {
  begin('drop').settle();
  await vi.advanceTimersByTimeAsync(31_000);
  tellLinks('INSERT');
  await rest();
  expect(seen()).toEqual({ news: 1, counts: 1 });
});
