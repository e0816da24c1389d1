import { foldTerm, foldText } from '@linkoteca/domain/fold-text';
import { compareNewestFirst } from '../../../shared/lib/newest-first.ts';
import type { Link } from '../../../shared/lib/rows.ts';

/** In which order a category shows its links. */
export const LINK_ORDERS = ['newest', 'oldest', 'title', 'site'] as const;

export type LinkOrder = (typeof LINK_ORDERS)[number];

export interface Arrangement {
  readonly order: LinkOrder;
  /** As it was typed. */
  readonly filter: string;
}

/** Whether all links must be there for it: what is read page after page comes newest first. */
export function needsWholeList({ order, filter }: Arrangement): boolean {
  return order !== 'newest' || foldTerm(filter) !== '';
}

// 'á' beside 'a', 'Aula 9' before 'Aula 10'.
const { compare } = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' });

const COMPARE: Readonly<Record<Exclude<LinkOrder, 'newest'>, (one: Link, other: Link) => number>> = {
  oldest: (one, other) => compareNewestFirst(other, one),
  title: (one, other) => compare(one.title, other.title) || compareNewestFirst(one, other),
  site: (one, other) => compare(siteOf(one), siteOf(other)) || compareNewestFirst(one, other),
};

/**
 * The links that have every word of the filter somewhere (title, address, description), without accents or case, in this order.
 * @param links newest first; the same array where nothing is asked.
 */
export function arrangeLinks(links: readonly Link[], { order, filter }: Arrangement): readonly Link[] {
  const words = foldTerm(filter).split(' ').filter(Boolean);
  const fitting =
    words.length === 0 ? links : links.filter((link) => words.every((word) => textOf(link).includes(word)));
  return order === 'newest' ? fitting : fitting.toSorted(COMPARE[order]);
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
