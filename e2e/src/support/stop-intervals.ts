import type { Page } from '@playwright/test';

/** From the next document on nothing in the page happens every so often: what it learns of others it has been told, not asked for. */
export const stopIntervals = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { setInterval: () => 0 });
  });
