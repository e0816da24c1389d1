import { birthRank } from '@linkoteca/domain/birth-rank';
import { LINK_PAGE_SIZE } from '@linkoteca/domain/limits';
import type { InfiniteData } from '@tanstack/react-query';
import { compareNewestFirst, type DatedRow, patchRow } from '../../../shared/lib/newest-first.ts';
import type { Link } from '../../../shared/lib/rows.ts';

/** The last link of a page and how many to ask for after it. */
export interface LinkCursor {
  readonly created_at: string;
  readonly id: string;
  readonly size: number;
  /** Where it stood, in a list that has an order of its own. */
  readonly rank?: string;
}

/** Ranks of links by their ids. */
export type LinkRanks = Readonly<Record<string, string>>;

export interface LinkPage {
  readonly links: readonly Link[];
  /** Where the next page starts; null on the last one. */
  readonly next: LinkCursor | null;
  /** Where links stand that somebody has put there. Only in lists that have an order of their own: others are newest first. */
  readonly ranks?: LinkRanks;
}

export type LinkPages = InfiniteData<LinkPage, LinkCursor | null>;

/** A hosted table API gives no more rows than this at once. */
const LARGEST_PAGE = 1000;

/**
 * A page as it arrived. Pages grow (50, 200, 800, 1000 …): the first is on the screen at once, and a person
 * who scrolls through 10,000 links waits for a dozen answers instead of two hundred.
 */
export function linkPage(links: readonly Link[], size: number, ranks?: LinkRanks): LinkPage {
  const last = links.at(-1);
  const page = { links, ...(ranks && { ranks }) };
  if (last === undefined || links.length < size) return { ...page, next: null };
  const { created_at, id } = last;
  const rank = ranks && { rank: ranks[id] ?? birthRank(last) };
  return { ...page, next: { created_at, id, size: Math.min(LARGEST_PAGE, size * 4), ...rank } };
}

/** Where links stand in a list that has an order of its own; null for one that is newest first. */
export function readRanks({ pages }: LinkPages): ((link: DatedRow) => string) | null {
  if (pages[0]?.ranks === undefined) return null;
  const ranks: LinkRanks = Object.assign({}, ...pages.map((page) => page.ranks));
  return (link) => ranks[link.id] ?? birthRank(link);
}

/** The order of a list: which of two links stands above the other. */
function orderOf(pages: LinkPages): (a: LinkCursorOrLink, b: LinkCursorOrLink) => number {
  const rankOf = readRanks(pages);
  if (rankOf === null) return compareNewestFirst;
  const standing = (link: LinkCursorOrLink) => link.rank ?? rankOf(link);
  return (a, b) => (standing(a) < standing(b) ? 1 : -1);
}

type LinkCursorOrLink = DatedRow & Pick<LinkCursor, 'rank'>;

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

/**
 * Puts links where the order of the list says, page by page: one after the other, thousands would be compared with thousands.
 * One that is there already stays as it is; one that belongs beyond what is loaded is left to its page.
 */
export function insertLinks(pages: LinkPages, links: readonly Link[]): LinkPages {
  const known = new Set(flattenLinks(pages).map((link) => link.id));
  const order = orderOf(pages);
  let waiting = links.filter((link) => !known.has(link.id)).toSorted(order);
  const filled = pages.pages.map((page) => {
    // A page reaches to its last link, even if that is gone: the next one starts there.
    const { next } = page;
    const fits = waiting.findLastIndex((link) => next === null || order(link, next) <= 0) + 1;
    const mine = waiting.slice(0, fits);
    waiting = waiting.slice(fits);
    return mine.length === 0 ? page : { ...page, links: [...page.links, ...mine].toSorted(order) };
  });
  return { ...pages, pages: filled };
}

export function patchLink(pages: LinkPages, id: string, patch: Partial<Link>): LinkPages {
  return mapLinks(pages, (links) => patchRow(links, id, patch));
}

/** Puts these rows in the place of those with their ids; what a row does not tell of itself, such as its tags, stays. */
export function replaceLinks(pages: LinkPages, stored: readonly Link[]): LinkPages {
  const byId = new Map(stored.map((link) => [link.id, link]));
  return mapLinks(pages, (links) =>
    links.map((link) => {
      const row = byId.get(link.id);
      return row ? { ...link, ...row } : link;
    }),
  );
}

export function removeLinks(pages: LinkPages, ids: ReadonlySet<string>): LinkPages {
  return mapLinks(pages, (links) => links.filter((link) => !ids.has(link.id)));
}

function mapLinks(pages: LinkPages, change: (links: readonly Link[]) => readonly Link[]): LinkPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, links: change(page.links) })) };
}
