import { expect, test } from 'vitest';
import { readTableChange } from './open-table-channel.ts';
import { supersedes, type VersionedRow } from './row-versions.ts';

interface Row extends VersionedRow {
  readonly name: string;
}

const at = (second: number, micros = '') =>
  `2025-05-11T12:00:${String(second).padStart(2, '0')}${micros}+00:00`;
const row = (name: string, updated = at(1)): Row => ({
  id: 'a',
  name,
  created_at: at(1),
  updated_at: updated,
});

test('what is shown already and what is older changes nothing', () => {
  expect(supersedes(row('novo', at(9)), row('um'))).toBe(true);
  expect(supersedes(row('velho', at(5)), row('novo', at(9)))).toBe(false);
  expect(supersedes(row('um'), row('um'))).toBe(false);
});

test('microseconds decide between two versions of one millisecond', () => {
  const older = row('primeiro', at(1, '.000001'));
  const newer = row('segundo', at(1, '.000002'));
  expect(supersedes(older, newer)).toBe(false);
  expect(supersedes(newer, older)).toBe(true);
});

test('a row shown ahead of the service gives way to the real one, whatever this clock says', () => {
  const ahead = { ...row('um', '2099-01-01T00:00:00.000Z'), created_at: '2099-01-01T00:00:00.000Z' };
  expect(supersedes(row('um'), ahead)).toBe(true);
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
