import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDraw } from '@linkoteca/server-process/create-draw';
import { startTestCluster, type TestCluster } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { createTestChoice, type TestChoice } from './choose-tests.ts';
import { EQUIVALENT_MUTANTS } from './equivalent-mutants.ts';
import { listMutants, type Mutant } from './list-mutants.ts';
import { mapCoverage } from './map-coverage.ts';
import { SQL_ROOMS } from './rooms.ts';
import { type FileResult, type Lane, openWarmVitest, type WarmVitest } from './warm-vitest.ts';

export type SqlMutationOptions = {
  /** One of `rooms.ts`, with or without `sql-` before it. */
  readonly room: string;
  /** How many mutants to try, drawn from all of the room; missing means all. */
  readonly sample?: number | undefined;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Only mutants of objects that contain this. */
  readonly object?: string | undefined;
  /** Only these, as the survivors of an earlier run. */
  readonly among?: readonly Pick<SqlSurvivor, 'object' | 'line' | 'what'>[] | undefined;
  /** How many test files a mutant is shown, the likeliest first; missing means all that touch it. */
  readonly filesPerMutant?: number | undefined;
};

export type SqlSurvivor = {
  readonly object: string;
  readonly line: string;
  readonly what: string;
  /** The test files that saw it and passed. */
  readonly files: readonly string[];
};

export type SqlNoticed = {
  readonly object: string;
  readonly line: string;
  readonly what: string;
  readonly file: string;
  /** What the first test that failed said. */
  readonly error: string;
};

export type SqlMutationScore = {
  readonly room: string;
  readonly killed: number;
  readonly noticed: readonly SqlNoticed[];
  readonly survived: readonly SqlSurvivor[];
  readonly total: number;
};

/** How many mutants, and how many files of one mutant, one run of vitest takes. */
const BATCH = 24;
const FILES_AT_ONCE = 4;
const LANES = 4;
const WORKERS = 5;
const LANE_NUMBERS = Array.from({ length: LANES }, (_, lane) => lane);
/** What takes longer hangs. */
const PATIENCE_MS = 60_000;
const ASSIGNMENTS = 'LINKOTECA_MUTANT_TEMPLATES';

type Trial = { readonly mutant: Mutant; readonly seen: string[]; timeouts: number };
/** By lane and file. */
type Assignment = ReadonlyMap<string, Lane & { readonly trial: Trial }>;
type Verdicts = { readonly noticed: SqlNoticed[]; readonly survived: SqlSurvivor[] };

/** Changes the migrated schema in one small thing at a time, runs the tests that touch it, and tells which changes nobody notices. */
export async function runSqlMutations(options: SqlMutationOptions): Promise<SqlMutationScore> {
  const { say } = options;
  const room = options.room.replace(/^sql-/, '');
  if (!SQL_ROOMS.includes(room)) throw new Error(`no such room: ${room}; there are ${SQL_ROOMS.join(', ')}`);
  const coverage = await mapCoverage(say);
  const cluster = await startTestCluster();
  const assignments = join(tmpdir(), `linkoteca-mutants-${process.pid}.json`);
  process.env[ASSIGNMENTS] = assignments;
  try {
    await endHangingStatements(cluster);
    const { mutants, bodies } = await drawMutants(cluster, { ...options, room });
    say(`${room}: ${mutants.length} mutants`);
    const choice = createTestChoice(coverage, bodies);
    const vitest = await openWarmVitest({
      cluster,
      lanes: LANES,
      workers: WORKERS,
      patienceMs: PATIENCE_MS,
      setupFile: new URL('./redirect-template.ts', import.meta.url),
    });
    const { noticed, survived } = await tryAll({ ...options, cluster, vitest, choice, assignments, mutants });
    await vitest.close();
    return { room: options.room, killed: noticed.length, noticed, survived, total: mutants.length };
  } finally {
    delete process.env[ASSIGNMENTS];
    rmSync(assignments, { force: true });
    await cluster.stop();
  }
}

/** A mutant that never ends is noticed when its statement is ended. */
async function endHangingStatements(cluster: TestCluster): Promise<void> {
  await withClient(cluster, 'postgres', async (client) => {
    await client.query(`alter system set statement_timeout = '${PATIENCE_MS}ms'`);
    await client.query(`alter role authenticator set statement_timeout = '${PATIENCE_MS}ms'`);
    await client.query('select pg_reload_conf()');
  });
}

async function drawMutants(cluster: TestCluster, options: SqlMutationOptions) {
  const { room, sample = Number.POSITIVE_INFINITY, seed, object = '', among } = options;
  const isWanted = (mutant: Mutant) =>
    mutant.room === room &&
    mutant.object.includes(object) &&
    !isEquivalent(mutant) &&
    (among?.some(
      (one) => one.object === mutant.object && one.line === mutant.line && one.what === mutant.what,
    ) ??
      true);
  return withClient(cluster, cluster.template, async (client) => {
    const all = (await listMutants(client)).filter(isWanted);
    const draw = createDraw(seed);
    const order = all
      .map((mutant) => ({ mutant, place: draw.number(2 ** 31) }))
      .sort((a, b) => a.place - b.place);
    const mutants: Mutant[] = [];
    for (const { mutant } of order) {
      if (mutants.length >= sample) break;
      if (await isValid(client, mutant)) mutants.push(mutant);
    }
    const { rows } = await client.query<{ name: string; body: string }>(
      `select n.nspname || '.' || p.proname as name, p.prosrc as body
       from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private')`,
    );
    return { mutants, bodies: new Map(rows.map(({ name, body }) => [name, body])) };
  });
}

