import { readSearchWords } from '@linkoteca/domain/search-words';
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

const titlesOf = (
  lists: readonly (readonly Link[])[],
  term: string,
  limit = 10,
  places: Record<string, string> = {},
) => {
  const scan = scanLinks(lists, readSearchWords(term), new Map(Object.entries(places)), limit);
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

test('last comes what holds some of the words in a place whose names hold the others', () => {
  const lists = [
    [
      link(9, 'Bolo', { category_id: 'r' }),
      link(8, 'Bolo', { category_id: 'outra' }),
      link(7, 'Pão', { category_id: 'r' }),
      link(6, 'Receita de bolo', { category_id: 'outra' }),
    ],
  ];
  const places = { r: 'receitas\ncozinha', outra: 'trabalho\nescritorio' };
  expect(titlesOf(lists, 'receita bolo', 10, places)).toEqual(['Receita de bolo', 'Bolo']);
  expect(titlesOf(lists, 'bolo cozinha', 10, places)).toEqual(['Bolo']);
  expect(titlesOf(lists, 'cozinha', 10, places)).toEqual([]);
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

test('the whole of what was typed comes first, then every word of it in any order and any field', () => {
  const lists = [
    [
      link(9, 'Biblioteca e relógios', { url: 'https://garmin.com/br' }),
      link(8, 'Garmin sem mais'),
      link(7, 'Minha Garmin Biblioteca'),
    ],
    [link(6, 'Bibliotecas', { description: 'trilhas da Garmin' })],
  ];
  expect(titlesOf(lists, 'garmin biblioteca')).toEqual([
    'Minha Garmin Biblioteca',
    'Biblioteca e relógios',
    'Bibliotecas',
  ]);
  expect(titlesOf(lists, 'garmin biblioteca', 2)).toEqual([
    'Minha Garmin Biblioteca',
    'Biblioteca e relógios',
  ]);
  expect(titlesOf(lists, 'garmin -biblioteca')).toEqual(['Garmin sem mais']);
});

test('what is named so comes before what mentions it, favourites before others of the same meaning', () => {
  const lists = [
    [
      link(9, 'Notas', { description: 'moer o café' }),
      link(8, 'Descafeinado'),
      link(7, 'Torra', { url: 'https://www.cafe.com.br/x' }),
      link(6, 'Um bom (café)'),
      link(5, 'Outro café'),
      link(4, 'Cafés do Brasil'),
    ],
  ];
  expect(titlesOf(lists, 'café')).toEqual([
    'Cafés do Brasil',
    'Um bom (café)',
    'Outro café',
    'Torra',
    'Notas',
    'Descafeinado',
  ]);
  const stars = { isFavorite: (id: string) => id === '00000005' || id === '00000009' };
  const scan = scanLinks(lists, readSearchWords('café'), new Map(), 4, stars);
  scan.run(FOREVER);
  expect(scan.hits().map(({ title }) => title)).toEqual([
    'Cafés do Brasil',
    'Outro café',
    'Um bom (café)',
    'Torra',
  ]);
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
  const scan = scanLinks(lists, readSearchWords('programacao 123'), new Map(), 2000);
  let most = 0;
  for (let done = false; !done; ) {
    const before = read;
    done = scan.run(0);
    most = Math.max(most, read - before);
  }
  expect(most).toBe(64);
  expect(scan.hits().filter(({ title }) => title.includes('programação 123'))).toHaveLength(1 + 10 + 100);
  // Then those with both apart: the number has these digits in another place.
  expect(
    scan
      .hits()
      .slice(111)
      .every(({ title }) => /\d123/.test(title)),
  ).toBe(true);

  // What was folded once is not folded again for the next key.
  read = 0;
  expect(scanLinks(lists, readSearchWords('nada disso'), new Map(), 10).run(FOREVER)).toBe(true);
  expect(read).toBe(0);
});
