/** What the browser is asked for the day somebody wants it: to see which pages the tabs show. */
const TABS = { permissions: ['tabs'] } satisfies chrome.permissions.Permissions;

/** Whether the tabs may be seen. */
export function maySeeTabs(): Promise<boolean> {
  return chrome.permissions.contains(TABS);
}

/** Asks the person, through the browser; to be the first thing after a press. */
export function askToSeeTabs(): Promise<boolean> {
  return chrome.permissions.request(TABS);
}
