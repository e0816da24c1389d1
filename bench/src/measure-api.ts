import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Figure } from './benchmark.ts';
import { fillLibrary } from './fill-library.ts';
import { signInAs } from './sign-in-as.ts';
import { startServer } from './start-server.ts';
import { type Latencies, summariseLatencies } from './summarise-latencies.ts';

/** Below what the server lets one program ask in a minute, all calls together. */
const ROUNDS = 90;

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
