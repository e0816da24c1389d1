import { LINK_PAGE_SIZE } from '@linkoteca/domain/limits';
import type { InfiniteData } from '@tanstack/react-query';
import { compareNewestFirst, insertNewestFirst, patchRow } from '../../../shared/lib/newest-first.ts';
import type { Link } from '../../../shared/lib/rows.ts';

/** The last link of a page and how many to ask for after it. */
export interface LinkCursor {
  readonly created_at: string;
  readonly id: string;
  readonly size: number;
}

export interface LinkPage {
  readonly links: readonly Link[];
  /** Where the next page starts; null on the last one. */
  readonly next: LinkCursor | null;
}

export type LinkPages = InfiniteData<LinkPage, LinkCursor | null>;

/** A hosted table API gives no more rows than this at once. */
const LARGEST_PAGE = 1000;

/**
 * A page as it arrived. Pages grow (50, 200, 800, 1000 …): the first is on the screen at once, and a person
 * who scrolls through 10,000 links waits for a dozen answers instead of two hundred.
 */
export function linkPage(links: readonly Link[], size: number): LinkPage {
  const last = links.at(-1);
  if (last === undefined || links.length < size) return { links, next: null };
  return {
    links,
    next: { created_at: last.created_at, id: last.id, size: Math.min(LARGEST_PAGE, size * 4) },
  };
}

export const FIRST_PAGE_SIZE = LINK_PAGE_SIZE;

/** All links loaded so far. */
export function flattenLinks(pages: { readonly pages: readonly LinkPage[] }): readonly Link[] {
  return pages.pages.flatMap((page) => page.links);
}

/** Shows links before all others, whatever this computer's clock says. */
export function prependLinks(pages: LinkPages, links: readonly Link[]): LinkPages {
  const [first, ...rest] = pages.pages;
  if (first === undefined) return pages;
  const ids = new Set(links.map((link) => link.id));
  const others = first.links.filter((link) => !ids.has(link.id));
  return { ...pages, pages: [{ ...first, links: [...links, ...others] }, ...rest] };
}

/** Puts a link where its date says; one that belongs beyond what is loaded is left to its page. */
export function insertLink(pages: LinkPages, link: Link): LinkPages {
  const at = pages.pages.findIndex((page) => reachesTo(page, link));
  const page = pages.pages[at];
  if (page === undefined) return pages;
  return { ...pages, pages: pages.pages.with(at, { ...page, links: insertNewestFirst(page.links, link) }) };
}

/**
 * Puts many links where their dates say, page by page: one after the other, thousands would be compared with thousands.
 * One that is there already stays as it is; one that belongs beyond what is loaded is left to its page.
 */
export function insertLinks(pages: LinkPages, links: readonly Link[]): LinkPages {
  const known = new Set(flattenLinks(pages).map((link) => link.id));
  let waiting = links.filter((link) => !known.has(link.id)).toSorted(compareNewestFirst);
  const filled = pages.pages.map((page) => {
    const fits = waiting.findLastIndex((link) => reachesTo(page, link)) + 1;
    const mine = waiting.slice(0, fits);
    waiting = waiting.slice(fits);
    return mine.length === 0
      ? page
      : { ...page, links: [...page.links, ...mine].toSorted(compareNewestFirst) };
  });
  return { ...pages, pages: filled };
}

/** True for a link of this page or of one before. The next page starts where this one ended, even if that link is gone. */
function reachesTo(page: LinkPage, link: Link): boolean {
  return page.next === null || compareNewestFirst(link, page.next) <= 0;
}

export function patchLink(pages: LinkPages, id: string, patch: Partial<Link>): LinkPages {
  return mapLinks(pages, (links) => patchRow(links, id, patch));
}

/** Puts these rows in the place of those with their ids. */
export function replaceLinks(pages: LinkPages, stored: readonly Link[]): LinkPages {
  const byId = new Map(stored.map((link) => [link.id, link]));
  return mapLinks(pages, (links) => links.map((link) => byId.get(link.id) ?? link));
}

export function removeLinks(pages: LinkPages, ids: ReadonlySet<string>): LinkPages {
  return mapLinks(pages, (links) => links.filter((link) => !ids.has(link.id)));
}

function mapLinks(pages: LinkPages, change: (links: readonly Link[]) => readonly Link[]): LinkPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, links: change(page.links) })) };
}
