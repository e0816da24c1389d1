import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'pro' });
});
afterAll(() => database.drop());

/** A plan that meets each changed row with all others takes fourteen times as long. */
const WRONG_PLAN = 5;

test('five thousand links are changed as fast by a connection that had changed one at a time before as by a new one', async () => {
  await database.admin.query(
    `insert into links (user_id, category_id, title, url)
     select $1, $2, 'Antes ' || n, 'https://a.br/' || n from generate_series(1, 5000) n`,
    [mine.owner.id, mine.categoryId],
  );
  const [used, fresh] = [await database.admin.connect(), await database.admin.connect()];
  const change = async (client: typeof used, most: number) => {
    const startedAt = performance.now();
    const { rowCount } = await client.query(
      `update links set title = title || '.', url = url || '.'
       where id in (select id from links where user_id = $1 limit $2)`,
      [mine.owner.id, most],
    );
    expect(rowCount).toBe(most);
    return performance.now() - startedAt;
  };
  try {
    for (let n = 0; n < 8; n += 1) await change(used, 1);
    const times: { readonly fresh: number[]; readonly used: number[] } = { fresh: [], used: [] };
    for (let n = 0; n < 2; n += 1) {
      times.fresh.push(await change(fresh, 5000));
      times.used.push(await change(used, 5000));
    }
    // A wrong plan is slow each time, a busy machine is not.
    expect(Math.min(...times.used)).toBeLessThan(WRONG_PLAN * Math.min(...times.fresh));
    // And where the same address is looked for, the new one stands.
    const { rows } = await database.admin.query<{ ours: boolean; all: string }>(
      `select bool_and(exists (
         select from private.link_addresses k
         where k.user_id = l.user_id and k.id = l.id and k.created_at = l.created_at
           and k.hash = hashtextextended(private.address_key(l.url), 0)
       )) as ours, count(*) as all from links l where l.title like 'Antes %'`,
    );
    expect(rows).toEqual([{ ours: true, all: '5000' }]);
  } finally {
    used.release();
    fresh.release();
  }
}, 120_000);
