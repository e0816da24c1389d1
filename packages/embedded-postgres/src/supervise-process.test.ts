import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readProcess } from './lock-holder.ts';
import type { Postmaster } from './run-postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { superviseProcess } from './supervise-process.ts';
import { type ClusterModel, createClusterModel, query } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { findServing, signalAll } from './test-support/isolated.ts';
import { startSupervisor } from './test-support/start-supervisor.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The signals take 9 s at most; what a busy machine adds must stay below the 30 s that others grant. */
const STOP_WITHIN_MS = 25_000;

let model: ClusterModel;
beforeAll(async () => {
  model = await createClusterModel();
});
afterAll(() => model.remove());

function copyModel(): string {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  model.copyTo(path);
  return path;
}

async function startWithRow(data: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataFolder: data });
  onTestFinished(() => postgres.stop());
  await query(postgres.socketFolder, 'insert into kept values (1)');
  return postgres;
}

async function expectKept(data: string): Promise<void> {
  const next = await startEmbeddedPostgres({ dataFolder: data });
  onTestFinished(() => next.stop());
  expect(await query(next.socketFolder, 'select id from kept')).toEqual([{ id: 1 }]);
}

const readPostmaster = (data: string) =>
  Number(readFileSync(join(data, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);

const isAlive = (processId: number) => readProcess(processId)?.isZombie === false;

/** A killed process closes what it had open, which is what the stop waits for, a moment before the system counts it as ended. */
const expectEnded = (list: () => readonly number[]) => expect.poll(list).toEqual([]);

/** A life of Postgres that does what the test says. */
function createLife() {
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const signals: string[] = [];
  const postmaster: Postmaster = {
    ready: ready.promise,
    ended: ended.promise,
    isAlive: () => true,
    processId: 1,
    signal: (name) => void signals.push(name),
  };
  return { postmaster, ready, ended, signals };
}

it('a stop waits for the end of a Postgres that became ready in that very moment', async () => {
  const [first, second] = [createLife(), createLife()];
  const started = Promise.withResolvers<void>();
  const lives = [first, second];
  const run = async () => {
    const life = lives.shift() ?? first;
    if (life === second) started.resolve();
    return life.postmaster;
  };
  first.ready.resolve();
  const supervised = await superviseProcess({ dataFolder: '/', run, log: () => undefined });
  first.ended.resolve();
  await started.promise;
  await setImmediate();

  second.ready.resolve();
  let hasStopped = false;
  const stopping = supervised.stop().then(() => {
    hasStopped = true;
  });
  await setImmediate();
  expect([second.signals, hasStopped]).toEqual([['SIGINT'], false]);
  second.ended.resolve();
  await stopping;
  expect(second.signals).toEqual(['SIGINT']);
});

describe.runIf(process.platform === 'linux')('a frozen Postgres', () => {
  it('is stopped in time, with all its processes, and has lost nothing', async () => {
    const data = copyModel();
    const postgres = await startWithRow(data);
    const frozen = findServing(data).postgres;
    expect(frozen.length).toBeGreaterThan(2);
    signalAll(frozen, 'SIGSTOP');
    const since = Date.now();
    await postgres.stop();
    expect(Date.now() - since).toBeLessThan(STOP_WITHIN_MS);
    await expectEnded(() => frozen.filter(isAlive));
    await expectKept(data);
  });

  it('is stopped in time by a start that it has kept from finishing', async () => {
    const data = copyModel();
    const postgres = await startWithRow(data);
    const [postmaster = 0] = findServing(data).postgres;
    process.kill(postmaster, 'SIGKILL');
    await expect
      .poll(() => findServing(data).postgres[0] ?? postmaster, { timeout: 15_000, interval: 1 })
      .not.toBe(postmaster);
    signalAll(findServing(data).postgres, 'SIGSTOP');
    const since = Date.now();
    await postgres.stop();
    expect(Date.now() - since).toBeLessThan(STOP_WITHIN_MS);
    await expectEnded(() => findServing(data).postgres);
    await expectKept(data);
  });

  it('of a server that is dead does not keep the next one from starting', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    await query(first.socketFolder, 'insert into kept values (1)');
    const frozen = findServing(data).postgres;
    signalAll(frozen, 'SIGSTOP');
    await first.kill();
    await expectKept(data);
    await expectEnded(() => frozen.filter(isAlive));
  });

  it('that has lost its first process is replaced, though others of it are frozen', async () => {
    const data = copyModel();
    const postgres = await startWithRow(data);
    const [postmaster = 0, ...others] = findServing(data).postgres;
    signalAll(others, 'SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    await expect
      .poll(() => postgres.isRunning() && readPostmaster(data), { timeout: 30_000 })
      .not.toBe(postmaster);
    await expect.poll(() => postgres.isRunning(), { timeout: 30_000 }).toBe(true);
    expect(await query(postgres.socketFolder, 'select id from kept')).toEqual([{ id: 1 }]);
    await expectEnded(() => others.filter(isAlive));
  });
});
