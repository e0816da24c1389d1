import type { Figure } from './benchmark.ts';
import { compareThroughput } from './compare-throughput.ts';
import { openLibrary } from './open-library.ts';
import { startBareServer } from './start-bare-server.ts';

/** One link a request, every constraint, counter and search entry kept: requests a second against the bare server's. */
export async function measureInsert(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  const bare = await startBareServer(library.connection);
  try {
    const { id, categoryId, headers } = library.writer;
    const link = {
      title: 'Ligação de medida',
      url: 'https://exemplo.com.br/medida',
      category_id: categoryId,
      user_id: id,
    };
    const body = JSON.stringify(link);
    const rate = await compareThroughput({
      ours: { url: `${library.server.url}/rest/v1/links`, method: 'POST', headers, body },
      bare: { url: `${bare.url}/insert-link`, method: 'POST', headers: {}, body },
    });
    const ratio = rate.ours / rate.bare;
    return [
      {
        name: 'insert one link, requests/s ÷ bare node:http server',
        value: `×${ratio.toFixed(2)} (${Math.round(rate.ours)} ÷ ${Math.round(rate.bare)})`,
      },
    ];
  } finally {
    bare.stop();
    await library.close();
  }
}
