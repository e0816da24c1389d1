import { watchOutbox } from '../outbox/outbox-store.ts';
import { readConnection } from '../session/session-store.ts';
import { openDatabase } from '../session/tokens.ts';
import { maySeeTabs } from '../shared/permissions.ts';
import { wantsKeptPagesMarked } from '../shared/preferences.ts';
import { translate } from '../shared/translate.ts';
import { createKeptPages } from './kept-pages.ts';

const COLOR = '#1f7a5c';

const keptPages = createKeptPages(async () => {
  const connection = await readConnection();
  return connection === null || connection.hasEnded ? null : openDatabase(connection);
});

/** Shows on a tab's button whether the library has its page, where the person wants that. */
async function markTab(tabId: number, url: string | undefined): Promise<void> {
  if (url === undefined || !(await wantsKeptPagesMarked()) || !(await maySeeTabs())) return;
  const isKept = await keptPages.has(url);
  try {
    // It may show another page by now.
    if ((await chrome.tabs.get(tabId)).url !== url) return;
    await chrome.action.setBadgeBackgroundColor({ tabId, color: COLOR });
    await chrome.action.setBadgeText({ tabId, text: isKept ? '✓' : '' });
    await chrome.action.setTitle({ tabId, title: translate(isKept ? 'keptHere' : 'save') });
  } catch {
    // The tab is gone.
  }
}

/** Marks the pages that are in front. */
export async function markActiveTabs(): Promise<void> {
  if (!(await wantsKeptPagesMarked()) || !(await maySeeTabs())) return;
  const tabs = await chrome.tabs.query({ active: true });
  for (const { id, url } of tabs) if (id !== undefined) void markTab(id, url);
}

/** Marks pages as they are opened, and again after something was saved or somebody signed in. */
export function markKeptPages(): void {
  chrome.tabs.onUpdated.addListener((tabId, { status }, { url }) => {
    if (status === 'complete') void markTab(tabId, url);
  });
  chrome.tabs.onActivated.addListener(({ tabId }) => {
    chrome.tabs.get(tabId).then(
      ({ url }) => markTab(tabId, url),
      () => undefined,
    );
  });
  const lookAgain = () => {
    keptPages.forget();
    void markActiveTabs();
  };
  watchOutbox(lookAgain);
  // The connection, and whether it is wanted.
  chrome.storage.local.onChanged.addListener(lookAgain);
}
