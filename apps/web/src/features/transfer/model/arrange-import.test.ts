import { FIELD_LIMITS, IMPORT_LIMITS } from '@linkoteca/domain/limits';
import { countCharacters } from '@linkoteca/domain/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrangeImport, comparableUrl } from './arrange-import.ts';
import type { FileLink } from './bookmark-files.ts';
import { fitImport, splitImport } from './fit-import.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const link = (path: readonly string[], url: string, more: Partial<FileLink> = {}): FileLink => ({
  path,
  url,
  title: 'T',
  description: '',
  tags: [],
  addedAt: null,
  ...more,
});
const arrange = (links: readonly FileLink[], folders: readonly (readonly string[])[] = []) =>
  arrangeImport({ links, folders: folders.map((path) => ({ path, description: '' })) }, NOW, NOW);
const shape = ({ folders }: ReturnType<typeof arrange>) =>
  folders.map(({ name, categories }) => [
    name,
    categories.map((category) => [category.name, category.links.length]),
  ]);

describe('arranging', () => {
  test('makes folders, categories and names of what is deeper', () => {
    expect(
      shape(
        arrange([
          link(['Barra', 'Receitas', 'Doces'], 'https://a.br'),
          link(['Barra', 'Receitas'], 'https://a.br'),
          link(['Barra'], 'https://a.br'),
          link([], 'https://a.br'),
          link(['Barra', 'Receitas'], 'https://b.br'),
          link(['  ', 'x'], 'https://a.br'),
        ]),
      ),
    ).toEqual([
      [
        'Barra',
        [
          ['Receitas / Doces', 1],
          ['Receitas', 2],
          ['Geral', 1],
        ],
      ],
      ['Importados', [['22/11/2026', 1]]],
      ['Sem nome', [['x', 1]]],
    ]);
  });

  test('keeps what is empty in the file, and makes nothing of folders that only hold folders or what cannot be taken', () => {
    expect(
      shape(
        arrange(
          [link(['A', 'B', 'C'], 'https://a.br'), link(['D', 'E'], 'javascript:1')],
          [['A'], ['A', 'B'], ['A', 'B', 'C'], ['A', 'Vazia'], ['Sozinha'], ['D'], ['D', 'E']],
        ),
      ),
    ).toEqual([
      [
        'A',
        [
          ['B / C', 1],
          ['Vazia', 0],
        ],
      ],
      ['Sozinha', []],
    ]);
  });

  test('leaves out what is no web page, and says why', () => {
    const urls = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'place:sort=8',
      'file:///etc/passwd',
      'data:text/html,x',
      'about:blank',
      'chrome://version',
      ' ',
      `https://a.br/${'x'.repeat(500)}`,
      'https://a.br',
      'https://A.br/',
    ];
    const { folders, leftOut } = arrange(urls.map((url) => link(['A', 'B'], url)));
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      ...Array(7).fill('not_web'),
      'no_address',
      'too_long',
      'repeated',
    ]);
    expect(folders[0]?.categories[0]?.links.map(({ url }) => url)).toEqual(['https://a.br']);
  });

  test('cuts texts to what the schema takes, whatever the file says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 90 }), { maxLength: 5 }),
        fc.string({ unit: 'binary', maxLength: 2000 }),
        (path, text) => {
          const { folders } = arrange([link(path, 'https://a.br', { title: text, description: text })]);
          for (const { name, categories } of folders)
            for (const category of categories) {
              for (const called of [name, category.name]) {
                expect(countCharacters(called)).toBeGreaterThan(0);
                expect(countCharacters(called)).toBeLessThanOrEqual(FIELD_LIMITS.folderName);
                expect(called).toBe(called.trim());
              }
              for (const { title, description } of category.links) {
                expect(title.trim()).not.toBe('');
                expect(countCharacters(title)).toBeLessThanOrEqual(FIELD_LIMITS.linkTitle);
                expect(countCharacters(description ?? '')).toBeLessThanOrEqual(FIELD_LIMITS.linkDescription);
              }
            }
        },
      ),
    );
  });

  const LONG = 'Relatórios trimestrais da diretoria de investimentos';

  test.each([
    [
      'by the folder around them',
      [
        ['Fundos', 'Aplicações antigas do escritório da família', '2023', 'Fundo'],
        ['Fundos', 'Aplicações antigas do escritório da família', '2024', 'Fundo'],
      ],
      ['… / 2023 / Fundo', '… / 2024 / Fundo'],
    ],
    [
      'by their ends',
      [
        ['Fundos', `${LONG} de 2023`, 'Fundo'],
        ['Fundos', `${LONG} de 2024`, 'Fundo'],
      ],
      ['Relatórios trimestrais da … de 2023 / Fundo', 'Relatórios trimestrais da … de 2024 / Fundo'],
    ],
    [
      'by a number',
      [
        ['Fundos', `${LONG} de 2023 aos cotistas do fundo`],
        ['Fundos', `${LONG} de 2024 aos cotistas do fundo`],
      ],
      [
        'Relatórios trimestrais da … aos cotistas do fundo',
        'Relatórios trimestrais da … aos cotistas do… (2)',
      ],
    ],
    [
      'from one that is short enough',
      [
        ['Fundos', LONG],
        ['Fundos', 'Relatórios trimestrais da diretoria de…'],
      ],
      ['Relatórios trimestrais da … de investimentos', 'Relatórios trimestrais da diretoria de…'],
    ],
  ])('tells names that meet when they are shortened apart %s', (_, paths, names) => {
    const arranged = arrange(paths.map((path) => link(path, 'https://a.br')));
    expect(shape(arranged)).toEqual([['Fundos', names.map((name) => [name, 1])]]);
    expect(arranged.shortened.map(({ folder, to }) => [folder, to])).toEqual(
      names.filter((name) => name !== paths.at(-1)?.at(-1)).map((name) => ['Fundos', name]),
    );
  });

  test('tells folders apart whose long names begin alike, and says what they were called', () => {
    const [one, other] = [`${LONG} de 2023`, `${LONG} de 2024`];
    const arranged = arrange([link([one, 'A'], 'https://a.br'), link([other, 'A'], 'https://a.br')]);
    expect(arranged.folders.map(({ name }) => name)).toEqual([
      'Relatórios trimestrais da … investimentos de 2023',
      'Relatórios trimestrais da … investimentos de 2024',
    ]);
    expect(arranged.shortened).toEqual([
      { folder: null, from: one, to: arranged.folders[0]?.name },
      { folder: null, from: other, to: arranged.folders[1]?.name },
    ]);
  });

  test('says nothing of long names of which nothing is made', () => {
    expect(arrange([link([LONG, LONG], 'javascript:1')], [[LONG], [LONG, LONG]]).shortened).toEqual([]);
  });

  const words = (max: number) =>
    fc
      .array(
        fc.constantFrom(
          'Fundo',
          '2023',
          '2024',
          'de',
          'São Paulo',
          '👨‍👩‍👧',
          '🇧🇷🇧🇷',
          'e\u0301le\u0301',
          'x'.repeat(60),
        ),
        {
          minLength: 1,
          maxLength: max,
        },
      )
      .map((list) => list.join(' '));

  test('gives no two whole names one short one, whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(words(14), { minLength: 2, maxLength: 5 }), { maxLength: 12 }),
        (paths) => {
          const whole = (path: readonly string[]) =>
            JSON.stringify([path[0], path.slice(1).join(' / ')].map((name) => name?.normalize('NFC')));
          const arranged = arrange(paths.map((path, n) => link(path, `https://a.br/${n}`)));
          const names = arranged.folders.flatMap(({ name, categories }) =>
            categories.map((category) => JSON.stringify([name, category.name])),
          );
          expect(new Set(names).size).toBe(names.length);
          expect(names.length).toBe(new Set(paths.map(whole)).size);
          expect(arrange(paths.map((path, n) => link(path, `https://a.br/${n}`)))).toEqual(arranged);
        },
      ),
    );
  });

  test('cuts names and titles between words and never through what is one character', () => {
    const segment = (text: string) => [...new Intl.Segmenter().segment(text)].map((part) => part.segment);
    fc.assert(
      fc.property(words(40), (text) => {
        const { folders } = arrange([link([text, text], 'https://a.br', { title: text })]);
        const whole = new Set(segment(text.normalize('NFC')).concat(segment(text)));
        const names = folders.flatMap(({ name, categories }) => [
          name,
          ...categories.flatMap((category) => [category.name, ...category.links.map(({ title }) => title)]),
        ]);
        for (const name of names) {
          for (const one of segment(name)) expect([...whole, '…', ' ']).toContain(one);
          if (!text.includes('x'))
            for (const word of name.split(/…| /).filter(Boolean))
              expect(text.normalize('NFC').split(' ').concat(text.split(' '))).toContain(word);
        }
      }),
    );
  });

  test('believes no date before there were bookmarks, and none from tomorrow', () => {
    const dates = [Date.UTC(2019, 4, 11), 1, NOW.getTime() + 86_400_000];
    const { folders } = arrange(dates.map((addedAt, n) => link(['A'], `https://a.br/${n}`, { addedAt })));
    expect(folders[0]?.categories[0]?.links.map(({ createdAt }) => createdAt)).toEqual([
      '2019-05-11T00:00:00.000Z',
      null,
      null,
    ]);
  });
});

