/** Firefox's own name for it. */
interface Sidebar {
  open(): Promise<void>;
}

/** Opens the library beside the page; right after a press, as browsers want it. */
export function openPanel(windowId: number | undefined): void {
  const { sidebarAction } = chrome as unknown as { readonly sidebarAction?: Sidebar };
  if (sidebarAction !== undefined) void sidebarAction.open();
  else if (windowId !== undefined) void chrome.sidePanel.open({ windowId });
}
