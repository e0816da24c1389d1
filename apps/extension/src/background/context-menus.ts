import { capture, sendOutbox } from '../outbox/outbox.ts';
import { listCaptures } from '../outbox/outbox-store.ts';
import { describeCapture } from '../page/describe-capture.ts';
import { readTab } from '../page/read-tab.ts';
import { takePicture } from '../page/take-picture.ts';
import { ownerOf, readConnection } from '../session/session-store.ts';
import { translate } from '../shared/translate.ts';
import { addCover } from './add-cover.ts';
import { flashBadge } from './badge.ts';
import { type Click, readClick, type Tab } from './read-click.ts';

/** Puts the entries into the menus of pages, links and pictures. */
export function createMenus(): void {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: 'page', title: translate('savePage'), contexts: ['page', 'selection'] });
    chrome.contextMenus.create({ id: 'link', title: translate('saveLink'), contexts: ['link'] });
    chrome.contextMenus.create({ id: 'image', title: translate('saveImage'), contexts: ['image'] });
    chrome.contextMenus.create({ id: 'panel', title: translate('openPanel'), contexts: ['action'] });
  });
}

/** Saves what an entry of the menu was pressed on, and shows on the button how it went. */
export async function saveFromMenu(click: Click, tab: Tab | undefined): Promise<void> {
  const connection = await readConnection();
  if (connection === null) return chrome.runtime.openOptionsPage();
  const page =
    click.menuItemId === 'page' && tab?.id !== undefined && tab.url !== undefined
      ? { id: tab.id, address: tab.url }
      : null;
  const text = page && (await readTab(page.id));
  const found = readClick(click, tab ?? {}, text?.description);
  const described = found && describeCapture(found, crypto.randomUUID());
  if (!described) return flashBadge('refused', tab?.id);
  try {
    await capture(connection, [described]);
  } catch {
    // The browser keeps nothing, or too much waits.
    return flashBadge('refused', tab?.id);
  }
  const taking = page && takePicture(page);
  await sendOutbox();
  if (taking !== null) void addCover({ owner: ownerOf(connection), linkId: described.id }, taking);
  const left = (await listCaptures(ownerOf(connection))).find(({ id }) => id === described.id);
  await flashBadge(left === undefined ? 'saved' : left.refusal === null ? 'waiting' : 'refused', tab?.id);
}
