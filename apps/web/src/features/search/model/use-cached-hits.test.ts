import { expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { scanLinks } from './use-cached-hits.ts';

const FOREVER = Number.POSITIVE_INFINITY;

function link(id: number, title: string, fields: Partial<Link> = {}): Link {
  const day = new Date(Date.UTC(2025, 0, 1) + id * 60_000).toISOString();
  return sampleLink({
    id: String(id).padStart(8, '0'),
    title,
    url: `https://exemplo.com.br/artigo/${id}`,
    created_at: day,
    updated_at: day,
    ...fields,
  });
}

const titlesOf = (lists: readonly (readonly Link[])[], needle: string, limit = 10) => {
  const scan = scanLinks(lists, needle, limit);
  expect(scan.run(FOREVER)).toBe(true);
  return scan.hits().map(({ title }) => title);
};

test('title, address and description are searched, inside words, without case and accents, sign by sign', () => {
  const lists = [
    [
      link(5, 'A Ação'),
      link(4, 'x', { url: 'https://exemplo.com/Reação' }),
      link(3, 'y', { description: 'na ação' }),
      link(2, '100% \\o/'),
    ],
  ];
  expect(titlesOf(lists, 'acao')).toEqual(['A Ação', 'x', 'y']);
  expect(titlesOf(lists, '0%')).toEqual(['100% \\o/']);
  expect(titlesOf(lists, '\\o')).toEqual(['100% \\o/']);
  expect(titlesOf(lists, '_')).toEqual([]);
});

test('no term matches across two fields', () => {
  expect(titlesOf([[link(1, 'fim', { url: 'https://a.br' })]], 'fimhttps')).toEqual([]);
});

test('of many lists the newest come first, each once, and no more than wanted', () => {
  const lists = [
    [link(9, 'nove'), link(5, 'cinco'), link(1, 'um')],
    [link(8, 'oito'), link(7, 'sete')],
    [link(9, 'nove'), link(6, 'seis')],
  ];
  expect(titlesOf(lists, 'artigo', 4)).toEqual(['nove', 'oito', 'sete', 'seis']);
});

test('out of time it stops after a few links, whatever the library, and goes on where it was', () => {
  let read = 0;
  const like = link(0, '');
  const lists = Array.from({ length: 100 }, (_, list) =>
    Array.from({ length: 1000 }, (_, index) => {
      const number = 100_000 - list * 1000 - index;
      const created_at = new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString();
      return Object.defineProperty({ ...like, id: `${number}`, created_at }, 'title', {
        get: () => {
          read += 1;
          return `Introdução à programação ${number}`;
        },
      });
    }),
  );
  const scan = scanLinks(lists, 'programacao 123', 2000);
  let most = 0;
  for (let done = false; !done; ) {
    const before = read;
    done = scan.run(0);
    most = Math.max(most, read - before);
  }
  expect(most).toBe(64);
  expect(scan.hits()).toHaveLength(1 + 10 + 100);

  // What was folded once is not folded again for the next key.
  read = 0;
  expect(scanLinks(lists, 'nada disso', 10).run(FOREVER)).toBe(true);
  expect(read).toBe(0);
});
