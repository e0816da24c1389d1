import pg from 'pg';
import type { Figure } from './benchmark.ts';
import { type LibraryUser, openLibrary } from './open-library.ts';
import { type Latencies, summariseLatencies } from './summarise-latencies.ts';

/**
 * What people type: common words, rare ones, parts of words, accents left out, one letter, and what is nowhere; several words, of which
 * the names of categories and folders hold some.
 */
const TERMS = [
  'biblioteca',
  'aplicacao',
  'ção',
  'lib',
  'de',
  'a',
  'x',
  'z',
  '%',
  'documentacao',
  'xastir',
  'inexistente',
  'qqqqzz',
  'não há isto',
  'aplicacao de documentacao',
  'documentacao de aplicacao web',
  'biblioteca inexistente',
  'pasta medida biblioteca',
  'categoria documentacao',
  'medida xastir',
  'qqqqzz medida',
  'web -biblioteca',
];
const ROUNDS = 100;

/** Quick search over the whole HTTP path, one request after another, as one person types. */
export async function measureSearch(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  try {
    const large = await searchAs(library.server.url, library.largest);
    const ordinary = await searchAs(library.server.url, library.ordinary);
    return [
      toFigure('quick search, user of 100,000 links (worst term)', large, 35),
      toFigure('quick search, ordinary user (worst term)', ordinary, 5),
      await weighIndex(library.connection),
    ];
  } finally {
    await library.close();
  }
}

/** What search keeps beside the links themselves, on disk and in memory once it is read. */
async function weighIndex(connection: pg.ClientConfig): Promise<Figure> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: number; own: number }>(`
      select ((pg_total_relation_size('private.link_search') + pg_total_relation_size('private.link_search_zones')) / n.links)::int as bytes,
        (pg_total_relation_size('public.links') / n.links)::int as own
      from (select count(*) as links from public.links) as n`);
    const [{ bytes, own } = { bytes: 0, own: 0 }] = rows;
    return { name: 'search index, bytes a link (the link itself)', value: `${bytes} (${own})` };
  } finally {
    await client.end();
  }
}

type TermLatencies = Latencies & { readonly term: string };

/** Percentiles of the slowest term: an average over terms would hide the absent word that scans everything. */
async function searchAs(url: string, user: LibraryUser): Promise<TermLatencies> {
  const byTerm: TermLatencies[] = [];
  for (const term of TERMS) {
    const samples: number[] = [];
    for (let round = -2; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/rest/v1/rpc/search_links`, {
        method: 'POST',
        headers: user.headers,
        body: JSON.stringify({ term, max_results: 10 }),
      });
      await answer.text();
      if (!answer.ok) throw new Error(`search for '${term}' answered ${answer.status}`);
      if (round >= 0) samples.push(performance.now() - startedAt);
    }
    byTerm.push({ term, ...summariseLatencies(samples) });
  }
  return byTerm.reduce((worst, one) => (one.p95 > worst.p95 ? one : worst));
}

function toFigure(name: string, latencies: TermLatencies, goal: number): Figure {
  const { term, p50, p95 } = latencies;
  return {
    name,
    value: `p95 ${p95.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms ('${term}')`,
    goal: `p95 < ${goal} ms`,
    met: p95 < goal,
  };
}
