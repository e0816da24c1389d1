import { expect, test } from 'vitest';
import { readTableChange } from './open-table-channel.ts';

test.each([
  ['its id', 'folders', { id: 'a', user_id: 'b' }, 'a'],
  ['its person where it has none', 'subscribers', { user_id: 'b' }, 'b'],
  ['what is shared', 'shared_with', { id: 'a', category_id: 'c', email: 'ana@exemplo.com.br' }, 'c'],
  ['its key where a deletion tells no more of a share', 'shared_with', { id: 'a' }, 'a'],
])('a row is known by %s', (_what, table, old, id) => {
  expect(readTableChange({ table, eventType: 'DELETE', new: {}, old })).toMatchObject({ id, before: old });
});
