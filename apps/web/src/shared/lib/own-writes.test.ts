import { beforeEach, expect, test, vi } from 'vitest';
import { createOwnWrites, type OwnWrites } from './own-writes.ts';

let now = 0;
let own: OwnWrites;
beforeEach(() => {
  now = 0;
  own = createOwnWrites(() => now);
});
const write = (kind: 'add' | 'change' | 'drop', ...ids: string[]) => own.begin({ table: 'links', kind, ids });

test('a write is under way until it settles, for its own rows alone', () => {
  const first = write('change', 'a');
  const second = write('change', 'a');
  first.settle();
  first.settle();
  expect(own.isUnderWay('links', 'a')).toBe(true);
  second.settle();
  expect(own.isUnderWay('links', 'a')).toBe(false);
  expect(own.isUnderWay('links', 'b')).toBe(false);
  expect(own.isUnderWay('folders', 'a')).toBe(false);
});

test('each write is recognised once when it comes back', () => {
  write('change', 'a').settle();
  write('change', 'a').settle();
  expect([1, 2, 3].map(() => own.takeEcho('links', 'change', 'a'))).toEqual([true, true, false]);
  expect(own.takeEcho('links', 'add', 'a')).toBe(false);
});

test('a refused write leaves no trace', () => {
  const refused = write('drop', 'a');
  refused.undo();
  refused.settle();
  expect(own.isDropped('links', 'a')).toBe(false);
  expect(own.takeEcho('links', 'drop', 'a')).toBe(false);
  const kept = write('change', 'b');
  const other = write('change', 'b');
  other.undo();
  other.settle();
  expect(own.isUnderWay('links', 'b')).toBe(true);
  kept.settle();
  expect(own.takeEcho('links', 'change', 'b')).toBe(true);
  expect(own.takeEcho('links', 'change', 'b')).toBe(false);
});

test('what was dropped and brought back is no longer dropped', () => {
  write('drop', 'a').settle();
  expect(own.isDropped('links', 'a')).toBe(true);
  write('add', 'a').settle();
  expect(own.isDropped('links', 'a')).toBe(false);
  expect(own.isAdded('links', 'a')).toBe(true);
});

test('after a gap no echo is waited for', () => {
  write('change', 'a').settle();
  own.forgetEchoes();
  expect(own.takeEcho('links', 'change', 'a')).toBe(false);
});

test('listeners hear how a write ended, and old notes are forgotten', () => {
  const heard = vi.fn();
  own.onSettled(heard);
  write('drop', 'a').settle();
  const refused = write('add', 'b');
  refused.undo();
  refused.settle();
  expect(heard.mock.calls.map(([{ ids }, stored]) => [ids, stored])).toEqual([
    [['a'], true],
    [['b'], false],
  ]);
  now = 400_000;
  write('add', 'c');
  expect(own.isDropped('links', 'a')).toBe(false);
});
