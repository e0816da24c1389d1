import { describe, expect, test } from 'vitest';
import { birthRank } from './birth-rank.ts';
import { ranksAt, type Standing } from './link-ranks.ts';

const idOf = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
/** Links of one moment a second, from the top down. */
const list = (count: number): readonly Standing[] =>
  Array.from({ length: count }, (_, n) => {
    const id = idOf(n);
    return {
      id,
      rank: birthRank({ id, created_at: new Date(Date.UTC(2025, 0, 1, 0, 0, -n)).toISOString() }),
    };
  });

/** The list after links went to a place, from the top down. */
function place(links: readonly Standing[], at: number, ids: readonly string[], whole = true) {
  const moved = new Set(ids);
  const others = links.filter(({ id }) => !moved.has(id));
  const ranks = ranksAt(others, at, ids, whole);
  const next = links.map(({ id, rank }) => ({ id, rank: ranks.get(id) ?? rank }));
  return { ranks, links: next.toSorted((a, b) => (a.rank < b.rank ? 1 : -1)) };
}

const VALID = /^[0-9a-f]{0,254}[1-9a-f]$/;

describe('the rank of a birth', () => {
  test('is greater for what is younger, to the microsecond, and then for the greater id', () => {
    const births = [
      { id: idOf(1), created_at: '2025-04-11T10:00:00+00:00' },
      { id: idOf(9), created_at: '2025-04-11T10:00:00+00:00' },
      { id: idOf(1), created_at: '2025-04-11T10:00:00.000001+00:00' },
      { id: idOf(1), created_at: '2025-04-11T10:00:00.1+00:00' },
      { id: idOf(1), created_at: '2025-04-11T10:00:00.123Z' },
      { id: idOf(1), created_at: '2025-04-11T10:00:00.123456+00:00' },
      { id: idOf(1), created_at: '2025-04-11T07:00:01-03:00' },
    ];
    const ranks = births.map(birthRank);
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks.map((rank) => rank.length))).toEqual(new Set([47]));
  });
});

describe('a link goes', () => {
  test.each([0, 1, 4, 8])('above all but %i others, and nothing else moves', (at) => {
    const links = list(9);
    const after = place(links, at, [idOf(3)]);
    expect([...after.ranks.keys()]).toEqual([idOf(3)]);
    const others = links.map(({ id }) => id).filter((id) => id !== idOf(3));
    expect(after.links.map(({ id }) => id)).toEqual(others.toSpliced(at, 0, idOf(3)));
    for (const rank of after.ranks.values()) expect(rank).toMatch(VALID);
  });

  test('on top again and again, and stands below what is born a second later', () => {
    let links = list(9);
    for (let n = 0; n < 200; n += 1) links = place(links, 0, [links.at(-1)?.id ?? '']).links;
    const newcomer = birthRank({ id: idOf(0), created_at: '2025-01-01T00:00:01Z' });
    for (const { rank } of links) expect(rank < newcomer).toBe(true);
  });

  test('between links of the very same moment', () => {
    const links = [9, 8, 7].map((n) => {
      const id = idOf(n);
      return { id, rank: birthRank({ id, created_at: '2024-05-01T00:00:00Z' }) };
    });
    expect(place(links, 1, [idOf(7)]).links.map(({ id }) => id)).toEqual([idOf(9), idOf(7), idOf(8)]);
  });

  test('never below the end of a list of which more is to come', () => {
    const links = list(5);
    const after = place(links, 3, [idOf(0)], false);
    const last = links.at(-1)?.rank ?? '';
    for (const rank of after.ranks.values()) expect(rank > last).toBe(true);
  });

  test('nowhere where there are no others', () => {
    expect(ranksAt([], 0, [idOf(1)], true).size).toBe(0);
  });
});

test('many links go together, in their order, with short ranks', () => {
  const links = list(5_010);
  const ids = links.slice(5).map(({ id }) => id);
  const after = place(links, 2, ids.slice(0, 5_000));
  expect(after.links.slice(2, 5_002).map(({ id }) => id)).toEqual(ids.slice(0, 5_000));
  expect(Math.max(...[...after.ranks.values()].map((rank) => rank.length))).toBeLessThan(40);
});

test('a place that is used thousands of times goes on having room', () => {
  let links = list(12);
  let most = 0;
  for (let n = 0; n < 3_000; n += 1) {
    // Always between the fifth and what was put there last.
    const moved = links[n % 2 === 0 ? 7 : 8]?.id ?? '';
    const after = place(links, 5, [moved]);
    const expected = links
      .map(({ id }) => id)
      .filter((id) => id !== moved)
      .toSpliced(5, 0, moved);
    links = after.links;
    most = Math.max(most, after.ranks.size);
    expect(links.map(({ id }) => id)).toEqual(expected);
    for (const rank of after.ranks.values()) expect(rank).toMatch(VALID);
  }
  // Once in a while the neighbours, too.
  expect(most).toBeGreaterThan(1);
});
