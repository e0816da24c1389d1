/** What the browser is asked for the day somebody wants it: to see which pages the tabs show. */
const TABS = { permissions: ['tabs'] } satisfies chrome.permissions.Permissions;

/** Whether the tabs may be seen. */
export function maySeeTabs(): Promise<boolean> {
  return chrome.permissions.contains(TABS);
}

/** Asks the person, through the browser, to see the tabs; to be the first thing after a press. */
export function askToSeeTabs(): Promise<boolean> {
  return askPermission(TABS);
}

/**
 * Asks the person, through the browser; to be the first thing after a press.
 * @returns false also where the browser does not ask: a company's rules forbid it, or it takes the press for nobody's.
 */
export async function askPermission(wanted: chrome.permissions.Permissions): Promise<boolean> {
  try {
    return await chrome.permissions.request(wanted);
  } catch {
    return false;
  }
}
