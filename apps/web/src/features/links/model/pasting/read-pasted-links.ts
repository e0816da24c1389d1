import { type PastedLink, parsePastedLinks, readPastedLink } from './pasted-links.ts';

const HTML_WITH_LINKS = /<a\s[^>]*\bhref\s*=/i;

/** Reads pasted text: the anchors of HTML (a list, exported bookmarks, a piece of a page), otherwise line by line. */
export function readPastedLinks(text: string): readonly PastedLink[] {
  if (!HTML_WITH_LINKS.test(text)) return parsePastedLinks(text);
  // A parsed document is inert: nothing in it loads or runs.
  const page = new DOMParser().parseFromString(text, 'text/html');
  return [...page.querySelectorAll('a[href]')].map((anchor) =>
    readPastedLink(anchor.getAttribute('href') ?? '', anchor.textContent),
  );
}
