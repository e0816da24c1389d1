import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import pg from 'pg';
import type { Figure } from './benchmark.ts';
import { signInAs } from './sign-in-as.ts';
import { startServer } from './start-server.ts';
import { summariseLatencies } from './summarise-latencies.ts';

const USERS = 100_000;
const ROUNDS = 30;
const GOAL = 100;

/** What an administrator asks: the first page, the last, a filter, common and rare parts of addresses, and what is nowhere. */
const REQUESTS: readonly { readonly name: string; readonly body: object }[] = [
  { name: 'first page', body: {} },
  { name: 'last page', body: { page: USERS / 10 } },
  { name: 'a plan', body: { plan: 'pro' } },
  { name: 'common, deep', body: { search: 'pessoa-', page: USERS / 20 } },
  { name: 'one address', body: { search: 'PESSOA-99999@' } },
  { name: 'nowhere', body: { search: 'não há isto' } },
];

/** The administrator's list of users over the whole HTTP path, with 100,000 accounts: search, filter, any page and the total. */
export async function measureAdmin(): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  try {
    const admin = await signInAs(server, 'diane@exemplo.com.br');
    await seedUsers(data.path, admin.id);
    const byRequest = [];
    for (const { name, body } of REQUESTS) {
      const samples: number[] = [];
      for (let round = -2; round < ROUNDS; round += 1) {
        const took = await ask(server.url, admin.headers, body);
        if (round >= 0) samples.push(took);
      }
      byRequest.push({ name, ...summariseLatencies(samples) });
    }
    const worst = byRequest.reduce((slowest, one) => (one.p95 > slowest.p95 ? one : slowest));
    return [
      {
        name: `administrator's list of ${USERS.toLocaleString('en')} users, searched, filtered and paged (worst request)`,
        value: `p95 ${worst.p95.toFixed(1)} ms, p50 ${worst.p50.toFixed(1)} ms (${worst.name})`,
        goal: `p95 < ${GOAL} ms`,
        met: worst.p95 < GOAL,
      },
    ];
  } finally {
    await server.stop();
    await data.remove();
  }
}

async function seedUsers(dataFolder: string, adminId: string): Promise<void> {
  const connection = findRunningPostgres(join(dataFolder, 'postgres'));
  if (connection === undefined) throw new Error(`no database runs on ${dataFolder}`);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      `insert into auth.users (id, email, created_at, raw_user_meta_data)
       select gen_random_uuid(), 'pessoa-' || n || '@exemplo.com.br', now() - n * interval '5 minutes', '{"name":"Medida"}'
       from generate_series(1, $1::int) n`,
      [USERS],
    );
    await client.query(
      `insert into public.subscribers (user_id, plan, subscription_status)
       select id, 'pro', 'active' from auth.users where right(id::text, 1) = '0'`,
    );
    await client.query('update private.installation set admin_user_id = $1', [adminId]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function ask(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${url}/rest/v1/rpc/admin_list_users`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ page_size: 10, ...body }),
  });
  const answer = (await response.json()) as { readonly total?: number } | null;
  if (answer?.total === undefined) throw new Error(`no list came back: ${JSON.stringify(answer)}`);
  return performance.now() - began;
}
