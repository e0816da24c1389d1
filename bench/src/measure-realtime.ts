import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { floodDeafClients } from './flood-deaf-clients.ts';
import { readMetrics, type ServerMetrics } from './read-metrics.ts';
import type { LoadReport } from './realtime-load-messages.ts';
import { type AudienceMember, seedAudience } from './seed-audience.ts';
import { type RealtimeLoad, startRealtimeLoad } from './start-realtime-load.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { summariseLatencies } from './summarise-latencies.ts';
import { type Written, writeLinks } from './write-links.ts';

const PEOPLE = 500;
const SOCKETS_PER_PERSON = 4;
const FULL_RATE = 200;
const GOAL_MS = 50;
/** What the engine may keep of freed memory without that being a leak. */
const MEMORY_SLACK = 32 * 2 ** 20;
const MEMORY_PATIENCE_MS = 90_000;
const MEMORY_SETTLED_MS = 20_000;
const MEMORY_STEP = 2 * 2 ** 20;
const DEAF = { clients: 5, messages: 60, messageBytes: 1_000_000 };

type Run = { readonly written: Written; readonly report: LoadReport; readonly cpuShare: number };

type Setup = {
  readonly server: RunningServer;
  readonly people: readonly AudienceMember[];
  readonly load: RealtimeLoad;
  readonly seconds: number;
};

/**
 * 2,000 sockets of 500 people with five subscriptions each, while people write links over the table protocol: how long a
 * change takes from its commit to a client, whether each came once to whom it was for and to nobody else, what memory
 * it takes, and whether clients that never read are cut off without the others noticing. Server, database, writers and
 * all clients share the machine's cores.
 */
export async function measureRealtime({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  const load = startRealtimeLoad();
  try {
    const people = await seedAudience(data.path, PEOPLE);
    const setup = { server, people, load, seconds: isQuick ? 10 : 120 };
    // Once through everything: what is then in memory is code and caches, which a server keeps.
    await connect(setup);
    await measureRate({ ...setup, seconds: isQuick ? 3 : 20 }, FULL_RATE);
    await load.close();
    const before = await waitForMemory(server);
    return await measureSoak(setup, before);
  } finally {
    load.stop();
    await server.stop();
    process.stderr.write(server.output().slice(0, 2_000));
    await data.remove();
  }
}

async function measureSoak(setup: Setup, before: ServerMetrics): Promise<readonly Figure[]> {
  const { server, load } = setup;
  const { sockets, subscriptions, milliseconds } = await connect(setup);
  const peak = { residentBytes: 0 };
  const watching = setInterval(() => {
    readMetrics(server).then(
      ({ residentBytes }) => {
        peak.residentBytes = Math.max(peak.residentBytes, residentBytes);
      },
      () => undefined,
    );
  }, 1_000);
  const half = await measureRate(setup, FULL_RATE / 2);
  const full = await measureRate(setup, FULL_RATE);
  const [deaf, cutOff] = await Promise.all([
    measureRate({ ...setup, seconds: Math.min(setup.seconds, 30) }, FULL_RATE / 2),
    floodDeafClients({ server, ...DEAF }),
  ]);
  clearInterval(watching);
  await load.close();
  const after = await waitForMemory(server);
  return [
    {
      name: `realtime: ${sockets} sockets, ${subscriptions} subscriptions of ${PEOPLE} people live after`,
      value: `${(milliseconds / 1000).toFixed(1)} s`,
    },
    ...describeRun('100 writes/s', half, GOAL_MS),
    ...describeRun('200 writes/s', full),
    ...describeRun('100 writes/s beside clients that never read', deaf),
    {
      name: 'realtime: clients that never read, cut off',
      value: `${cutOff} of ${DEAF.clients}`,
      goal: 'all',
      met: cutOff === DEAF.clients,
    },
    describeMemory(before, peak, after),
  ];
}

async function connect({ server, people, load }: Setup) {
  const started = performance.now();
  const audience = {
    url: server.url,
    apikey: server.anonKey,
    people: people.map(({ id, token }) => ({ id, token })),
    socketsPerPerson: SOCKETS_PER_PERSON,
  };
  return { ...(await load.connect(audience)), milliseconds: performance.now() - started };
}

async function measureRate({ server, people, load, seconds }: Setup, perSecond: number): Promise<Run> {
  await load.begin();
  const [started, { cpuSeconds: cpuBefore }] = [performance.now(), await readMetrics(server)];
  const written = await writeLinks({ server, people, perSecond, seconds });
  const report = await load.report(written.changes);
  const { cpuSeconds } = await readMetrics(server);
  return { written, report, cpuShare: ((cpuSeconds - cpuBefore) * 1000) / (performance.now() - started) };
}

function describeRun(title: string, { written, report, cpuShare }: Run, goalMs?: number): Figure[] {
  const { p50, p95, p99, max } = summariseLatencies(report.latencies);
  const { missing, repeated, foreign, broken } = report;
  const expected = written.changes.length * SOCKETS_PER_PERSON;
  const faults = missing + repeated + foreign + broken.length + written.refused;
  return [
    {
      name: `realtime, ${title}: commit to client, p50 / p95 / p99 / slowest`,
      value: `${p50} / ${p95} / ${p99} / ${max} ms (${written.rate.toFixed(0)} writes/s, server ${Math.round(cpuShare * 100)} % of a core)`,
      ...(goalMs !== undefined && { goal: `p95 < ${goalMs} ms`, met: p95 < goalMs }),
    },
    {
      name: `realtime, ${title}: messages expected, lost, repeated, to the wrong person`,
      value:
        `${expected}, ${missing}, ${repeated}, ${foreign}` +
        (written.refused > 0 ? `; ${written.refused} writes refused` : '') +
        (broken.length > 0 ? `; ${broken.length} broken: ${broken[0]}` : ''),
      goal: '0 lost, repeated or wrong',
      met: faults === 0 && expected > 0,
    },
  ];
}

function describeMemory(
  before: ServerMetrics,
  peak: { residentBytes: number },
  after: ServerMetrics,
): Figure {
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)}`;
  return {
    name: 'realtime: resident memory of the server before, at most, after (JavaScript objects before, after)',
    value: `${mebibytes(before.residentBytes)} / ${mebibytes(peak.residentBytes)} / ${mebibytes(after.residentBytes)} MiB (${mebibytes(before.heapBytes)} / ${mebibytes(after.heapBytes)} MiB)`,
    goal: 'back to its start',
    met: after.residentBytes <= before.residentBytes + MEMORY_SLACK,
  };
}

/** Waits until the engine, left alone, gives no more memory back; it takes its time to. */
async function waitForMemory(server: RunningServer): Promise<ServerMetrics> {
  const deadline = Date.now() + MEMORY_PATIENCE_MS;
  let [least, since] = [await readMetrics(server), Date.now()];
  while (Date.now() < deadline && Date.now() - since < MEMORY_SETTLED_MS) {
    await pause(1_000);
    const metrics = await readMetrics(server);
    if (metrics.residentBytes > least.residentBytes - MEMORY_STEP) continue;
    [least, since] = [metrics, Date.now()];
  }
  return readMetrics(server);
}
