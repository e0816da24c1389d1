import type { Duplex } from 'node:stream';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from './caller-context.ts';
import { asServiceRole, createDatabase, type Database, queryAsCaller } from './database.ts';

const VISITOR = { role: 'anon', claims: { role: 'anon' } } as const;

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
    await eventually(async () => {
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

/** A message that promises two numbers and ends: what the driver throws at it is thrown while it reads. */
const BROKEN_MESSAGE = Buffer.from([0x4b, 0, 0, 0, 4]);

it('an error of the driver while it reads costs the query and its connection, not the process', async () => {
  const streams: Duplex[] = [];
  const note = (client: unknown) =>
    streams.push((client as { connection: { stream: Duplex } }).connection.stream);
  db.pool.on('acquire', note);
  const refused = queryAsCaller(db, VISITOR, { text: 'select pg_sleep(1)' });
  await eventually(() => expect(streams).toHaveLength(1));
  streams[0]?.emit('data', BROKEN_MESSAGE);
  await expect(refused).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  db.pool.off('acquire', note);
  const next = await asServiceRole(db, 'test', (tx) => tx.query({ text: 'select 1 as one' }));
  expect(next.rows).toEqual([{ one: 1 }]);
});

it('visitors and costly work are cut off sooner than others, and the limit ends with the statement', async () => {
  const person = { role: 'authenticated', claims: { role: 'authenticated', sub: 'p' } } as const;
  const limit = { text: `select current_setting('statement_timeout') as limit` };
  const read = async (caller: Caller, isCostly?: boolean) =>
    (await queryAsCaller(db, caller, limit, isCostly === undefined ? {} : { isCostly })).rows[0]?.['limit'];
  expect([await read(VISITOR), await read(person), await read(person, true), await read(person)]).toEqual([
    '2s',
    '8s',
    '2s',
    '8s',
  ]);
  await expect(queryAsCaller(db, VISITOR, { text: 'select pg_sleep(9)' })).rejects.toMatchObject({
    code: '57014',
  });
});
