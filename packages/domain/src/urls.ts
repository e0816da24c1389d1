// Zero-width and direction marks ride along with copied addresses and can make one look like another. A joiner stays between what is
// joined: emoji, and letters of scripts from Hebrew on.
const INVISIBLE =
  /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|(?<![\u0590-\u1CFF\u2190-\uFEFE])[\u200C\u200D]|[\u200C\u200D](?![\u0590-\u1CFF\u2190-\uFEFE])/g;
const BREAKS = /[\t\n\r]+/g;
const HTTP = /^https?:\/\//i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^(localhost|[^\s:/?#@]+\.[^\s:/?#@]+):\d{1,5}(?=$|[/?#])/i;
const BARE_HOST = /^(localhost|(?:[^\s:/?#@.]+\.)+(?:[\p{L}][\p{L}\p{N}-]*|\d{1,3}))(?=$|[:/?#])/iu;

/**
 * Turns what people paste into a web address: trims, drops invisible characters, completes `exemplo.com.br` and
 * `//exemplo.com.br` with `https:`. Otherwise the text stays as pasted (percent-encoding everything would make
 * addresses with accents longer than their limit).
 *
 * @returns the address, or null when it is not http(s): `javascript:`, `data:`, a plain word, an e-mail address.
 */
export function normalizeUrl(raw: string): string | null {
  const pasted = raw.toWellFormed().replace(INVISIBLE, '').replace(BREAKS, '').trim();
  // Not every host may have a joiner.
  return readAddress(pasted) ?? readAddress(pasted.replace(/[\u200C\u200D]/g, ''));
}

function readAddress(pasted: string): string | null {
  const complete = completeScheme(pasted);
  if (complete === null) return null;
  const address = complete.replace(/\s/g, '%20');
  const parsed = URL.parse(address);
  if (parsed === null || parsed.hostname === '' || !isWebProtocol(parsed.protocol)) return null;
  return address;
}

/** Host for display, without `www.`; empty when the address cannot be read. */
export function readHost(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\./, '');
}

function completeScheme(text: string): string | null {
  if (HTTP.test(text)) return text;
  if (text.startsWith('//')) return `https:${text}`;
  if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return null;
  return BARE_HOST.test(text) ? `https://${text}` : null;
}

function isWebProtocol(protocol: string): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/**
 * What two spellings of one address have in common: completed, host in lower case, without the default port, one way of
 * encoding. For comparing only; null when it is no web address.
 */
export function addressKey(raw: string): string | null {
  const address = normalizeUrl(raw);
  return address === null ? null : (URL.parse(address)?.href ?? null);
}

/**
 * Whether a list of addresses names this one. In the list `**` takes anything, `*` stops at `.` and `/`, `?` is one character that
 * is neither: the hosted platform's patterns. What follows `#` is left to the page, as there (source: GoTrue, `IsRedirectURLValid`).
 */
export function isListedAddress({ href }: URL, list: readonly string[]): boolean {
  const page = href.replace(/#.*$/, '');
  // `https://example.com` is written in lists without the slash that its normal form has.
  const spellings = [href, page, page.replace(/\/$/, '')];
  return list.some((glob) => spellings.some((spelling) => toPattern(glob).test(spelling)));
}

function toPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[\s\S]/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    if (part === '?') return '[^./]';
    return part.replace(/[\\^$.|+()[\]{}/-]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}
