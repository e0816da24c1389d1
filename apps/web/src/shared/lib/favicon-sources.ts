/** A transparent pixel: what is shown when no service knows the site. */
export const blankFavicon = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

// Names that live inside a home, an office or a machine: telling a public service about them would leak.
const privateSuffixes =
  /\.(local|localhost|localdomain|internal|intranet|lan|home|corp|private|test|example|invalid|onion|arpa)$/;

/**
 * Addresses of the icon of a link's site, in the order to try: one service and three fallbacks. Empty for anything
 * that is not a public web host (no dot, an IP address, a private suffix, another scheme): such names never leave the browser.
 */
export function faviconSources(url: string): readonly string[] {
  const host = publicHostOf(url);
  if (!host) return [];
  return [
    `https://www.google.com/s2/favicons?domain=${host}&sz=32`,
    `https://icons.duckduckgo.com/ip3/${host}.ico`,
    `https://icon.horse/icon/${host}`,
    `https://favicon.yandex.net/favicon/${host}`,
  ];
}

/** Lets an icon that has arrived cover the letter below it; the blank image covers nothing. */
export function coverLetter(icon: HTMLImageElement): void {
  if (icon.src !== blankFavicon) icon.dataset['shown'] = '';
}

function publicHostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const host = hostname.replace(/\.$/, '');
  if (!host.includes('.') || host.startsWith('[') || /^[\d.]+$/.test(host) || privateSuffixes.test(host))
    return null;
  return encodeURIComponent(host);
}
