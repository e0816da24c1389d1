import { expect, test } from 'vitest';
import { createFakeDatabase } from '../../../shared/test/create-fake-database.ts';
import { readReceivedFolders } from './read-received-folders.ts';

const folder = (id: string) => ({
  folder_id: id,
  name: id,
  owner_id: 'dona',
  owner_name: 'Dona',
  role: 'viewer',
  may_write: false,
  shared_at: '2025-05-11T12:00:00Z',
});

test('a shared folder of a thousand categories and one is read whole, and no address names more than a hundred folders', async () => {
  const named: number[] = [];
  const database = createFakeDatabase(({ query }) => {
    const asked = query.get('folder_id')?.slice('in.('.length, -1).split(',') ?? [];
    named.push(asked.length);
    const rows = asked.flatMap((folder_id) =>
      Array.from({ length: folder_id === 'f0' ? 1_001 : 1 }, (_, at) => ({
        id: `${folder_id}-${at}`,
        folder_id,
      })),
    );
    const from = Number(query.get('offset'));
    return { body: rows.slice(from, from + 1_000) };
  });
  const ids = Array.from({ length: 101 }, (_, at) => `f${at}`);
  const folders = await readReceivedFolders(database, ids.map(folder), new AbortController().signal);
  expect(folders.map(({ categories }) => categories.length)).toEqual([1_001, ...ids.slice(1).map(() => 1)]);
  expect(Math.max(...named)).toBe(100);
});
