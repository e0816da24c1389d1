const KEY = 'mark-kept-pages';

/** Whether the button marks pages that the library has: off until the person wants it. */
export async function wantsKeptPagesMarked(): Promise<boolean> {
  const { [KEY]: wanted } = await chrome.storage.local.get(KEY);
  return wanted === true;
}

export async function setKeptPagesMarked(wanted: boolean): Promise<void> {
  await chrome.storage.local.set({ [KEY]: wanted });
}
