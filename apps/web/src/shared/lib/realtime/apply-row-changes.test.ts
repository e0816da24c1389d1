import { expect, test } from 'vitest';
import { applyRowChanges, type VersionedRow } from './apply-row-changes.ts';
import { readTableChange } from './open-table-channel.ts';
import type { ChangeOperation, TableChange } from './table-change.ts';

interface Row extends VersionedRow {
  readonly name: string;
}

const at = (second: number, micros = '') =>
  `2025-05-11T12:00:${String(second).padStart(2, '0')}${micros}+00:00`;
const row = (id: string, name: string, created = 1, updated = created): Row => ({
  id,
  name,
  created_at: at(created),
  updated_at: at(updated),
});
const change = (operation: ChangeOperation, of: Row): TableChange => ({
  table: 'rows',
  operation,
  id: of.id,
  row: operation === 'DELETE' ? {} : { ...of },
  before: operation === 'INSERT' ? {} : { id: of.id },
  committedAt: at(59),
});
const apply = (rows: readonly Row[], ...changes: readonly TableChange[]) =>
  applyRowChanges(rows, changes, (told, known) => ({ ...known, ...told }) as Row);

const rows = [row('b', 'dois', 2), row('a', 'um', 1)];

test('a new row stands where its date says; a deleted one goes', () => {
  expect(apply(rows, change('INSERT', row('c', 'três', 3))).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  expect(apply(rows, change('INSERT', row('z', 'antes', 0))).map(({ id }) => id)).toEqual(['b', 'a', 'z']);
  expect(apply(rows, change('DELETE', row('b', ''))).map(({ id }) => id)).toEqual(['a']);
});

test('what is known already, what is older, and what nobody has leave the very same list', () => {
  const newer = [row('a', 'novo', 1, 9)];
  expect(apply(newer, change('UPDATE', row('a', 'velho', 1, 5)))).toBe(newer);
  expect(apply(rows, change('INSERT', row('a', 'um', 1)))).toBe(rows);
  expect(apply(rows, change('DELETE', row('x', '')))).toBe(rows);
});

test('microseconds decide between two versions of one millisecond', () => {
  const shown = [{ ...row('a', 'segundo'), updated_at: at(1, '.000002') }];
  const older = { ...row('a', 'primeiro'), updated_at: at(1, '.000001') };
  expect(apply(shown, change('UPDATE', older))).toBe(shown);
});

test('a row shown ahead of the service gives way to the real one, whatever this clock says', () => {
  const ahead = [
    { ...row('a', 'um'), created_at: '2099-01-01T00:00:00.000Z', updated_at: '2099-01-01T00:00:00.000Z' },
  ];
  expect(apply(ahead, change('INSERT', row('a', 'um')))).toEqual([row('a', 'um')]);
});

test('changes apply in their order', () => {
  const gone = change('DELETE', row('a', ''));
  const back = change('INSERT', row('a', 'um'));
  expect(apply(rows, gone, back)).toHaveLength(2);
  expect(apply(rows, back, gone)).toHaveLength(1);
});

test.each([
  null,
  'folders',
  {},
  { table: 'folders', eventType: 'TRUNCATE', new: { id: 'a' } },
  { table: 'folders', eventType: 'INSERT', new: null, old: null },
  { table: 'folders', eventType: 'INSERT', new: { id: 7 } },
])('nonsense from the wire is no change: %j', (payload) => {
  expect(readTableChange(payload)).toBeNull();
});
