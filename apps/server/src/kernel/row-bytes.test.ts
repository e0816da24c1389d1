import type { Duplex } from 'node:stream';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCaller, createDatabase, type Database, queryAsCaller } from './database.ts';

const VISITOR = { role: 'anon', claims: { role: 'anon' } } as const;
const TEXT = 'Ligação – 🔗';

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

/** Lets what Postgres sends to the one connection of the pool arrive in pieces of this size, as long as `run` takes. */
async function cutInto(size: number, run: () => Promise<void>): Promise<void> {
  const client = await db.pool.connect();
  client.release();
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const listeners = stream.listeners('data') as ((chunk: Buffer) => void)[];
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += size)
      for (const listener of listeners) listener.call(stream, chunk.subarray(at, at + size));
  });
  try {
    await run();
  } finally {
    stream.removeAllListeners('data');
    for (const listener of listeners) stream.on('data', listener);
  }
}

const ask = (text: string, values: readonly unknown[] = []) =>
  queryAsCaller(db, VISITOR, { text, values, bytesOf: 'body' });

describe('a column that is given as its bytes', () => {
  it('is what Postgres sent, and the others are what the driver makes of them', async () => {
    const { rows } = await ask(
      `select json_build_object('t', $1::text) as body, 7 as page, null as total, '${TEXT}' as said`,
      [TEXT],
    );
    expect(rows).toEqual([{ body: Buffer.from(`{"t" : "${TEXT}"}`), page: 7, total: null, said: TEXT }]);
  });

  it('may stand anywhere, be null or empty, and come in many rows', async () => {
    const { rows } = await ask(
      `select n, case n when 1 then 'um' when 2 then '' end as body from generate_series(1, 3) n`,
    );
    expect(rows).toEqual([
      { n: 1, body: Buffer.from('um') },
      { n: 2, body: Buffer.alloc(0) },
      { n: 3, body: null },
    ]);
  });

  it('is as long as it is', async () => {
    const { rows } = await ask(`select repeat('x', 5000000) as body, 'behind' as said`);
    const [row] = rows;
    expect(row?.['body']).toHaveLength(5_000_000);
    expect(row?.['said']).toBe('behind');
  });

  it('is one in a transaction, too', async () => {
    const rows = await asCaller(db, VISITOR, async (tx) => [
      ...(await tx.query({ text: `select '[1]'::json as body`, bytesOf: 'body' })).rows,
      ...(await tx.query({ text: `select '[1]'::json as body` })).rows,
    ]);
    expect(rows).toEqual([{ body: Buffer.from('[1]') }, { body: [1] }]);
  });

  it('is one on a connection that was opened elsewhere', async () => {
    const pool = new pg.Pool({ ...database.authenticator, max: 1 });
    const { rows } = await queryAsCaller({ pool }, VISITOR, {
      text: `select '${TEXT}' as body`,
      bytesOf: 'body',
    });
    await pool.end();
    expect(rows).toEqual([{ body: Buffer.from(TEXT) }]);
  });

  it('does not outlive a statement that fails', async () => {
    await expect(ask('select 1 / (n - 2) as body from generate_series(1, 3) n')).rejects.toMatchObject({
      code: '22012',
    });
    const next = await queryAsCaller(db, VISITOR, { text: `select '${TEXT}' as body` });
    expect(next.rows).toEqual([{ body: TEXT }]);
  });

  it.each([1, 2, 3, 5, 7, 64, 1000])('comes whole in pieces of %i bytes', async (size) => {
    await cutInto(size, async () => {
      const { rows } = await ask(`select repeat('${TEXT}', 300) as body, n from generate_series(1, 3) n`);
      expect(rows).toEqual([1, 2, 3].map((n) => ({ body: Buffer.from(TEXT.repeat(300)), n })));
      // And the next statement of the same connection, which asks for no bytes, is the driver's again.
      const next = await queryAsCaller(db, VISITOR, { text: `select '${TEXT}' as body` });
      expect(next.rows).toEqual([{ body: TEXT }]);
    });
  });
});
