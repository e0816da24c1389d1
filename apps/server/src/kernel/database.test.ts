import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asServiceRole, createDatabase, type Database } from './database.ts';

let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 1 });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

it('a connection cut while it is lent out, between two statements, fails its borrower and nobody else', async () => {
  const borrowed = asServiceRole(db, 'test', async (tx) => {
    const { rows } = await tx.query({ text: 'select pg_backend_pid() as pid' });
    await database.admin.query('select pg_terminate_backend($1)', [rows[0]?.['pid']]);
    await vi.waitFor(async () => {
      const gone = await database.admin.query('select from pg_stat_activity where pid = $1', [
        rows[0]?.['pid'],
      ]);
      expect(gone.rowCount).toBe(0);
    });
    await tx.query({ text: 'select 1' });
  });
  await expect(borrowed).rejects.toThrow();
  const next = await asServiceRole(db, 'test', (tx) => tx.query({ text: 'select 1 as one' }));
  expect(next.rows).toEqual([{ one: 1 }]);
});
