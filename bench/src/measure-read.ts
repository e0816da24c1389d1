import type { Figure } from './benchmark.ts';
import { compareThroughput } from './compare-throughput.ts';
import { openLibrary } from './open-library.ts';
import { startBareServer } from './start-bare-server.ts';

/** Newest 50 links of a category of the 100,000-link user: requests a second against the bare server's. */
export async function measureRead(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  const bare = await startBareServer(library.connection);
  try {
    const category = library.largest.categoryId;
    const columns = 'id,title,url,description,category_id,user_id,created_at,updated_at';
    const query = `select=${columns}&category_id=eq.${category}&order=created_at.desc&limit=50`;
    const rate = await compareThroughput({
      ours: { url: `${library.server.url}/rest/v1/links?${query}`, headers: library.largest.headers },
      bare: { url: `${bare.url}/newest-links?category=${category}`, headers: {} },
      bareJson: { url: `${bare.url}/newest-links-json?of=${category}`, headers: {} },
    });
    const ratio = rate.ours / rate.bare;
    return [
      {
        name: 'newest 50 links of a category, requests/s ÷ bare node:http server',
        value: `×${ratio.toFixed(2)} (${Math.round(rate.ours)} ÷ ${Math.round(rate.bare)})`,
        goal: '≥ ×0.75',
        met: ratio >= 0.75,
      },
      {
        name: 'the same ÷ bare server that builds its JSON in Postgres',
        value: `×${(rate.ours / rate.bareJson).toFixed(2)} (${Math.round(rate.ours)} ÷ ${Math.round(rate.bareJson)})`,
      },
    ];
  } finally {
    bare.stop();
    await library.close();
  }
}
