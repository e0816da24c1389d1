/** What the build makes of the room's style and scripts: written into the pages, so that nothing has to be fetched first. */
export interface PageAssets {
  readonly css: string;
  /** Before the first paint: the fixed theme, and whether somebody is signed in. */
  readonly headScript: string;
  /** At the end of the page: follows changes while it is open. */
  readonly bodyScript: string;
}
