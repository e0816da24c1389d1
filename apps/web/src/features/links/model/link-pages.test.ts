import { describe, expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import {
  flattenLinks,
  insertLinks,
  type LinkPages,
  linkPage,
  patchLink,
  prependLinks,
  removeLinks,
} from './link-pages.ts';

/** Link number n is older the larger n is. */
function link(n: number): Link {
  const created_at = new Date(Date.UTC(2025, 4, 11) - n * 60_000).toISOString();
  return sampleLink({
    id: `l${n}`,
    url: `https://exemplo.com/${n}`,
    title: `Link ${n}`,
    created_at,
    updated_at: created_at,
  });
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => link(from + index));
const ids = (pages: LinkPages) => flattenLinks(pages).map((each) => each.id);

/** Links 1, 2 and 4 on two pages, with more behind them. */
const partial: LinkPages = {
  pages: [
    linkPage([link(1), link(2)], 2),
    { links: [link(4)], next: { created_at: link(4).created_at, id: 'l4', size: 200 } },
  ],
  pageParams: [null, null],
};

describe('pages grow', () => {
  test('50, 200, 800, then never more than a table API gives at once', () => {
    const sizes = [50];
    for (let size = 50; sizes.length < 6; ) {
      size = linkPage(range(1, size), size).next?.size ?? 0;
      sizes.push(size);
    }
    expect(sizes).toEqual([50, 200, 800, 1000, 1000, 1000]);
  });

  test('a page that is not full is the last', () => {
    expect(linkPage(range(1, 49), 50).next).toBeNull();
    expect(linkPage([], 50).next).toBeNull();
    expect(linkPage(range(1, 50), 50).next).toMatchObject({ id: 'l50', created_at: link(50).created_at });
  });
});

describe('changes of what is loaded', () => {
  test('a new link stands first, whatever its clock says, and never twice', () => {
    expect(ids(prependLinks(partial, [link(9)]))).toEqual(['l9', 'l1', 'l2', 'l4']);
    expect(ids(prependLinks(partial, [link(2)]))).toEqual(['l2', 'l1', 'l4']);
    expect(ids(prependLinks(partial, [link(9), link(2)]))).toEqual(['l9', 'l2', 'l1', 'l4']);
  });

  test('a link goes back to the place of its date', () => {
    expect(ids(insertLinks(partial, [link(3)]))).toEqual(['l1', 'l2', 'l3', 'l4']);
    expect(ids(insertLinks(partial, [link(0)]))).toEqual(['l0', 'l1', 'l2', 'l4']);
  });

  test('a link older than what is loaded waits for its page', () => {
    expect(ids(insertLinks(partial, [link(7)]))).toEqual(['l1', 'l2', 'l4']);
    const whole = { ...partial, pages: [linkPage([link(1)], 50)] };
    expect(ids(insertLinks(whole, [link(7)]))).toEqual(['l1', 'l7']);
    expect(ids(insertLinks({ ...partial, pages: [linkPage([], 50)] }, [link(7)]))).toEqual(['l7']);
  });

  test('the last loaded link comes back though more follow', () => {
    const rest = removeLinks(partial, new Set(['l2', 'l4']));
    expect(ids(insertLinks(rest, [link(2), link(4)]))).toEqual(['l1', 'l2', 'l4']);
    expect(ids(insertLinks(rest, [link(4)]))).toEqual(['l1', 'l4']);
  });

  test('removing keeps the place where the next page starts', () => {
    const rest = removeLinks(partial, new Set(['l1', 'l4']));
    expect(ids(rest)).toEqual(['l2']);
    expect(rest.pages.at(-1)?.next).toMatchObject({ id: 'l4' });
  });

  test('changing touches one link', () => {
    const changed = patchLink(partial, 'l2', { title: 'Novo' });
    expect(flattenLinks(changed).map((each) => each.title)).toEqual(['Link 1', 'Novo', 'Link 4']);
    expect(flattenLinks(partial)[1]?.title).toBe('Link 2');
  });
});
