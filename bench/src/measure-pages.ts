import type { Browser, Page } from '@playwright/test';
import type { Figure } from './benchmark.ts';
import { type ColdLoad, loadCold, SLOWDOWN } from './load-cold.ts';
import { openBrowser, openWindow, PHONE, signInOnScreen } from './open-browser.ts';
import { type Library, openLibrary } from './open-library.ts';
import { median } from './summarise-latencies.ts';

const ROUNDS = 9;

type PageGoal = {
  readonly name: string;
  readonly path: (library: Library) => string;
  readonly signedIn: boolean;
  /** Times the paint of a plain text from the same server in the same run: that differs by machine as the pages do. */
  readonly paintRatio: number;
  /** Milliseconds. */
  readonly blocking: number;
};

/** A few lines of text, which the server sends without any code. */
const PLAIN_TEXT = '/robots.txt';

/** Largest contentful paint and total blocking time: the budget of the first visit. */
const PAGES: readonly PageGoal[] = [
  { name: '/', path: () => '/', signedIn: false, paintRatio: 1.6, blocking: 0 },
  { name: '/login', path: () => '/login', signedIn: false, paintRatio: 3, blocking: 160 },
  { name: '/dashboard', path: () => '/dashboard', signedIn: true, paintRatio: 3.6, blocking: 310 },
  {
    name: '/category',
    path: ({ largest }) => `/category/${largest.categoryId}`,
    signedIn: true,
    paintRatio: 4.2,
    blocking: 250,
  },
];

/** How soon a page stands on a phone whose processor is four times slower, nothing cached. */
export async function measurePages(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  const browser = await openBrowser();
  try {
    const plain: number[] = [];
    const loads = PAGES.map((): ColdLoad[] => []);
    // In turn: a machine that slows down slows all of them down.
    for (let round = 0; round < ROUNDS; round += 1) {
      plain.push((await loadOnce(browser, library, { path: PLAIN_TEXT, signedIn: false })).paint);
      for (const [index, { path, signedIn }] of PAGES.entries())
        loads[index]?.push(await loadOnce(browser, library, { path: path(library), signedIn }));
    }
    return PAGES.flatMap((goal, index) => describePage(goal, loads[index] ?? [], median(plain)));
  } finally {
    await browser.close();
    await library.close();
  }
}

function describePage(goal: PageGoal, loads: readonly ColdLoad[], plain: number): readonly Figure[] {
  const paint = median(loads.map((load) => load.paint));
  const blocking = median(loads.map((load) => load.blocking));
  const ratio = paint / plain;
  return [
    {
      name: `${goal.name}: largest contentful paint, phone, processor ${SLOWDOWN}× slower, to that of ${PLAIN_TEXT}`,
      value: `${ratio.toFixed(1)} (${Math.round(paint)} to ${Math.round(plain)} ms)`,
      goal: `≤ ${goal.paintRatio}`,
      met: ratio <= goal.paintRatio,
    },
    {
      name: `${goal.name}: total blocking time`,
      value: `${Math.round(blocking)} ms`,
      goal: `≤ ${goal.blocking} ms`,
      met: blocking <= goal.blocking,
    },
  ];
}

async function loadOnce(
  browser: Browser,
  library: Library,
  { path, signedIn }: { readonly path: string; readonly signedIn: boolean },
): Promise<ColdLoad> {
  const context = await openWindow(browser, library.server, PHONE);
  try {
    if (signedIn) {
      const first = await context.newPage();
      await signInOnScreen(first, library.largest.email);
      await first.close();
      await forgetCaches(context.newPage.bind(context));
    }
    return await loadCold(await context.newPage(), path);
  } finally {
    await context.close();
  }
}

/** The session stays; what the browser keeps of the application does not: a first visit is measured. */
async function forgetCaches(newPage: () => Promise<Page>): Promise<void> {
  const page = await newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.goto('/config.json');
  await page.evaluate(async () => {
    for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page.close();
}
