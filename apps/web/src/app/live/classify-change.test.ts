import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import type { ChangeOperation } from '../../shared/lib/realtime/table-change.ts';
import { pendingWritesOf, type RowWrite } from '../../shared/lib/writes/pending-writes.ts';
import { classifyChanges } from './classify-change.ts';

const OLD = '2025-05-11T12:00:00+00:00';
const NEW = '2025-05-11T12:00:01+00:00';

let queryClient: QueryClient;
beforeEach(() => {
  queryClient = new QueryClient();
  queryClient.setQueryData(['folders', 'ana'], [{ id: 'f', updated_at: OLD }]);
  queryClient.setQueryData(['categories', 'ana'], [{ id: 'c', updated_at: OLD }]);
});

/** What a change means that arrives after this tab's own writes. */
function classify(
  table: string,
  operation: ChangeOperation,
  row: Record<string, unknown>,
  ...writes: readonly RowWrite[]
) {
  for (const write of writes) pendingWritesOf(queryClient).begin(write).settle();
  const told = { user_id: 'ana', updated_at: NEW, ...row };
  const change = {
    table,
    operation,
    id: String(row['id']),
    row: operation === 'DELETE' ? {} : told,
    before: operation === 'INSERT' ? {} : told,
    committedAt: NEW,
  };
  const scope = { queryClient, userId: 'ana', email: 'ana@exemplo.com' };
  const [classified] = classifyChanges(scope, [{ change, receivedAt: Date.now() }]);
  const names = classified?.outdated.map(([name]) => name);
  return { isNews: classified?.isNews, isCurrent: classified?.isCurrent, names: names?.join(' ') };
}
const own = (table: string, kind: RowWrite['kind'], id: string): RowWrite => ({ table, kind, ids: [id] });

test('what others do is news, and outdates the lists and counters it concerns', () => {
  expect(classify('folders', 'INSERT', { id: 'new' })).toEqual({
    isNews: true,
    isCurrent: true,
    names: 'folders categories library-counts bin search-totals repeated-links',
  });
  expect(classify('folders', 'UPDATE', { id: 'f' })).toMatchObject({
    isNews: true,
    names: 'folders search-totals',
  });
  expect(classify('links', 'DELETE', { id: 'l', category_id: 'c' })).toMatchObject({
    isNews: true,
    names: 'recent-links search search-totals link-places repeated-links categories library-counts bin',
  });
});

test('a tag that is deleted elsewhere outdates what finds links by it', () => {
  queryClient.setQueryData(['tags', 'ana'], [{ id: 't', tagged_at: OLD }]);
  expect(classify('tags', 'DELETE', { id: 't' }).names).toBe('tags search search-totals');
});

test('a payment is no change of the library, though the plan is read again', () => {
  const paid = classify('subscribers', 'UPDATE', { id: 's' });
  expect(paid.isNews).toBe(false);
  expect(paid.names).not.toBe('');
});

test('what the cache has already is no news', () => {
  expect(classify('folders', 'UPDATE', { id: 'f', updated_at: OLD }).isNews).toBe(false);
  expect(classify('categories', 'DELETE', { id: 'gone' }).isNews).toBe(false);
});

test('a link that stays in its category leaves the counts alone, one that moves does not', () => {
  const pages = { pages: [{ links: [{ id: 'l', category_id: 'c', updated_at: OLD }] }], pageParams: [null] };
  queryClient.setQueryData(['links', 'c'], pages);
  expect(classify('links', 'UPDATE', { id: 'l', category_id: 'c' }).names).not.toContain('categories');
  const change = { id: 'l', category_id: 'd' };
  const told = { table: 'links', operation: 'UPDATE', id: 'l', row: change, before: { id: 'l' } } as const;
  const scope = { queryClient, userId: 'ana', email: '' };
  const [moved] = classifyChanges(scope, [{ change: { ...told, committedAt: NEW }, receivedAt: 0 }]);
  expect(moved?.outdated).toContainEqual(['categories']);
});

