import { foldTerm, foldText } from '@linkoteca/domain/fold-text';
import { compareNewestFirst } from '../../../shared/lib/newest-first.ts';
import type { Link } from '../../../shared/lib/rows.ts';

/** Orders that a browser makes by itself, for whatever category it shows. */
export const LINK_ORDERS = ['newest', 'oldest', 'title', 'site'] as const;

/** In which order a category shows its links. `manual` is the one that its owner gave it: the database sorts by it. */
export type LinkOrder = (typeof LINK_ORDERS)[number] | 'manual';

export interface Arrangement {
  readonly order: LinkOrder;
  /** As it was typed. */
  readonly filter: string;
}

/** The order in which links are read, page after page. */
export type ReadOrder = 'newest' | 'manual';

/** Whether all links must be there for it: they are read page after page, and not in this order. */
export function needsWholeList({ order, filter }: Arrangement, read: ReadOrder): boolean {
  return order !== read || foldTerm(filter) !== '';
}

// 'á' beside 'a', 'Aula 9' before 'Aula 10'.
const { compare } = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' });

const COMPARE: Readonly<Record<Exclude<LinkOrder, 'manual'>, (one: Link, other: Link) => number>> = {
  newest: compareNewestFirst,
  oldest: (one, other) => compareNewestFirst(other, one),
  title: (one, other) => compare(one.title, other.title) || compareNewestFirst(one, other),
  site: (one, other) => compare(siteOf(one), siteOf(other)) || compareNewestFirst(one, other),
};

/**
 * The links that have every word of the filter somewhere (title, address, description, tags), without accents or case, in this order.
 * @param links as they were read; the same array where nothing is asked.
 * @param namesOf the names of a link's tags, as far as they are known.
 */
export function arrangeLinks(
  links: readonly Link[],
  { order, filter }: Arrangement,
  read: ReadOrder,
  namesOf: (link: Link) => readonly string[] = () => [],
): readonly Link[] {
  const words = foldTerm(filter).split(' ').filter(Boolean);
  const fits = (link: Link) => {
    const text = [textOf(link), ...namesOf(link).map(foldText)].join('\n');
    return words.every((word) => text.includes(word));
  };
  const fitting = words.length === 0 ? links : links.filter(fits);
  return order === read || order === 'manual' ? fitting : fitting.toSorted(COMPARE[order]);
}

/** In which order links were read, where nobody says so. */
export function recogniseOrder(links: readonly Link[]): ReadOrder {
  const isNewestFirst = links.every((link, at) => {
    const above = links[at - 1];
    return above === undefined || compareNewestFirst(above, link) <= 0;
  });
  return isNewestFirst ? 'newest' : 'manual';
}

// Ten thousand links are read once, not with every letter.
const texts = new WeakMap<Link, string>();

function textOf(link: Link): string {
  const known = texts.get(link);
  if (known !== undefined) return known;
  const text = foldText(`${link.title}\n${link.url}\n${link.description ?? ''}`);
  texts.set(link, text);
  return text;
}

const sites = new WeakMap<Link, string>();

function siteOf(link: Link): string {
  const known = sites.get(link);
  if (known !== undefined) return known;
  const site = URL.canParse(link.url) ? new URL(link.url).hostname.replace(/^www\./, '') : link.url;
  sites.set(link, site);
  return site;
}
