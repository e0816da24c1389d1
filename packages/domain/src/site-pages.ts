/** Pages of the site itself, drawn when the app is built: the file that holds each one, and its address. */
export const SITE_PAGES = [
  { name: 'front', path: '/' },
  { name: 'terms', path: '/terms' },
  { name: 'privacy-policy', path: '/privacy-policy' },
] as const;

export type SitePageName = (typeof SITE_PAGES)[number]['name'];

/**
 * What differs between installations stands in the built pages as a mark; the server puts the value in its place. A mark
 * is plain text in HTML, in an attribute and in JSON.
 */
export const SITE_PAGE_MARKS = {
  /** Origin of the site, without a slash at its end. */
  origin: '{{origin}}',
  /** The address that people write to. */
  support: '{{support}}',
} as const;
