import type { Standing } from '@linkoteca/domain/link-ranks';
import {
  flattenLinks,
  insertLinks,
  type LinkPages,
  type LinkRanks,
  readRanks,
  removeLinks,
} from '../link-pages.ts';

/** Links and their ranks, from the top down; null where the list is not the one that has an order of its own. */
export function listStandings(pages: LinkPages): readonly Standing[] | null {
  const rankOf = readRanks(pages);
  return rankOf && flattenLinks(pages).map((link) => ({ id: link.id, rank: rankOf(link) }));
}

/** The ranks that links have been given; '' where their birth decides. */
export function pickRanks({ pages }: LinkPages, ids: Iterable<string>): LinkRanks {
  const ranks: LinkRanks = Object.assign({}, ...pages.map((page) => page.ranks));
  return Object.fromEntries([...ids].map((id) => [id, ranks[id] ?? '']));
}

/** Shows links where their new ranks put them; '' is back to where their birth does. */
export function placeInPages(list: LinkPages, ranks: LinkRanks): LinkPages {
  const ids = new Set(Object.keys(ranks));
  const moved = flattenLinks(list).filter(({ id }) => ids.has(id));
  const { pages, pageParams } = removeLinks(list, ids);
  const without = pages.map((page) => ({ ...page, ranks: keepRanks(page.ranks, (id) => !ids.has(id)) }));
  const [first, ...rest] = without;
  if (first === undefined) return list;
  const given = keepRanks(ranks, (id) => ranks[id] !== '');
  return insertLinks(
    { pages: [{ ...first, ranks: { ...first.ranks, ...given } }, ...rest], pageParams },
    moved,
  );
}

function keepRanks(ranks: LinkRanks = {}, kept: (id: string) => boolean): LinkRanks {
  return Object.fromEntries(Object.entries(ranks).filter(([id]) => kept(id)));
}
