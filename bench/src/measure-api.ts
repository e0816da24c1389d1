import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import pg from 'pg';
import type { Figure } from './benchmark.ts';
import { signInAs } from './sign-in-as.ts';
import { startServer } from './start-server.ts';
import { type Latencies, summariseLatencies } from './summarise-latencies.ts';

/** Below what the server lets one program ask in a minute, all calls together. */
const ROUNDS = 90;
const LINKS = 10_000;
/** In a tenth of the titles each. */
const WORDS = ['Bolo', 'Viagem', 'Casa', 'Projeto', 'Livro', 'Filme', 'Música', 'Receita', 'Curso', 'Jogo'];

type Call = { readonly method?: string; readonly url: string; readonly body?: () => object };

/** The plain API beside the table API, on a library of 10,000 links, one request after another as a script sends them. */
export async function measureApi(): Promise<readonly Figure[]> {
  const folder = await createDataFolder();
  const server = await startServer(folder.path);
  try {
    const { id, headers } = await signInAs(server, 'dez-mil@exemplo.com.br');
    const categoryId = await fillLibrary(folder.path, id);
    const api = `${server.url}/api/v1`;
    const rest = `${server.url}/rest/v1`;
    const at = (call: Call) => measure(call, headers);
    const list = await at({ url: `${api}/links?category_id=${categoryId}` });
    const create = await at({
      method: 'POST',
      url: `${api}/links`,
      body: () => ({ url: 'https://exemplo.com.br/novo', category_id: categoryId, tags: ['medida'] }),
    });
    const columns = '*,link_tags(tags(name))';
    const table = await at({
      url: `${rest}/links?category_id=eq.${categoryId}&order=created_at.desc&limit=50&select=${columns}`,
    });
    const search = await at({ url: `${api}/search?q=receita%20777` });
    const quick = await at({ url: `${rest}/rpc/search_links_by?term=receita%20777&max_results=25` });
    const name = (what: string) => `plain API, 10,000 links: ${what}`;
    const ratio = search.p50 / quick.p50;
    return [
      { name: name('a page of 50 links'), ...toGoal(list) },
      { name: name('the same list from the table API'), value: toText(table) },
      { name: name('save a link with a tag and an idempotency key'), ...toGoal(create) },
      {
        name: name('search ÷ the same from the table API'),
        value: `×${ratio.toFixed(2)} (${search.p50.toFixed(1)} ÷ ${quick.p50.toFixed(1)} ms, p50)`,
        goal: '≤ ×1.25',
        met: ratio <= 1.25,
      },
    ];
  } finally {
    await server.stop();
    await folder.remove();
  }
}

const toText = ({ p50, p95 }: Latencies) => `p95 ${p95.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms`;
const toGoal = (latencies: Latencies) => ({
  value: toText(latencies),
  goal: 'p95 < 50 ms',
  met: latencies.p95 < 50,
});

async function measure(
  { method = 'GET', url, body }: Call,
  headers: Readonly<Record<string, string>>,
): Promise<Latencies> {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'idempotency-key': `round ${round}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body()) }),
    });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
    samples.push(performance.now() - begun);
  }
  // The first opens connections and prepares statements.
  return summariseLatencies(samples.slice(5));
}

async function fillLibrary(dataFolder: string, userId: string): Promise<string> {
  const connection = findRunningPostgres(join(dataFolder, 'postgres'));
  if (connection === undefined) throw new Error(`no database runs on ${dataFolder}`);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`update profiles set plan = 'pro' where id = $1`, [userId]);
    const { rows } = await client.query<{ id: string }>(
      `with folder as (insert into folders (name, user_id) values ('Medida', $1) returning id)
       insert into categories (name, folder_id, user_id) select 'Medida', id, $1 from folder returning id`,
      [userId],
    );
    const categoryId = rows[0]?.id ?? '';
    await client.query(
      `insert into links (url, title, description, category_id, user_id)
       select 'https://exemplo.com.br/' || n, ($4::text[])[1 + n % 10] || ' de medida ' || n, 'Descrição ' || n, $2, $1
       from generate_series(1, $3) as n`,
      [userId, categoryId, LINKS, WORDS],
    );
    await client.query('analyze');
    return categoryId;
  } finally {
    await client.end();
  }
}
