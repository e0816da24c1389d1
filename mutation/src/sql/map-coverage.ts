import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startTestCluster } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { openWarmVitest, REPOSITORY } from './warm-vitest.ts';

/** What one test file touched: how often each function was called and each table read or written, and how long the file took. */
export type FileCoverage = {
  readonly file: string;
  readonly milliseconds: number;
  /** By `schema.name`; functions of one name and several signatures count together. */
  readonly functions: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, number>>;
};

/**
 * These compare the schema with a copy of it that is generated anew with each change of the migrations: they notice any change and say
 * nothing about whether it is right, so that a mutant they alone notice has survived.
 */
const LEFT_OUT = [
  'supabase/tests/schema-file.test.ts',
  'supabase/tests/rights.test.ts',
  'supabase/tests/database-types.test.ts',
  // Makes its databases from the migrations' files, where no mutant is.
  'supabase/tests/earlier-history.test.ts',
  'supabase/tests/hosted-platform.test.ts',
];

/** Which test file touches what, read from Postgres' own counts. Kept in a file until a test or a migration changes. */
export async function mapCoverage(say: (line: string) => void): Promise<readonly FileCoverage[]> {
  const cache = join(REPOSITORY, 'node_modules/.cache/linkoteca-mutation');
  const known = join(cache, 'sql-coverage.json');
  const migrations = hashFolder('supabase/migrations');
  const hashOf = (file: string) => `${migrations} ${hashFile(file)}`;
  const before: Record<string, FileCoverage & { hash: string }> = existsSync(known)
    ? JSON.parse(readFileSync(known, 'utf8'))
    : {};
  const files = readdirSync(join(REPOSITORY, 'supabase/tests'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `supabase/tests/${name}`)
    .filter((file) => !LEFT_OUT.includes(file) && readFile(file).includes('createThrowawayDatabase()'));
  const changed = files.filter((file) => before[file]?.hash !== hashOf(file));
  if (changed.length > 0) {
    say(`looking at what ${changed.length} test files touch …`);
    const observed = await observe(changed, say);
    for (const one of observed) before[one.file] = { ...one, hash: hashOf(one.file) };
    const failed = changed.filter((file) => !observed.some((one) => one.file === file));
    // A test that fails as it is would notice every mutant.
    for (const file of failed) delete before[file];
    if (failed.length > 0) say(`left out, since they fail without any mutant: ${failed.join(', ')}`);
    mkdirSync(cache, { recursive: true });
    writeFileSync(known, JSON.stringify(before, null, 1));
  }
  return files.flatMap((file) => before[file] ?? []);
}

async function observe(
  files: readonly string[],
  say: (line: string) => void,
): Promise<readonly FileCoverage[]> {
  const cluster = await startTestCluster();
  const kept = join(tmpdir(), `linkoteca-kept-${process.pid}.tsv`);
  writeFileSync(kept, '');
  process.env['LINKOTECA_KEPT_DATABASES'] = kept;
  const { host, port, user } = cluster;
  const admin = new pg.Client({ host, port, user, database: 'postgres' });
  try {
    await admin.connect();
    await admin.query(`alter system set track_functions = 'all'`);
    await admin.query(`alter role authenticator set statement_timeout = '60s'`);
    await admin.query('select pg_reload_conf()');
    const setupFile = new URL('./keep-databases.ts', import.meta.url);
    const vitest = await openWarmVitest({ cluster, patienceMs: 120_000, workers: 3, lanes: 1, setupFile });
    const results = await vitest.run(files.map((file) => ({ lane: 0, file })));
    await vitest.close();
    for (const { file, error } of results.filter(({ passed }) => !passed)) say(`${file}: ${error}`);
    const databases = readFileSync(kept, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t') as [string, string]);
    const coverage: FileCoverage[] = [];
    for (const { file, milliseconds } of results.filter(({ passed }) => passed)) {
      const own = databases.filter(([path]) => relative(REPOSITORY, path) === file).map(([, name]) => name);
      coverage.push({ file, milliseconds, ...(await readCounts({ host, port, user }, own)) });
    }
    return coverage;
  } finally {
    delete process.env['LINKOTECA_KEPT_DATABASES'];
    rmSync(kept, { force: true });
    await admin.end();
    await cluster.stop();
  }
}

async function readCounts(connection: pg.ClientConfig, databases: readonly string[]) {
  const functions: Record<string, number> = {};
  const tables: Record<string, number> = {};
  for (const database of databases) {
    const client = new pg.Client({ ...connection, database });
    await client.connect();
    try {
      const called = await client.query<{ name: string; calls: number }>(
        `select schemaname || '.' || funcname as name, sum(calls)::int as calls from pg_stat_user_functions
         where schemaname in ('public', 'private') group by 1`,
      );
      for (const { name, calls } of called.rows) functions[name] = (functions[name] ?? 0) + calls;
      const touched = await client.query<{ name: string; uses: number }>(
        // A partition counts for its table.
        `select coalesce(pg_partition_root(relid), relid)::regclass::text as name,
           (coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int as uses
         from set_config('search_path', '', false), pg_stat_user_tables where schemaname in ('public', 'private', 'auth', 'storage', 'realtime')`,
      );
      for (const { name, uses } of touched.rows) if (uses > 0) tables[name] = (tables[name] ?? 0) + uses;
    } finally {
      await client.end();
    }
  }
  return { functions, tables };
}

const readFile = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8');
const hashFile = (file: string) => createHash('sha256').update(readFile(file)).digest('hex');

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(join(REPOSITORY, folder)).toSorted())
    hash.update(hashFile(join(folder, name)));
  return hash.digest('hex');
}
