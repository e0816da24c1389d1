import { createServer, type Server } from 'node:net';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asServiceRole, createDatabase, type Database } from '../database.ts';
import { createHealth, type HealthOptions } from './create-health.ts';
import type { DiskSpace } from './disk-space.ts';

const ROOM: DiskSpace = { freeBytes: 1e9, sizeBytes: 1e10, freeFiles: 1e6 };
const NONE = { platform: [], product: [] };

let database: ThrowawayDatabase;
let probes: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  probes = createDatabase({ ...database.authenticator, max: 2, query_timeout: 2_000 });
});
afterAll(async () => {
  await probes.pool.end();
  await database.drop();
});

const open = (options: Partial<HealthOptions> = {}) =>
  createHealth({
    probes,
    requiredMigrations: NONE,
    folders: ['/data', '/files'],
    readSpace: async () => ROOM,
    ...options,
  });
const failing = (...reasons: string[]) => ({ status: 'unavailable', reason: reasons[0], failing: reasons });

/** Takes connections and never says a word: a Postgres that is frozen, or behind a network that swallows everything. */
async function openSilence(): Promise<{ readonly db: Database; readonly server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const db = createDatabase({ host: '127.0.0.1', port, connectionTimeoutMillis: 2_000, max: 2 });
  onTestFinished(async () => {
    await db.pool.end();
    server.close();
  });
  return { db, server };
}

describe('ready', () => {
  it('is yes where all is well, and so is live', async () => {
    const health = open();
    expect(await health.ready()).toEqual({ status: 'ok' });
    expect(await health.live()).toEqual({ status: 'ok' });
    expect(await health.whole()).toEqual({ status: 'ok' });
  });

  it.each<[string, Partial<DiskSpace>]>([
    ['few bytes', { freeBytes: 63 * 1024 * 1024 }],
    ['few files', { freeFiles: 3 }],
  ])(
    'is no on a disk with %s left, whichever folder is on it; a restart would not help',
    async (_, little) => {
      const health = open({ readSpace: async (folder) => ({ ...ROOM, ...(folder === '/files' && little) }) });
      expect(await health.ready()).toEqual(failing('disk'));
      expect(await health.live()).toEqual({ status: 'ok' });
      expect(await health.whole()).toEqual({ status: 'ok' });
    },
  );

  it('is no on a disk that cannot be asked', async () => {
    const health = open({ readSpace: () => Promise.reject(new Error('stale file handle')) });
    expect(await health.ready()).toEqual(failing('disk'));
  });

  it('reads the real disk, also below a folder that is not made yet', async () => {
    const { readSpace: _, ...options } = { readSpace: 0, probes, requiredMigrations: NONE };
    const health = createHealth({ ...options, folders: [`${process.cwd()}/not/made/yet`] });
    expect((await health.conditions()).get('disk')).toBeUndefined();
  });

  it('is no while a migration is pending', async () => {
    const health = open({ requiredMigrations: { platform: [], product: ['99999999999999'] } });
    expect(await health.ready()).toEqual(failing('migrations'));
  });

  it('is no while rights in the database are others than the migrations make', async () => {
    let difference: string | undefined = 'extra: anon may delete links';
    const health = open({ rightsDifference: () => difference });
    expect(await health.ready()).toEqual(failing('rights: extra: anon may delete links'));
    expect(await health.whole()).toMatchObject({ reason: 'rights: extra: anon may delete links' });
    expect(await health.live()).toEqual({ status: 'ok' });
    difference = undefined;
    expect(await health.ready()).toEqual({ status: 'ok' });
  });

  it('is no from the moment the server drains', async () => {
    const health = open();
    await health.ready();
    health.drain();
    expect(await health.ready()).toEqual(failing('draining'));
    expect(await health.live()).toEqual({ status: 'ok' });
  });

  it('is no when nobody has got a connection for ten seconds, and yes as soon as one is free again', async () => {
    // Long enough for the first connection to be made on a busy machine as well: without it nobody holds one.
    const pool = createDatabase({ ...database.authenticator, max: 1, connectionTimeoutMillis: 2_000 });
    onTestFinished(() => pool.pool.end());
    const health = open({ pools: [pool] });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const work = Promise.withResolvers<void>();
    const holding = asServiceRole(pool, 'holds the only connection', () => work.promise);
    await expect(asServiceRole(pool, 'waits in vain', async () => undefined)).rejects.toThrow(/timeout/);
    expect(await health.ready()).toEqual({ status: 'ok' });
    vi.advanceTimersByTime(11_000);
    expect(await health.ready()).toEqual(failing('pool'));
    expect(await health.live()).toEqual({ status: 'ok' });
    vi.advanceTimersByTime(120_000);
    // The database answers, and still nothing comes back: connections are lost here, and a restart brings them back.
    expect(await health.live()).toEqual(failing('pool'));
    work.resolve();
    await holding;
    expect(await health.ready()).toEqual({ status: 'ok' });
    expect(await health.live()).toEqual({ status: 'ok' });
  });

  it('names all that fails', async () => {
    const health = open({ readSpace: async () => ({ ...ROOM, freeBytes: 0 }) });
    health.drain();
    expect(await health.ready()).toEqual(failing('draining', 'disk'));
  });
});

describe('without an answer of the database', () => {
  it('everybody is answered in time, at once after the first, and on one connection', async () => {
    const { db, server } = await openSilence();
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const health = open({ probes: db });
    const ask = async () => {
      const startedAt = performance.now();
      const [ready, live] = await Promise.all([health.ready(), health.live()]);
      return { ready, live, took: performance.now() - startedAt };
    };
    const first = await Promise.all(Array.from({ length: 50 }, ask));
    for (const { ready, live, took } of first) {
      expect(ready).toEqual(failing('database'));
      expect(live).toEqual({ status: 'ok' });
      expect(took).toBeLessThan(10_000);
    }
    for (let again = 0; again < 5; again += 1) {
      const { ready, took } = await ask();
      expect(ready).toEqual(failing('database'));
      expect(took).toBeLessThan(1_500);
    }
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('an embedded one that stays away for minutes is worth a restart, unless the disk is full', async () => {
    const { db } = await openSilence();
    let downFor = 170_000;
    let space = ROOM;
    const health = open({ probes: db, databaseDownFor: () => downFor, readSpace: async () => space });
    expect(await health.live()).toEqual({ status: 'ok' });
    downFor = 181_000;
    expect(await health.live()).toEqual(failing('database'));
    space = { ...ROOM, freeBytes: 0 };
    const other = open({ probes: db, databaseDownFor: () => downFor, readSpace: async () => space });
    expect(await other.live()).toEqual({ status: 'ok' });
  });

  it('is noticed when it comes back', async () => {
    const name = 'linkoteca_platform.migrations';
    const health = open({ requiredMigrations: { platform: ['0001_roles.sql'], product: [] } });
    await database.admin.query(`alter table ${name} rename to away`);
    expect(await health.whole()).toMatchObject({ reason: 'database' });
    await database.admin.query('alter table linkoteca_platform.away rename to migrations');
    await expect.poll(() => health.whole()).toEqual({ status: 'ok' });
  });
});
