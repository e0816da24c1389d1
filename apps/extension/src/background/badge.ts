import { markActiveTabs } from './mark-kept-pages.ts';

/** How long the button shows that something was saved, milliseconds. */
const SHOWN_MS = 2_500;

const MARKS = {
  saved: { text: '✓', color: '#1f7a5c' },
  waiting: { text: '…', color: '#8a5a00' },
  refused: { text: '!', color: '#b3261e' },
} as const;

/** Shows on the button how a save from a menu went: there is no page that could say it. */
export async function flashBadge(mark: keyof typeof MARKS, tabId: number | undefined): Promise<void> {
  const { text, color } = MARKS[mark];
  const place = tabId === undefined ? {} : { tabId };
  await chrome.action.setBadgeBackgroundColor({ ...place, color });
  await chrome.action.setBadgeText({ ...place, text });
  setTimeout(() => {
    chrome.action
      .setBadgeText({ ...place, text: '' })
      .then(markActiveTabs)
      // A tab that is closed has no button.
      .catch(() => undefined);
  }, SHOWN_MS);
}