test.each([
  ['HTTPS://A.br/', 'https://a.br', true],
  ['https://a.br/x', 'https://a.br/X', false],
  ['https://U:P@a.br', 'https://u:p@a.br', false],
])('%s and %s compare equal: %s', (one, other, same) => {
  expect(comparableUrl(one) === comparableUrl(other)).toBe(same);
});

describe('fitting', () => {
  const file = arrange([
    ...[1, 2, 3].map((n) => link(['A', 'Um'], `https://a.br/${n}`)),
    link(['A', 'Dois'], 'https://b.br'),
    link(['B', 'Três'], 'https://c.br'),
  ]).folders;
  const existing = {
    folders: [
      { id: 'a', name: 'A' },
      { id: 'z', name: 'Z' },
    ],
    categories: [
      { folder_id: 'a', name: 'Um' },
      { folder_id: 'z', name: 'Três' },
    ],
  };
  const fitFile = (links: number | null, categories: number | null, known: readonly number[] = []) =>
    fitImport(file, existing, new Set(known), { links, categories });

  test('counts what is new, and leaves away what is known', () => {
    expect(fitFile(null, null, [0])).toMatchObject({
      made: { folders: 1, categories: 2, links: 4 },
      known: 1,
      excess: [],
    });
    const all = fitImport(file.slice(0, 1), existing, new Set([0, 1, 2, 3]), {
      links: null,
      categories: null,
    });
    expect(all.made).toEqual({ folders: 0, categories: 1, links: 0 });
  });

  test('takes in the order of the file as far as there is room, and names the rest', () => {
    expect(fitFile(2, null)).toMatchObject({
      made: { folders: 0, categories: 0, links: 2 },
      excess: [
        { folder: 'A', categories: 1, links: 2 },
        { folder: 'B', categories: 1, links: 1 },
      ],
    });
    expect(fitFile(null, 1)).toMatchObject({
      made: { folders: 0, categories: 1, links: 4 },
      excess: [{ folder: 'B', categories: 1, links: 1 }],
    });
    expect(fitFile(0, 0).folders).toEqual([]);
  });
});

