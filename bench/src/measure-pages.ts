import type { Browser, Page } from '@playwright/test';
import type { Figure } from './benchmark.ts';
import { loadCold, SLOWDOWN } from './load-cold.ts';
import { openBrowser, openWindow, PHONE, signInOnScreen } from './open-browser.ts';
import { type Library, openLibrary } from './open-library.ts';
import { median } from './summarise-latencies.ts';

const ROUNDS = 5;

type PageGoal = {
  readonly name: string;
  readonly path: (library: Library) => string;
  readonly signedIn: boolean;
  readonly paint: number;
  readonly blocking: number;
};

/** Largest contentful paint and total blocking time, in milliseconds: the budget of the first visit. */
const PAGES: readonly PageGoal[] = [
  { name: '/login', path: () => '/login', signedIn: false, paint: 1_200, blocking: 400 },
  { name: '/dashboard', path: () => '/dashboard', signedIn: true, paint: 1_400, blocking: 600 },
  {
    name: '/category',
    path: ({ largest }) => `/category/${largest.categoryId}`,
    signedIn: true,
    paint: 1_500,
    blocking: 600,
  },
];

/** How soon a page stands on a phone whose processor is four times slower, nothing cached. */
export async function measurePages(): Promise<readonly Figure[]> {
  const library = await openLibrary();
  const browser = await openBrowser();
  try {
    const figures: Figure[] = [];
    for (const goal of PAGES) figures.push(...(await measurePage(browser, library, goal)));
    return figures;
  } finally {
    await browser.close();
    await library.close();
  }
}

async function measurePage(browser: Browser, library: Library, goal: PageGoal): Promise<readonly Figure[]> {
  const paints: number[] = [];
  const blockings: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { paint, blocking } = await loadOnce(browser, library, goal);
    paints.push(paint);
    blockings.push(blocking);
  }
  const paint = median(paints);
  const blocking = median(blockings);
  return [
    {
      name: `${goal.name}: largest contentful paint, phone, processor ${SLOWDOWN}× slower`,
      value: `${Math.round(paint)} ms`,
      goal: `≤ ${goal.paint} ms`,
      met: paint <= goal.paint,
    },
    {
      name: `${goal.name}: total blocking time`,
      value: `${Math.round(blocking)} ms`,
      goal: `≤ ${goal.blocking} ms`,
      met: blocking <= goal.blocking,
    },
  ];
}

async function loadOnce(browser: Browser, library: Library, goal: PageGoal) {
  const context = await openWindow(browser, library.server, PHONE);
  try {
    if (goal.signedIn) {
      const first = await context.newPage();
      await signInOnScreen(first, library.largest.email);
      await first.close();
      await forgetCaches(context.newPage.bind(context));
    }
    return await loadCold(await context.newPage(), goal.path(library));
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
