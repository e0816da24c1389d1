import type { Page } from '@playwright/test';

/** One interaction as the browser saw it: its event and the milliseconds to the next paint. */
type PaintedEvent = { readonly name: string; readonly startTime: number; readonly duration: number };

/** The Event Timing API reports no event faster than this: such a one counts as this long. */
export const SHORTEST_MS = 16;

/** Starts noting how long each press took to the next paint (Event Timing, W3C). Call it before the page is opened. */
export async function watchPaints(page: Page): Promise<void> {
  await page.addInitScript((shortest) => {
    const seen: { name: string; startTime: number; duration: number }[] = [];
    Object.assign(window, { paintedEvents: seen });
    new PerformanceObserver((list) => {
      for (const { name, startTime, duration } of list.getEntries()) seen.push({ name, startTime, duration });
    }).observe({
      type: 'event',
      durationThreshold: shortest,
      buffered: true,
    } as PerformanceObserverInit);
  }, SHORTEST_MS);
}

/**
 * Does something on the page and tells the slowest way from one of its events to the next paint.
 * @returns milliseconds, at least `SHORTEST_MS`, in steps of 8 as the API rounds them.
 */
export async function timeToPaint(page: Page, act: () => Promise<unknown>): Promise<number> {
  const from = await page.evaluate(() => performance.now());
  await act();
  // The entry is delivered after the paint: two frames and a task later it is there.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))),
      ),
  );
  const events = await page.evaluate(
    () => (window as unknown as { paintedEvents: PaintedEvent[] }).paintedEvents,
  );
  const durations = events.filter(({ startTime }) => startTime >= from).map(({ duration }) => duration);
  return Math.max(SHORTEST_MS, ...durations);
}
