import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { beginOptimisticWrite, joinOptimisticWrites } from './optimistic-write.ts';
import { pendingWritesOf } from './pending-writes.ts';

let queryClient: QueryClient;
beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
});
const nothing = () => () => undefined;
const isInvalidated = (key: string) => queryClient.getQueryState([key])?.isInvalidated;

test('several writes are undone in reverse order, and all settle', () => {
  const log: string[] = [];
  const write = (name: string) => ({
    undo: () => log.push(`undo ${name}`),
    settle: () => log.push(`settle ${name}`),
  });
  const joined = joinOptimisticWrites(write('a'), write('b'));
  joined.undo();
  joined.settle();
  expect(log).toEqual(['undo b', 'undo a', 'settle a', 'settle b']);
});

test('a refused write takes its change back and leaves no trace of its own', async () => {
  let shown = 'before';
  const change = () => {
    shown = 'after';
    return () => {
      shown = 'before';
    };
  };
  const write = await beginOptimisticWrite(queryClient, [], change, {
    table: 'rows',
    kind: 'change',
    ids: ['1'],
  });
  expect([shown, pendingWritesOf(queryClient).isIdle()]).toEqual(['after', false]);
  write.undo();
  write.settle();
  expect([shown, pendingWritesOf(queryClient).isIdle()]).toEqual(['before', true]);
  expect(pendingWritesOf(queryClient).findRecent('rows', '1', Date.now())).toBeUndefined();
});

test('only reads that were under way are asked again', async () => {
  queryClient.setQueryData(['read'], 'kept');
  const write = await beginOptimisticWrite(queryClient, [['read']], nothing);
  write.settle();
  expect([queryClient.getQueryData(['read']), isInvalidated('read')]).toEqual(['kept', false]);
});

test('a read that has nothing to show yet goes on, and is asked again', async () => {
  let answer: (text: string) => void = () => undefined;
  const queryFn = () => new Promise<string>((resolve) => (answer = resolve));
  const reading = queryClient.fetchQuery({ queryKey: ['read'], queryFn });
  const write = await beginOptimisticWrite(queryClient, [['read']], nothing);
  answer('first');
  expect(await reading).toBe('first');
  write.settle();
  expect(isInvalidated('read')).toBe(true);
});
