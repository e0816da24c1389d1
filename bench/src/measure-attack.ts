import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import pg from 'pg';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { PASSWORD, type SignedInUser, signInAs } from './sign-in-as.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { summariseLatencies } from './summarise-latencies.ts';

const ATTACKERS = 64;
const ACCOUNTS = 16;
const LINKS_OF_EACH = 5_000;
const GOAL_MS = 300;

/**
 * What others feel while 64 callers at once, visitors and accounts with large libraries, ask what is dear to answer: the times of
 * the health check, of signing in and of another person's list, and what the database's largest process holds meanwhile.
 */
export async function measureAttack({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  try {
    const people: SignedInUser[] = [];
    for (let index = 0; index <= ACCOUNTS; index += 1)
      people.push(await signInAs(server, `pessoa${index}@exemplo.com.br`));
    const [person, ...accounts] = people as [SignedInUser, ...SignedInUser[]];
    await fillLibraries(data.path, people);
    return await besiege(server, person, accounts, isQuick ? 5_000 : 20_000);
  } finally {
    await server.stop();
    await data.remove();
  }
}

async function fillLibraries(dataFolder: string, people: readonly SignedInUser[]): Promise<void> {
  const client = new pg.Client(findRunningPostgres(join(dataFolder, 'postgres')));
  await client.connect();
  const ids = [people.map(({ id }) => id)];
  await client.query(
    `insert into public.subscribers (user_id, plan, subscription_status) select unnest($1::uuid[]), 'pro', 'active'`,
    ids,
  );
  await client.query(`insert into public.folders (user_id, name) select unnest($1::uuid[]), 'Pasta'`, ids);
  await client.query(
    `insert into public.categories (user_id, folder_id, name) select user_id, id, 'Categoria' from public.folders`,
  );
  await client.query(
    `insert into public.links (user_id, category_id, title, url, description)
     select user_id, id, 'Um título comprido como os de verdade ' || n, 'https://exemplo.com.br/caminho/' || n, repeat('descrição ', 20)
     from public.categories cross join generate_series(1, $1::int) n`,
    [LINKS_OF_EACH],
  );
  await client.query('vacuum (analyze)');
  await client.end();
}

const IDS = Array.from({ length: 150 }, () => crypto.randomUUID()).join(',');
/** Each is within what the plan of a request may weigh. */
const DEAR = [
  '/rest/v1/links?select=id&title=ilike.*nada%20disso*&description=ilike.*nem%20isto*',
  '/rest/v1/links?select=id&title=match.(c|t)(o|i)(m|t)(p|u)(r|l)(i|o)d.*z{1,9}$',
  '/rest/v1/links?select=*,categories(*,links(*,categories(*)))&limit=200&categories.links.limit=200',
  '/rest/v1/folders?select=*,categories(*,links(*))',
  '/rest/v1/links?select=id&description=wfts.biblioteca',
  `/rest/v1/links?select=id&id=in.(${IDS})&or=(title.ilike.*x*y*,url.ilike.*z*w*)`,
];
/** Of visitors: functions are all they may call, and the addresses of pages. */
const DEAR_TO_VISITORS = [
  '/rest/v1/links?select=id&title=imatch.(a*)*b',
  '/rest/v1/rpc/shared_links?category_id=99999999-9999-4999-8999-999999999999',
  '/rest/v1/categories?select=*,links(*)',
];

async function besiege(
  server: RunningServer,
  person: SignedInUser,
  accounts: readonly SignedInUser[],
  lastsMs: number,
): Promise<readonly Figure[]> {
  const end = { reached: false };
  const outcomes = new Map<number, number>();
  const attack = async (
    paths: readonly string[],
    headers: Readonly<Record<string, string>>,
    first: number,
  ) => {
    for (let turn = first; !end.reached; turn += 1) {
      const answer = await fetch(`${server.url}${paths[turn % paths.length]}`, { headers });
      await answer.arrayBuffer();
      outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
    }
  };
  const visitors = { apikey: server.anonKey };
  const attackers = Array.from({ length: ATTACKERS }, (_, index) =>
    index % 4 === 0
      ? attack(DEAR_TO_VISITORS, visitors, index)
      : attack(DEAR, accounts[index % accounts.length]?.headers ?? {}, index),
  );
  await pause(1_000);
  const until = performance.now() + lastsMs;
  const [health, list, signIn] = await Promise.all([
    sample(until, 50, () => fetch(`${server.url}/health`)),
    sample(until, 50, () =>
      fetch(`${server.url}/rest/v1/links?select=id,title,url&order=created_at.desc&limit=50`, {
        headers: person.headers,
      }),
    ),
    sample(until, 500, () =>
      fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: person.email, password: PASSWORD }),
      }),
    ),
  ]);
  end.reached = true;
  await Promise.all(attackers);
  const failed = [...outcomes].filter(([status]) => status >= 500).reduce((sum, [, count]) => sum + count, 0);
  process.stderr.write(
    `answers to the attackers, by status: ${JSON.stringify(Object.fromEntries(outcomes))}\n`,
  );
  return [
    toFigure('GET /health', health),
    toFigure('signing in by password', signIn),
    toFigure("another person's newest 50 links", list),
    {
      name: `answers of 5xx to the ${ATTACKERS} callers that ask what is dear`,
      value: `${failed} of ${[...outcomes.values()].reduce((sum, count) => sum + count, 0)}`,
    },
  ];
}

/** Milliseconds of one request after the other, with a pause between them. @throws Error when one is not answered 200. */
async function sample(
  until: number,
  pauseMs: number,
  ask: () => Promise<Response>,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    const startedAt = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.url}: ${answer.status}`);
    times.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return times;
}

function toFigure(what: string, samples: readonly number[]): Figure {
  const { p50, p95, max } = summariseLatencies(samples);
  return {
    name: `${what}, while ${ATTACKERS} callers ask what is dear: p50 / p95 / longest`,
    value: `${Math.round(p50)} / ${Math.round(p95)} / ${Math.round(max)} ms`,
    goal: `p95 < ${GOAL_MS} ms`,
    met: p95 < GOAL_MS,
  };
}
