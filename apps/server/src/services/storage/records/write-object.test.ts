import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../kernel/caller-context.ts';
import {
  asCaller,
  asStorageAdmin,
  createDatabase,
  type Database,
  type Transaction,
} from '../../../kernel/database.ts';
import { findObject, removeObjects } from './objects.ts';
import { moveRecord, writeObject } from './write-object.ts';

let database: ThrowawayDatabase;
let db: Database;
let ana: Caller;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
  const { id } = await createUser(database.admin);
  ana = { role: 'authenticated', claims: { role: 'authenticated', sub: id } };
  await database.admin.query(`insert into storage.buckets (id, name) values ('lido', 'lido'), ('outro', 'outro');
    create policy lido on storage.objects for select to authenticated using (bucket_id = 'lido')`);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const asStore = <T>(run: (tx: Transaction) => Promise<T>) => asStorageAdmin(db, 'write as a test wants', run);
const wish = (name: string, more: object = {}) => ({
  ...{ bucket: 'lido', name, owner: null, version: randomUUID() },
  ...{ metadata: null, userMetadata: null, upsert: true },
  ...more,
});
const find = (bucket: string, name: string) => asStore((tx) => findObject(tx, bucket, name));

/** Until so many statements wait for what somebody else holds. */
const waitForLocks = (count: number) =>
  expect
    .poll(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await database.admin.query(waiting)).rowCount;
    })
    .toBe(count);

/** Begins in one transaction, has the other wait for it, and then lets it end. */
async function oneAfterTheOther<T>(
  first: (tx: Transaction) => Promise<unknown>,
  second: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const one = asStore(async (tx) => {
    await first(tx);
    begin();
    await over;
  });
  await begun;
  const other = asStore(second);
  await waitForLocks(1);
  end();
  await one;
  return other;
}

describe('a record', () => {
  it('keeps its id when it is written over, and says which bytes may go', async () => {
    const [first, second] = [wish('nota'), wish('nota')];
    const made = await asStore((tx) => writeObject(tx, first));
    expect(made.previousVersion).toBeNull();
    const written = await asStore((tx) => writeObject(tx, second));
    expect(written).toEqual({ id: made.id, previousVersion: first.version });
    expect(await find('lido', 'nota')).toMatchObject({ id: made.id, version: second.version });
    const third = wish('nota', { upsert: false });
    await expect(asStore((tx) => writeObject(tx, third))).rejects.toMatchObject({ code: 'KeyAlreadyExists' });
  });

  it('of a name that two write at once leaves no bytes that nobody knows of', async () => {
    const [first, second] = [wish('novo'), wish('novo')];
    const written = await oneAfterTheOther(
      (tx) => writeObject(tx, first),
      (tx) => writeObject(tx, second),
    );
    expect(written.previousVersion).toBe(first.version);
  });

  it('keeps its bytes where it is moved in its bucket, and takes other ones along elsewhere', async () => {
    const { version } = await asStore(async (tx) => {
      const made = wish('aqui');
      await writeObject(tx, made);
      return made;
    });
    const here = { bucket: 'lido', name: 'ali' };
    const found = await asStore((tx) => moveRecord(tx, { from: { bucket: 'lido', name: 'aqui' }, to: here }));
    expect(found).toMatchObject({ name: 'aqui', version });
    expect(await find('lido', 'aqui')).toBeUndefined();
    expect(await find('lido', 'ali')).toMatchObject({ id: found.id, version });

    const to = { bucket: 'outro', name: 'lá' };
    const [stale, bytes] = [randomUUID(), randomUUID()].map((copiedFrom) => ({
      copiedFrom,
      version: randomUUID(),
    }));
    if (!stale || !bytes) throw new Error('two were made');
    await expect(asStore((tx) => moveRecord(tx, { from: here, to, bytes: stale }))).rejects.toMatchObject({
      code: 'ResourceLocked',
    });
    await asStore((tx) => moveRecord(tx, { from: here, to, bytes: { ...bytes, copiedFrom: version } }));
    expect(await find('outro', 'lá')).toMatchObject({ id: found.id, version: bytes.version });
    await expect(asStore((tx) => moveRecord(tx, { from: here, to }))).rejects.toMatchObject({
      code: 'NoSuchKey',
    });
  });

  it('is not moved while its name is being written over', async () => {
    const before = wish('vivo');
    await asStore((tx) => writeObject(tx, before));
    const after = wish('vivo');
    const from = { bucket: 'lido', name: 'vivo' };
    const found = await oneAfterTheOther(
      (tx) => writeObject(tx, after),
      (tx) => moveRecord(tx, { from, to: { bucket: 'lido', name: 'morto' } }),
    );
    expect(found.version).toBe(after.version);
  });

  it('that somebody may only see is neither moved, written over nor removed', async () => {
    const made = wish('visto');
    await asStore((tx) => writeObject(tx, made));
    const from = { bucket: 'lido', name: 'visto' };
    const act = <T>(run: (tx: Transaction) => Promise<T>) => asCaller(db, ana, run);
    expect(await act((tx) => findObject(tx, 'lido', 'visto'))).toMatchObject({ version: made.version });
    await expect(act((tx) => moveRecord(tx, { from, to: { ...from, name: 'meu' } }))).rejects.toMatchObject({
      code: 'NoSuchKey',
    });
    await expect(act((tx) => writeObject(tx, wish('visto')))).rejects.toMatchObject({ code: 'AccessDenied' });
    expect(await act((tx) => removeObjects(tx, 'lido', ['visto']))).toEqual([]);
    expect(await find('lido', 'visto')).toMatchObject({ version: made.version });
  });

  it('is removed with all that were named, and nothing else', async () => {
    for (const name of ['um', 'dois', 'três']) await asStore((tx) => writeObject(tx, wish(name)));
    const gone = await asStore((tx) => removeObjects(tx, 'lido', ['um', 'dois', 'nenhum']));
    expect(gone.map(({ name }) => name).toSorted()).toEqual(['dois', 'um']);
    expect([await find('lido', 'um'), await find('lido', 'três')]).toMatchObject([
      undefined,
      { name: 'três' },
    ]);
  });

  it('that the database refuses is refused in the platform’s words', async () => {
    const nowhere = { ...wish('a'), bucket: 'nenhum' };
    await expect(asStore((tx) => writeObject(tx, nowhere))).rejects.toMatchObject({ code: 'NoSuchBucket' });
    const broken = { query: () => Promise.reject(new Error('x')) } as unknown as Transaction;
    for (const act of [
      removeObjects(broken, 'lido', ['a']),
      moveRecord(broken, { from: { bucket: 'a', name: 'a' }, to: { bucket: 'a', name: 'b' } }),
    ])
      await expect(act).rejects.toMatchObject({ code: 'InternalError' });
  });
});
