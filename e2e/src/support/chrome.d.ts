/** What the tests use of the browser's interface for extensions, in its pages and its background. */
declare namespace chrome {
  type Dispatched<Parameters extends readonly unknown[]> = {
    /** Has every listener called, as the browser does. */
    dispatch(...parameters: Parameters): void;
  };
  const runtime: { sendMessage(request: { kind: string }): unknown };
  const commands: object;
  const tabs: { query(wanted: { active: boolean }): Promise<{ id?: number }[]> };
  const storage: {
    local: { get<Found>(key: string): Promise<Found>; set(items: object): Promise<void> };
  };
  const action: { getBadgeText(of: { tabId: number }): Promise<string> };
  const contextMenus: { onClicked: Dispatched<[click: object, tab: undefined]> };
  const omnibox: {
    onInputChanged: Dispatched<[term: string, suggest: (found: { content: string }[]) => void]>;
  };
}
