import { birthRank } from '@linkoteca/domain/birth-rank';
import { expect, test } from 'vitest';
import type { Link } from '../../../../shared/lib/rows.ts';
import { sampleLink } from '../../../../shared/test/sample-rows.ts';
import { flattenLinks, insertLinks, type LinkPages, linkPage, removeLinks } from '../link-pages.ts';
import { listStandings, pickRanks, placeInPages } from './place-in-pages.ts';

/** Link number n is older the larger n is. */
function link(n: number): Link {
  const created_at = new Date(Date.UTC(2025, 4, 11) - n * 60_000).toISOString();
  return sampleLink({ id: `0000000${n}-0000-4000-8000-000000000000`, title: `${n}`, created_at });
}
const just = (n: number, above: boolean) => `${birthRank(link(n)).slice(0, -1)}${above ? '9' : '7'}`;
const titles = (pages: LinkPages) =>
  flattenLinks(pages)
    .map(({ title }) => title)
    .join('');
const rank = (n: number, to: string) => ({ [link(n).id]: to });

/** Links 1 to 6 on two pages, the last of them put between 2 and 3, with more behind them. */
const PAGES: LinkPages = {
  pages: [
    linkPage([link(1), link(2), link(6)], 3, rank(6, just(2, false))),
    linkPage([link(3), link(4), link(5)], 3, {}),
  ],
  pageParams: [null, null],
};

test('a page tells where the next begins: below the place of its last link, wherever that was born', () => {
  expect(PAGES.pages[0]?.next).toMatchObject({ id: link(6).id, rank: just(2, false) });
  expect(PAGES.pages[1]?.next).toMatchObject({ id: link(5).id, rank: birthRank(link(5)) });
  expect(linkPage([link(1)], 3, {}).next).toBeNull();
});

test('a link goes from page to page by its rank, and back to where its birth puts it', () => {
  const up = placeInPages(PAGES, rank(5, just(1, true)));
  expect(titles(up)).toBe('512634');
  const down = placeInPages(up, rank(1, just(4, true)));
  expect(titles(down)).toBe('526314');
  expect(pickRanks(down, [link(1).id, link(2).id])).toEqual({ ...rank(1, just(4, true)), ...rank(2, '') });
  expect(titles(placeInPages(placeInPages(down, rank(1, '')), rank(6, '')))).toBe('51234');
  // What belongs below all that is loaded is left to its page.
  expect(titles(placeInPages(PAGES, rank(2, just(9, true))))).toBe('16345');
});

test('what comes stands where its birth puts it, and what comes back where it was', () => {
  expect(titles(insertLinks(PAGES, [link(0)]))).toBe('0126345');
  const without = removeLinks(PAGES, new Set([link(6).id]));
  expect(titles(without)).toBe('12345');
  expect(titles(insertLinks(without, [link(6)]))).toBe('126345');
});

test('a list that is newest first has no places', () => {
  const newest: LinkPages = { pages: [linkPage([link(1)], 3)], pageParams: [null] };
  expect(listStandings(newest)).toBeNull();
  expect(
    listStandings(PAGES)
      ?.map((standing) => standing.id[7])
      .join(''),
  ).toBe('126345');
});
