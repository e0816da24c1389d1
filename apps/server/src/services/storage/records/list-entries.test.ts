import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { expect, onTestFinished, test } from 'vitest';
import type { Transaction } from '../../../kernel/database.ts';
import { listEntries } from './list-entries.ts';

test('a level is walked by the index, also by a connection that planned the walk while there were few files', async () => {
  const database = await createThrowawayDatabase();
  const client = await database.admin.connect();
  onTestFinished(async () => {
    client.release();
    await database.drop();
  });
  await client.query(`insert into storage.buckets (id, name) values ('a', 'a'), ('b', 'b')`);
  const fill = (bucket: string, count: number) =>
    client.query(
      `insert into storage.objects (bucket_id, name, version)
       select $1, 'f/' || lpad(n::text, 5, '0'), gen_random_uuid() from generate_series(1, $2::int) n`,
      [bucket, count],
    );
  const list = async () => {
    // A wrong plan takes a minute.
    await client.query(`begin; set local statement_timeout = '20s'`);
    const entries = await listEntries(client as unknown as Transaction, {
      bucket: 'b',
      folder: 'f/',
      search: '',
      column: 'name',
      order: 'asc',
      limit: 5,
      offset: 9_997,
    });
    await client.query('commit');
    return entries.map(({ name }) => name);
  };
  await fill('a', 20);
  await client.query('analyze storage.objects');
  for (let time = 0; time < 8; time += 1) expect(await list()).toEqual([]);
  await fill('b', 10_000);
  expect(await list()).toEqual(['09998', '09999', '10000']);
});
