import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import lighthouse from 'lighthouse';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { openBrowser } from './open-browser.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { median } from './summarise-latencies.ts';

const ROUNDS = 5;
const QUICK_ROUNDS = 1;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const PAGES = ['/', '/terms', '/privacy-policy'] as const;

/** The pages of the site as Lighthouse scores them, with its own phone on a slow network. */
export async function measureLanding({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  try {
    const rounds = isQuick ? QUICK_ROUNDS : ROUNDS;
    const figures: Figure[] = [];
    for (const path of PAGES) figures.push(await score(server, path, rounds));
    return figures;
  } finally {
    await server.stop();
    await data.remove();
  }
}

/** Lighthouse's median scores of a page; a browser of its own for each run, so that nothing is cached. */
async function score(server: RunningServer, path: string, rounds: number): Promise<Figure> {
  const runs: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const port = await findFreePort();
    const browser = await openBrowser([`--remote-debugging-port=${port}`]);
    try {
      const result = await lighthouse(`${server.url}${path}`, { port, logLevel: 'error', locale: 'pt' });
      const categories = result?.lhr.categories ?? {};
      runs.push(CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100)));
    } finally {
      await browser.close();
    }
  }
  const scores = CATEGORIES.map((_, index) => median(runs.map((run) => run[index] ?? 0)));
  return {
    name: `${path}: Lighthouse on a slow phone: performance, accessibility, best practices, SEO`,
    value: scores.join(', '),
    goal: '100 each',
    met: scores.every((one) => one === 100),
  };
}