/** What Postgres does not accept could never be committed. */
async function isValid(client: pg.Client, mutant: Mutant): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(mutant.statement);
    return true;
  } catch {
    return false;
  } finally {
    await client.query('rollback');
  }
}

function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT_MUTANTS.some(
    ({ object, what, line }) =>
      object === mutant.object &&
      (line === undefined || line === mutant.line) &&
      (what === undefined || (typeof what === 'string' ? what === mutant.what : what.test(mutant.what))),
  );
}

type Running = SqlMutationOptions & {
  readonly cluster: TestCluster;
  readonly vitest: WarmVitest;
  readonly choice: TestChoice;
  readonly assignments: string;
  readonly mutants: readonly Mutant[];
};

async function tryAll(running: Running): Promise<Verdicts> {
  const { choice, mutants, say, filesPerMutant = Number.POSITIVE_INFINITY } = running;
  let pending: Trial[] = mutants.map((mutant) => ({ mutant, seen: [], timeouts: 0 }));
  const verdicts: Verdicts = { noticed: [], survived: [] };
  const left = ({ mutant, seen }: Trial) => {
    const others = choice.choose(mutant).filter((file) => !seen.includes(file));
    return others.slice(0, Math.max(0, filesPerMutant - seen.length));
  };
  while (pending.length > 0) {
    for (const trial of pending.filter((one) => left(one).length === 0)) {
      const { object, line, what } = trial.mutant;
      verdicts.survived.push({ object, line, what, files: trial.seen });
      say(
        `survived: ${object} | ${line} | ${what} | ${trial.seen.join(' ').replaceAll('supabase/tests/', '')}`,
      );
    }
    pending = pending.filter((one) => left(one).length > 0);
    const assigned = assign(pending, left);
    if (assigned.size === 0) continue;
    const noticed = await runBatch(running, assigned);
    for (const [{ mutant }, { file, error }] of noticed)
      verdicts.noticed.push({ object: mutant.object, line: mutant.line, what: mutant.what, file, error });
    pending = pending.filter((trial) => !noticed.has(trial));
    const { length: survivors } = verdicts.survived;
    say(`${verdicts.noticed.length} noticed, ${survivors} survived, ${pending.length} to go`);
  }
  return verdicts;
}

/** Which mutant each file of each lane tries in the next run. */
function assign(pending: readonly Trial[], left: (trial: Trial) => readonly string[]): Assignment {
  const assigned = new Map<string, Lane & { readonly trial: Trial }>();
  let count = 0;
  // Those who have seen most first, so that survivors do not pile up at the end.
  for (const trial of pending.toSorted((a, b) => b.seen.length - a.seen.length)) {
    if (count >= BATCH) break;
    const isNew = trial.seen.length === 0;
    const files = left(trial).slice(0, isNew ? 2 : FILES_AT_ONCE);
    const possible = files.flatMap((file) => {
      const lane = LANE_NUMBERS.find((number) => !assigned.has(`${number} ${file}`));
      return lane === undefined ? [] : [{ lane, file }];
    });
    const free = isNew ? possible.slice(0, 1) : possible;
    for (const { lane, file } of free) assigned.set(`${lane} ${file}`, { trial, lane, file });
    if (free.length > 0) count += 1;
  }
  return assigned;
}

async function runBatch(running: Running, assigned: Assignment): Promise<ReadonlyMap<Trial, FileResult>> {
  const { cluster, vitest, choice, assignments } = running;
  const trials = [...new Set([...assigned.values()].map(({ trial }) => trial))];
  await withClient(cluster, 'postgres', async (client) => {
    for (const name of await listLeftovers(client))
      await client.query(`drop database if exists ${name} with (force)`);
    for (const index of trials.keys())
      await client.query(`create database mutant_${index} template ${cluster.template}`);
  });
  for (const [index, { mutant }] of trials.entries())
    await withClient(cluster, `mutant_${index}`, async (client) => {
      await client.query(`select set_config('search_path', '', false)`);
      await client.query(mutant.statement);
    });
  const templates = [...assigned].map(([key, { trial }]) => [key, `mutant_${trials.indexOf(trial)}`]);
  writeFileSync(assignments, JSON.stringify(Object.fromEntries(templates)));
  const results = await vitest.run([...assigned.values()]);
  const noticed = new Map<Trial, FileResult>();
  for (const { lane, file, trial } of assigned.values()) {
    const missing: FileResult = { lane, file, passed: false, milliseconds: 0, error: 'did not run' };
    const result = results.find((one) => one.lane === lane && one.file === file) ?? missing;
    // A machine that is busy is slow as well: believed when it comes twice.
    if (!result.passed && /timed out|timeout|did not run/.test(result.error) && trial.timeouts === 0) {
      trial.timeouts += 1;
      continue;
    }
    trial.seen.push(file);
    if (result.passed || noticed.has(trial)) continue;
    choice.learn(trial.mutant, file);
    noticed.set(trial, result);
  }
  return noticed;
}

/** Mutants of the run before, and what tests that failed have left. */
async function listLeftovers(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_catalog.pg_database where datname ~ '^(mutant|test)_'`,
  );
  return rows.map(({ datname }) => datname);
}

async function withClient<T>(
  { host, port, user }: TestCluster,
  database: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
