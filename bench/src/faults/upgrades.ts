import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Draw } from '@linkoteca/server-process/create-draw';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import {
  launchServerProcess,
  type ServerProcess,
  startServerProcess,
} from '@linkoteca/server-process/start-server-process';
import pg from 'pg';
import type { Fault, Trial } from './fault.ts';
import { findWrongCounters, type Queryable } from './read-everything.ts';

const FOLDERS = {
  platformFolder: join(PROJECT_FOLDER, 'apps/server/platform'),
  migrationsFolder: join(PROJECT_FOLDER, 'supabase/migrations'),
};
const PEOPLE = 20;
const LINKS_EACH = 250;
/** What comes before these makes the tables of a library. */
const MOST_PENDING = 12;
const LONGEST_START_MS = 2_000;
const STARTS_PER_ROUND = 3;

/** A library on the schema of some versions ago; each start that migrates it is killed, but the last. */
async function killUpgrades({ draw, rounds, report }: Trial): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const data = await createDataFolder();
    let server: ServerProcess | undefined;
    try {
      await writeOldLibrary(join(data.path, 'postgres'), draw);
      const port = await findFreePort();
      for (let start = 0; start < STARTS_PER_ROUND; start += 1) {
        const starting = launchServerProcess({ dataFolder: data.path, port });
        await pause(draw.number(LONGEST_START_MS));
        await starting.kill();
      }
      const since = performance.now();
      server = await startServerProcess({ dataFolder: data.path, port });
      const recoverySeconds = (performance.now() - since) / 1000;
      const database = await openServerDatabase(data.path);
      const lost = await findLosses(database).finally(() => database.end());
      report({ lost, doubled: [], acknowledged: PEOPLE * LINKS_EACH, recoverySeconds });
    } finally {
      await server?.stop();
      await data.remove();
    }
  }
}

async function writeOldLibrary(dataFolder: string, draw: Draw): Promise<void> {
  const platform = listMigrations(FOLDERS.platformFolder);
  const product = listMigrations(FOLDERS.migrationsFolder);
  const pending = 1 + draw.number(MOST_PENDING);
  const only = {
    platform: platform.map(({ fileName }) => fileName),
    product: product.slice(0, -pending).map(({ version }) => version),
  };
  const postgres = await startEmbeddedPostgres({ dataFolder });
  try {
    await applyMigrations({ connect: postgres.connection, ...FOLDERS, only });
    const client = new pg.Client(postgres.connection);
    await client.connect();
    for (const statement of OLD_LIBRARY) await client.query(statement);
    await client.end();
  } finally {
    await postgres.stop();
  }
}

const OLD_LIBRARY = [
  `insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
   select gen_random_uuid(), 'authenticated', 'authenticated', 'antiga' || n || '@exemplo.com.br', now(), now(), now()
   from generate_series(1, ${PEOPLE}) n`,
  `insert into public.subscribers (user_id, plan, subscription_status) select id, 'pro', 'active' from auth.users`,
  `insert into public.folders (user_id, name) select id, 'Pasta' from auth.users`,
  `insert into public.categories (user_id, folder_id, name) select user_id, id, 'Categoria' from public.folders`,
  `insert into public.links (user_id, category_id, title, url)
   select user_id, id, 'Ligação ' || n, 'https://exemplo.com.br/' || n
   from public.categories, generate_series(1, ${LINKS_EACH}) n`,
];

async function findLosses(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query(
    `select u.email, count(l.id)::int as links from auth.users u left join public.links l on l.user_id = u.id
     group by 1 having count(l.id) <> $1`,
    [LINKS_EACH],
  );
  const { rows: people } = await database.query('select count(*)::int as count from auth.users');
  return [
    ...rows.map(({ email, links }) => `${email} has ${links} links`),
    ...(people[0].count === PEOPLE ? [] : [`${people[0].count} people of ${PEOPLE} are there`]),
    ...(await findWrongCounters(database)),
  ];
}

export const UPGRADES: readonly Fault[] = [
  {
    name: 'kill-upgrade',
    title: '`kill -9` in three starts that migrate an older schema, then one at once',
    rounds: 8,
    recoverWithinSeconds: 30,
    run: killUpgrades,
  },
];
