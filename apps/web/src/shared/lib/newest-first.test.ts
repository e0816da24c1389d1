import { expect, test } from 'vitest';
import { insertNewestFirst, patchRow, removeRow } from './newest-first.ts';

const row = (id: string, created_at: string) => ({ id, created_at });
const a = row('a', '2025-05-11T12:00:00.000002+00:00');
const b = row('b', '2025-05-11T12:00:00.000001+00:00');
const c = row('c', '2025-05-10T12:00:00+00:00');

test('a row goes where its date says, microseconds included', () => {
  expect(insertNewestFirst([a, c], b)).toEqual([a, b, c]);
  expect(insertNewestFirst([b, c], a)).toEqual([a, b, c]);
  expect(insertNewestFirst([], a)).toEqual([a]);
  expect(insertNewestFirst([a, b], c)).toEqual([a, b, c]);
});

test('of one instant the higher id comes first, as the server orders', () => {
  const twins = [row('1', a.created_at), row('2', a.created_at)];
  expect(insertNewestFirst([row('1', a.created_at)], row('2', a.created_at))).toEqual(twins.toReversed());
});

test('a row that is already there is replaced, not doubled', () => {
  expect(insertNewestFirst([a, b], { ...b })).toEqual([a, b]);
});

test('changing or removing a row that is not there keeps the very same list', () => {
  const rows = [a, b];
  expect(patchRow(rows, 'x', { created_at: '' })).toBe(rows);
  expect(removeRow(rows, 'x')).toBe(rows);
});
