import autocannon from 'autocannon';
import pg from 'pg';
import type { Figure } from './benchmark.ts';
import { type Library, openLibrary } from './open-library.ts';

const CONNECTIONS = 16;
const SECONDS = 10;
const GOAL = 500;
/** As browsers ask. */
const HEADERS = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };

/**
 * Requests a second of a public category's page, from the very first request of a server that has just started: one page
 * that everybody reads, and pages of 50 links that nobody has asked for before.
 */
export async function measureSharedPage(): Promise<readonly Figure[]> {
  const one = await withPublicCategories(async ({ server }, [first]) =>
    fire({ url: `${server.url}${first}`, duration: SECONDS }),
  );
  const each = await withPublicCategories(async ({ server }, paths) =>
    fire({
      url: server.url,
      amount: paths.length,
      requests: paths.map((path) => ({ method: 'GET' as const, path, headers: HEADERS })),
    }),
  );
  return [
    toFigure('the page of a public category, cold start, requests/s', one),
    toFigure(`${each.answers} different pages of 50 links, each drawn for the first time, requests/s`, each),
  ];
}

type Rate = { readonly perSecond: number; readonly answers: number; readonly p99: number };

function toFigure(name: string, { perSecond, p99 }: Rate): Figure {
  return {
    name,
    value: `${Math.round(perSecond)} (p99 ${Math.round(p99)} ms)`,
    goal: `≥ ${GOAL}`,
    met: perSecond >= GOAL,
  };
}

async function fire(options: Partial<autocannon.Options> & { readonly url: string }): Promise<Rate> {
  const start = performance.now();
  const result = await autocannon({ headers: HEADERS, connections: CONNECTIONS, ...options });
  const seconds = (performance.now() - start) / 1_000;
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors, ${result['2xx']} answers`);
  return { perSecond: result['2xx'] / seconds, answers: result['2xx'], p99: result.latency.p99 };
}

/** A fresh server whose largest library is public meanwhile; `paths` are the pages of its categories, newest first. */
async function withPublicCategories<T>(
  run: (library: Library, paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const library = await openLibrary();
  const client = new pg.Client(library.connection);
  await client.connect();
  const publish = (isPublic: boolean) =>
    client.query('update public.categories set is_public = $2 where user_id = $1', [
      library.largest.id,
      isPublic,
    ]);
  try {
    await publish(true);
    return await run(library, await listPages(client, library.largest.id));
  } finally {
    await publish(false);
    await client.end();
    await library.close();
  }
}

async function listPages(client: pg.Client, ownerId: string): Promise<string[]> {
  const { rows } = await client.query(
    `select category_id as id, to_json(created_at) #>> '{}' as before
     from (
       select category_id, created_at, row_number() over (partition by category_id order by created_at desc) as place
       from public.links where user_id = $1
     ) as link
     where place % 50 = 1 order by category_id, created_at desc`,
    [ownerId],
  );
  return rows.map(({ id, before }) => `/shared/${id}?before=${encodeURIComponent(before)}`);
}
