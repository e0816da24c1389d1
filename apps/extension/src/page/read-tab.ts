import { type PageText, readPage } from './read-page.ts';

/** So long a page is waited for, milliseconds: one that does nothing but compute is saved by what the browser knows of it. */
const PATIENCE_MS = 2_000;

/** What the page in a tab says of itself; null of the browser's own pages, its store, and a page that does not come to it. */
export async function readTab(tabId: number): Promise<PageText | null> {
  const reading = chrome.scripting.executeScript({ target: { tabId }, func: readPage }).then(
    ([answer]) => answer?.result ?? null,
    () => null,
  );
  const tooLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  return Promise.race([reading, tooLate]);
}
