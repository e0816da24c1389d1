import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { fillLibrary } from './fill-library.ts';
import { type SignedInUser, signInAs } from './sign-in-as.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { type Latencies, summariseLatencies } from './summarise-latencies.ts';

/** Below what the server lets one program ask in a minute, all tools together. */
const ROUNDS = 60;
const PROGRAMS = 100;
const CALLS_OF_EACH = 20;
/** The first calls open connections and prepare statements. */
const WARM_UP = 5;

type Tool = {
  readonly name: string;
  readonly arguments: object;
  /** What its answer holds where it did its work. */
  readonly says: string;
};

const SEARCH: Tool = { name: 'search_links', arguments: { query: 'receita 777' }, says: 'exemplo.com.br' };

/** Calls of an assistant's tools on a library of 10,000 links, beside the table API; then those of a hundred programs at once. */
export async function measureAssistants({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const folder = await createDataFolder();
  const server = await startServer(folder.path);
  try {
    const person = await signInAs(server, 'assistente@exemplo.com.br');
    const categoryId = await fillLibrary(folder.path, person.id);
    const list: Tool = { name: 'list_links', arguments: { category_id: categoryId }, says: 'exemplo.com.br' };
    const name = (what: string) => `assistants, 10,000 links: ${what}`;
    const search = await repeat(ROUNDS, () => callTool(server, person, SEARCH));
    const table = await repeat(ROUNDS, () => askTable(server, person));
    const ratio = search.p50 / table.p50;
    return [
      { name: name('search_links'), ...toGoal(search) },
      {
        name: name('search_links ÷ the same from the table API'),
        value: `×${ratio.toFixed(2)} (${search.p50.toFixed(1)} ÷ ${table.p50.toFixed(1)} ms, p50)`,
        goal: '≤ ×1.25',
        met: ratio <= 1.25,
      },
      { name: name('list_links'), ...toGoal(await repeat(ROUNDS, () => callTool(server, person, list))) },
      await measurePrograms(server, isQuick ? 10 : PROGRAMS),
    ];
  } finally {
    await server.stop();
    await folder.remove();
  }
}

/** One person's program each, all at once, each asking again as soon as it is answered. */
async function measurePrograms(server: RunningServer, count: number): Promise<Figure> {
  const people: SignedInUser[] = [];
  for (let at = 0; at < count; at += 1) people.push(await signInAs(server, `programa-${at}@exemplo.com.br`));
  const save = (at: number): Tool => ({
    name: 'save_links',
    arguments: { links: [{ url: `https://exemplo.com.br/${at}`, title: `Receita 777 de medida ${at}` }] },
    says: 'outcomes',
  });
  for (const [at, person] of people.entries()) await callTool(server, person, save(at));
  const begun = performance.now();
  const samples: number[] = [];
  await Promise.all(
    people.map(async (person) => {
      for (let round = 0; round < CALLS_OF_EACH; round += 1)
        samples.push(await time(() => callTool(server, person, SEARCH)));
    }),
  );
  const perSecond = Math.round(samples.length / ((performance.now() - begun) / 1_000));
  return {
    name: `assistants, ${count} programs at once, ${CALLS_OF_EACH} searches each`,
    value: `${perSecond} calls/s, ${toText(summariseLatencies(samples))}, none refused`,
  };
}

async function repeat(rounds: number, act: () => Promise<void>): Promise<Latencies> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await time(act));
  return summariseLatencies(samples.slice(WARM_UP));
}

async function time(act: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** @throws Error where it is refused, or finds nothing: what is measured is work. */
async function callTool(
  { url }: RunningServer,
  { headers }: SignedInUser,
  { says, ...params }: Tool,
): Promise<void> {
  const reply = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await reply.text();
  if (!reply.ok || text.includes('"isError":true') || !text.includes(says))
    throw new Error(`${params.name} answered ${reply.status}: ${text.slice(0, 500)}`);
}

async function askTable({ url }: RunningServer, { headers }: SignedInUser): Promise<void> {
  const term = encodeURIComponent('receita 777');
  const reply = await fetch(`${url}/rest/v1/rpc/search_links_by?term=${term}&max_results=25`, { headers });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`the table API answered ${reply.status}`);
}

const toText = ({ p50, p95 }: Latencies) => `p95 ${p95.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms`;
const toGoal = (latencies: Latencies) => ({
  value: toText(latencies),
  goal: 'p95 < 50 ms',
  met: latencies.p95 < 50,
});
