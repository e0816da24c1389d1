import { expect, test } from 'vitest';
import type { ChangedRow, ChangeOperation, TableChange } from '../../shared/lib/realtime/table-change.ts';
import { countLinkChanges } from './apply-changes.ts';

const change = (
  operation: ChangeOperation,
  id: string,
  row: ChangedRow,
  before: ChangedRow = {},
): TableChange => ({
  table: 'links',
  operation,
  id,
  row,
  before,
  committedAt: '2025-05-11T12:00:00Z',
});
const inA = { category_id: 'a' };
const inB = { category_id: 'b' };
const nowhere = () => undefined;

test('a link that comes, moves and goes is counted where it is', () => {
  const { gains, unsure } = countLinkChanges(
    [change('INSERT', '1', inA), change('UPDATE', '1', inB, inA), change('DELETE', '2', {}, inA)],
    nowhere,
  );
  expect(Object.fromEntries(gains)).toEqual({ a: -1, b: 1 });
  expect(unsure).toBe(false);
});

test('where the change does not tell, the lists and the changes before it do', () => {
  const { gains, unsure } = countLinkChanges(
    [change('UPDATE', '1', inB), change('DELETE', '1', {}), change('UPDATE', '2', inA)],
    () => 'a',
  );
  expect(Object.fromEntries(gains)).toEqual({ a: -1, b: 0 });
  expect(unsure).toBe(false);
});

test('a link that leaves nobody knows where is counted nowhere, and said to be unsure', () => {
  const { gains, unsure } = countLinkChanges([change('DELETE', '1', {})], nowhere);
  expect(gains.size).toBe(0);
  expect(unsure).toBe(true);
});