test.each([
  ['INSERT', own('links', 'add', 'l'), 'a link that was added or imported here'],
  ['DELETE', own('links', 'drop', 'l'), 'a link that was deleted here'],
  ['INSERT', own('categories', 'add', 'c'), 'a link that came back with its category'],
  ['DELETE', own('categories', 'drop', 'c'), 'a link that went with its category'],
] as const)('the %s of what %j did is no news, and nothing is read: %s', (operation, write, _what) => {
  expect(classify('links', operation, { id: 'l', category_id: 'c' }, write)).toEqual({
    isNews: false,
    isCurrent: true,
    names: '',
  });
});

test.each([
  ['INSERT', ['drop'], 'a link that somebody put into a category while it was dropped here'],
  ['DELETE', ['drop', 'add'], 'a link that went with its category, which is back by now'],
] as const)(
  'the %s of a link after %j of its category is left to the service: %s',
  (operation, kinds, _what) => {
    const writes = kinds.map((kind) => own('categories', kind, 'c'));
    const { isNews, isCurrent, names } = classify(
      'links',
      operation,
      { id: 'l', category_id: 'c' },
      ...writes,
    );
    expect({ isNews, isCurrent }).toEqual({ isNews: false, isCurrent: false });
    expect(names).toBe(
      'recent-links search search-totals link-places repeated-links categories library-counts bin links',
    );
  },
);

test('all links of a dropped category are no news, and those of another category are', () => {
  const drop = own('categories', 'drop', 'c');
  for (const id of ['l', 'm', 'n'])
    expect(classify('links', 'DELETE', { id, category_id: 'c' }, drop)).toEqual({
      isNews: false,
      isCurrent: true,
      names: '',
    });
  expect(classify('links', 'DELETE', { id: 'o', category_id: 'd' }, drop)).toMatchObject({ isNews: true });
});

test.each(['INSERT', 'DELETE'] as const)(
  'the %s of a link in a category that was only renamed here is news, and counted',
  (operation) => {
    const write = own('categories', 'change', 'c');
    const { isNews, isCurrent, names } = classify('links', operation, { id: 'l', category_id: 'c' }, write);
    expect({ isNews, isCurrent }).toEqual({ isNews: true, isCurrent: true });
    expect(names).toMatch(/^recent-links search search-totals link-places repeated-links categories/);
  },
);

test('a link that another browser changes is news, whatever came or went here with its category', () => {
  for (const kind of ['add', 'drop'] as const)
    expect(
      classify('links', 'UPDATE', { id: 'l', category_id: 'c' }, own('categories', kind, 'c')),
    ).toMatchObject({ isNews: true, isCurrent: true });
});

test('a deletion that comes back after its undo is left to the service', () => {
  const writes = [own('links', 'drop', 'l'), own('links', 'add', 'l')];
  const { isNews, isCurrent, names } = classify('links', 'DELETE', { id: 'l', category_id: 'c' }, ...writes);
  expect({ isNews, isCurrent }).toEqual({ isNews: false, isCurrent: false });
  expect(names).toMatch(/ links$/);
});

test('an own row that the service has in a newer version is read again, and not announced', () => {
  const write = own('categories', 'change', 'c');
  expect(classify('categories', 'UPDATE', { id: 'c' }, write)).toMatchObject({
    isNews: false,
    names: 'categories search search-totals',
  });
  expect(classify('categories', 'UPDATE', { id: 'c', updated_at: OLD }, write).names).toBe('');
});

test('a row that was changed here and is deleted elsewhere is news', () => {
  const write = own('folders', 'change', 'f');
  expect(classify('folders', 'DELETE', { id: 'f' }, write)).toMatchObject({ isNews: true, isCurrent: true });
});

test('invitations are never announced: nothing tells whose doing they were', () => {
  const row = { category_id: 'c', email: 'bia@exemplo.com' };
  expect(classify('shared_with', 'INSERT', row)).toMatchObject({
    isNews: false,
    names: 'categories sharing',
  });
  const received = { category_id: 'x', email: 'ana@exemplo.com' };
  expect(classify('shared_with', 'INSERT', received)).toMatchObject({
    isNews: true,
    names: 'received-shares',
  });
});
