import { beforeEach, expect, test, vi } from 'vitest';
import { createPendingWrites, type PendingWrites } from './pending-writes.ts';

let now = 0;
let writes: PendingWrites;
beforeEach(() => {
  now = 0;
  writes = createPendingWrites(() => now);
});
const write = (kind: 'add' | 'change' | 'drop', ...ids: string[]) =>
  writes.begin({ table: 'links', kind, ids });
const recent = (id: string, table = 'links') => writes.findRecent(table, id, now);

test('a write is pending until it settles, once', () => {
  const first = write('change', 'a');
  const second = write('change', 'a');
  first.settle();
  first.settle();
  expect(writes.isIdle()).toBe(false);
  second.settle();
  expect(writes.isIdle()).toBe(true);
});

test('what was written last to a row is known for a while, of its own rows alone', () => {
  write('add', 'a').settle();
  write('drop', 'a').settle();
  expect(recent('a')).toBe('drop');
  expect(recent('b')).toBeUndefined();
  expect(recent('a', 'folders')).toBeUndefined();
  now = 30_000;
  expect(recent('a')).toBe('drop');
  now = 30_001;
  expect(recent('a')).toBeUndefined();
});

test('what is long past is forgotten with the next write, when none is under way', () => {
  write('add', 'a').settle();
  now = 30_000;
  write('change', 'b').settle();
  expect(writes.findRecent('links', 'a', 0)).toBe('add');
  now = 30_001;
  write('change', 'b').settle();
  expect(writes.findRecent('links', 'a', 0)).toBeUndefined();
});

test('an earlier write that ends later says nothing of the row any more', () => {
  const earlier = write('change', 'a');
  write('drop', 'a');
  earlier.undo();
  earlier.settle();
  expect(recent('a')).toBe('drop');
});

test('what counts is when a change arrived, however long it had to wait', () => {
  write('add', 'a').settle();
  const slow = write('change', 'b');
  now = 60_000;
  write('change', 'c').settle();
  expect(writes.findRecent('links', 'a', 10_000)).toBe('add');
  slow.settle();
  expect(recent('b')).toBe('change');
});

test('a refused write leaves no trace', () => {
  const refused = write('drop', 'a');
  expect(recent('a')).toBe('drop');
  refused.undo();
  refused.settle();
  expect(recent('a')).toBeUndefined();
});

test('listeners are told how a write ended', () => {
  const listener = vi.fn();
  const stop = writes.onSettled(listener);
  write('drop', 'a').settle();
  const refused = write('add', 'b');
  refused.undo();
  refused.settle();
  stop();
  write('add', 'c').settle();
  expect(listener.mock.calls.map(([{ ids }, stored]) => [ids, stored])).toEqual([
    [['a'], true],
    [['b'], false],
  ]);
});
