import { SEND_OUTBOX, sendOutbox } from '../outbox/outbox.ts';
import { answerRequests } from './answer-requests.ts';
import { createMenus, saveFromMenu } from './context-menus.ts';
import { markKeptPages } from './mark-kept-pages.ts';
import { openPanel } from './open-panel.ts';
import { answerAddressBar } from './suggest-links.ts';

// Every listener is there before the first turn of the event loop ends: the browser wakes this file for an event, and forgets the event
// where nobody listens yet.
answerRequests();
answerAddressBar();
markKeptPages();
chrome.runtime.onInstalled.addListener(createMenus);
chrome.contextMenus.onClicked.addListener((click, tab) => {
  if (click.menuItemId === 'panel') openPanel(tab?.windowId);
  else void saveFromMenu(click, tab);
});
chrome.alarms.onAlarm.addListener(({ name }) => {
  if (name === SEND_OUTBOX) void sendOutbox();
});
// Nothing to do there: that somebody listens wakes this file, and what it does below.
chrome.runtime.onStartup.addListener(() => undefined);
globalThis.addEventListener('online', () => void sendOutbox());

// Whatever it was woken for: a browser that died, or ended, left behind what was not sent.
void sendOutbox();
