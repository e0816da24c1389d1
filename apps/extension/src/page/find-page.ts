import type { Found } from './describe-capture.ts';
import { readTab } from './read-tab.ts';
import type { PageTab } from './take-picture.ts';

/**
 * The tab that the person looks at. A browser that shows the button's page in a tab of its own (Firefox on Android) has that one in
 * front: then it is the tab behind it.
 */
async function findTab(): Promise<chrome.tabs.Tab | undefined> {
  const tabs = await chrome.tabs.query({ currentWindow: true });
  const own = await chrome.tabs.getCurrent();
  const others = tabs.filter(({ id }) => id !== own?.id);
  return (
    others.find(({ active }) => active) ??
    others.toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0]
  );
}

/** The page of the tab in front: what the browser knows of it, and what it says of itself where that may be read. */
export async function findPage(): Promise<(Found & { readonly tab: PageTab }) | null> {
  const tab = await findTab();
  if (tab?.id === undefined || tab.url === undefined) return null;
  const { id, url, title } = tab;
  const text = await readTab(id);
  return {
    url,
    title: text?.title || title,
    description: text?.selection.trim() || text?.description,
    tab: { id, address: url },
  };
}
