import type { Page } from '@playwright/test';
import { slowDown } from './open-browser.ts';

export const SLOWDOWN = 4;
/** A main-thread task blocks from here on (Total Blocking Time, web.dev). */
const BLOCKING_MS = 50;
/** Work that comes this long after the page was opened belongs to no load. */
const WATCHED_MS = 4_000;

/** Largest contentful paint and total blocking time, milliseconds. */
export type ColdLoad = { readonly paint: number; readonly blocking: number };

/** Opens a path on a processor four times slower, and watches the load. Nothing may be cached for this page yet. */
export async function loadCold(page: Page, path: string): Promise<ColdLoad> {
  await watchLoad(page);
  await slowDown(page, SLOWDOWN);
  await page.goto(path);
  await page.waitForTimeout(WATCHED_MS);
  return page.evaluate(() => (window as unknown as { pageLoad: ColdLoad }).pageLoad);
}

async function watchLoad(page: Page): Promise<void> {
  await page.addInitScript((blockingFrom) => {
    const load = { paint: 0, blocking: 0 };
    Object.assign(window, { pageLoad: load });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) load.paint = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) load.blocking += duration - blockingFrom;
    }).observe({ type: 'longtask', buffered: true });
  }, BLOCKING_MS);
}
