/** What the build makes of the room's style, scripts and pictures. Style and scripts are written into the pages. */
export interface SiteAssets {
  readonly css: string;
  /** In the head, before the first paint: the fixed theme, and who belongs elsewhere. */
  readonly headScript: string;
  /** Right after a picture that differs by theme. */
  readonly pictureScript: string;
  /** At the end of every page: the menu of narrow screens, and what is laid out late. */
  readonly lateScript: string;
  /** Addresses of the pictures, from the root of the site. */
  readonly pictures: SitePictures;
}

export interface SitePictures {
  readonly desk: ByTheme;
  readonly phone: ByTheme;
  /** What chats and networks show. */
  readonly social: string;
}

interface ByTheme {
  readonly light: string;
  readonly dark: string;
}