describe('splitting', () => {
  const createId = () => crypto.randomUUID();

  test('gives parts that the service takes, each link once, the oldest first', () => {
    const links = Array.from({ length: 2500 }, (_, n) =>
      link([`P${n % 7}`, `C${n % 40}`], `https://a.br/${n}`, {
        description: 'ç'.repeat((n % 3) * 500),
        addedAt: n % 5 === 0 ? null : Date.UTC(2020, 0, 1) + (n % 100) * 1000,
      }),
    );
    const parts = splitImport(arrange(links, [['Vazia'], ['P1', 'Nada']]).folders, createId);
    const sent = parts.flatMap((part) => part.links);
    expect(new Set(sent.map(({ n }) => n)).size).toBe(2500);
    const dates = sent.map(({ created_at }) => created_at ?? '9');
    expect(dates).toEqual(dates.toSorted());
    expect(parts[0]?.places.map(({ folder, category }) => [folder, category])).toEqual(
      expect.arrayContaining([
        ['Vazia', null],
        ['P1', 'Nada'],
      ]),
    );
    const placeIds = new Map<string, string>();
    for (const { places, links: inside } of parts) {
      expect(inside.length).toBeLessThanOrEqual(IMPORT_LIMITS.linksPerPart);
      expect(new TextEncoder().encode(JSON.stringify({ places, links: inside })).length).toBeLessThan(
        500_000,
      );
      const known = new Set(places.map(({ n }) => n));
      expect(inside.every(({ place }) => known.has(place))).toBe(true);
      for (const { folder, folder_id } of places)
        expect(placeIds.get(folder) ?? placeIds.set(folder, folder_id).get(folder)).toBe(folder_id);
    }
  });

  test('gives nothing of nothing', () => {
    expect(splitImport([], createId)).toEqual([]);
  });
});
