import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { sendRandomRequests } from '@linkoteca/server-process/send-random-requests';
import pg from 'pg';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { signInAs } from './sign-in-as.ts';
import { startServer } from './start-server.ts';

const REQUESTS = 100_000;
const MOST_BYTES = 16 * 1024 * 1024;
const PEOPLE = 4;

/** A hundred thousand random and torn requests to all services: how many ended in a failure of the server, and the longest answer. */
export async function sendManyRandomRequests({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  try {
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, index) => signInAs(server, `acaso${index}@exemplo.com.br`)),
    );
    const categoryIds = await fillLibraries(
      data.path,
      people.map(({ id }) => id),
    );
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    const run = await sendRandomRequests({
      url: server.url,
      known: {
        anonKey: server.anonKey,
        accessTokens: people.map(({ headers }) => String(headers['authorization']).slice('Bearer '.length)),
        userIds: people.map(({ id }) => id),
        categoryIds,
      },
      seed,
      count: isQuick ? REQUESTS / 20 : REQUESTS,
      mostBytes: MOST_BYTES,
    });
    const isAlive = (await fetch(`${server.url}/health`)).status === 200;
    for (const { request, status, text } of run.bad.slice(0, 40))
      process.stderr.write(
        `${status} ${request.method} ${request.path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 500)}\n  → ${text}\n`,
      );
    process.stderr.write(
      `answers by status: ${JSON.stringify(run.byStatus)}\n${server.output().slice(-4_000)}\n`,
    );
    return [
      {
        name: `random requests to all services (seed ${seed}) that ended in a failure of the server`,
        value: `${run.bad.length} of ${run.sent}; the server ${isAlive ? 'serves on' : 'is gone'}`,
        goal: '0',
        met: run.bad.length === 0 && isAlive,
      },
      {
        name: 'the longest answer among them',
        value: `${Math.ceil(run.longestBytes / 1024)} KiB`,
        goal: '≤ 16 MiB',
        met: run.longestBytes <= MOST_BYTES,
      },
    ];
  } finally {
    await server.stop();
    await data.remove();
  }
}

async function fillLibraries(dataFolder: string, ids: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client(findRunningPostgres(join(dataFolder, 'postgres')));
  await client.connect();
  await client.query(
    `insert into public.subscribers (user_id, plan, subscription_status) select id, 'pro', 'active' from unnest($1::uuid[]) id limit 2`,
    [ids],
  );
  await client.query(`insert into public.folders (user_id, name) select unnest($1::uuid[]), 'Pasta'`, [ids]);
  const { rows } = await client.query<{ id: string }>(
    `insert into public.categories (user_id, folder_id, name) select user_id, id, 'Categoria' from public.folders returning id`,
  );
  await client.query(
    `insert into public.links (user_id, category_id, title, url, description)
     select user_id, id, repeat('título', 16), 'https://exemplo.com.br/' || repeat('u', 400), repeat('descrição', 130)
     from public.categories cross join generate_series(1, 20)`,
  );
  await client.end();
  return rows.map(({ id }) => id);
}
