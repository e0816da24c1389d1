import { execFileSync } from 'node:child_process';
import { readTagNames } from '@linkoteca/domain/tags';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrangeImport } from './arrange-import.ts';
import { type BookmarkLibrary, writeBookmarkHtml, writeBookmarkJson } from './bookmark-files.ts';
import { readBookmarkFile } from './read-bookmark-file.ts';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';
import { writeBookmarkCsv } from './write-bookmark-csv.ts';

const signal = new AbortController().signal;
const read = (content: string | Uint8Array<ArrayBuffer>, name = 'favoritos.html') =>
  readBookmarkFile(new File([content], name), { signal, onProgress: () => undefined });
const listed = async (content: string | Uint8Array<ArrayBuffer>) =>
  (await read(content)).links.map(({ path, title, url }) => [...path, title, url].join(' > '));

const CHROME = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1557576000" LAST_MODIFIED="0" PERSONAL_TOOLBAR_FOLDER="true">Barra de favoritos</H3>
    <DL><p>
        <DT><A HREF="https://exemplo.com.br/?a=1&amp;b=2" ADD_DATE="1557576000" ICON="data:image/png;base64,AAAA">Caf&eacute; &amp; pão</A>
        <DT><H3 ADD_DATE="1557576001">Receitas</H3>
        <DL><p>
            <DT><A HREF="https://bolo.br/" ADD_DATE="1557576002">Bolo</A>
            <DT><A HREF="javascript:alert(1)">Marcador</A>
        </DL><p>
    </DL><p>
    <DT><A HREF="https://solto.br/">Solto</A>
</DL><p>`;

describe('a bookmark file', () => {
  test('of Chrome is read with folders, entities and dates', async () => {
    expect(await listed(CHROME)).toEqual([
      'Barra de favoritos > Café & pão > https://exemplo.com.br/?a=1&b=2',
      'Receitas > Bolo > https://bolo.br/',
      'Receitas > Marcador > javascript:alert(1)',
      'Solto > https://solto.br/',
    ]);
    const { folders, links } = await read(CHROME);
    expect(folders.map(({ path }) => path.join(' > '))).toEqual(['Receitas']);
    expect(links.map(({ addedAt }) => addedAt)).toEqual([1557576000000, 1557576002000, null, null]);
  });

  test('has each folder of a browser bar stand for itself, and joins none of them in silence', async () => {
    const link = (name: string) => `<DT><A HREF="https://${name}.br/">${name}</A>`;
    expect(
      await listed(`<DL>
        <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Barra</H3><DL>${link('solto')}
          <DT><H3>Receitas</H3><DL>${link('bolo')}<DT><H3>Doces</H3><DL>${link('pudim')}</DL></DL>
          <DT><H3>Viagem</H3><DL>${link('mapa')}</DL>${link('depois')}</DL>
        <DT><H3 UNFILED_BOOKMARKS_FOLDER="true">Outros favoritos</H3><DL>
          <DT><H3>Receitas</H3><DL>${link('sopa')}</DL></DL>
        <DT><H3>Viagem</H3><DL>${link('trem')}<DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Falsa</H3><DL>${link('voo')}</DL></DL></DL>`),
    ).toEqual([
      'Barra > solto > https://solto.br/',
      'Receitas > bolo > https://bolo.br/',
      'Receitas > Doces > pudim > https://pudim.br/',
      'Viagem > mapa > https://mapa.br/',
      'Barra > depois > https://depois.br/',
      'Receitas (Outros favoritos) > sopa > https://sopa.br/',
      'Viagem (outros) > trem > https://trem.br/',
      'Viagem (outros) > Falsa > voo > https://voo.br/',
    ]);
  });

  test('of Firefox and Raindrop gives descriptions and tags', async () => {
    const { folders, links } = await read(
      `<DL><p><DT><H3>Menu</H3><DD>Sobre a pasta
      <DL><p><DT><A HREF="https://a.br" TAGS="leitura,para depois" LAST_MODIFIED="1">A</A>
      <DD>Primeira linha
segunda &lt;b&gt; linha
      <HR><DT><A HREF="place:sort=8">Recentes</A><DT><A HREF="https://b.br">B</A></DL>`,
    );
    expect(folders).toEqual([{ path: ['Menu'], description: 'Sobre a pasta\n      ' }]);
    expect(links.map(({ url, description, tags }) => [url, description, tags])).toEqual([
      ['https://a.br', 'Primeira linha\nsegunda <b> linha', ['leitura', 'para depois']],
      ['place:sort=8', '', []],
      ['https://b.br', '', []],
    ]);
  });

  test('of Pocket has its lists as folders', async () => {
    expect(
      await listed(
        `<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
         <li><a href="https://a.br" time_added="1557576000" tags="x">A</a></li></ul>
         <h1>Read Archive</h1><ul><li><a href="https://b.br">B</a></li></ul></body></html>`,
      ),
    ).toEqual(['Unread > A > https://a.br', 'Read Archive > B > https://b.br']);
  });

  test.each([
    ['lists that nobody closes', '<DL><DT><H3>P<DL><DT><A HREF="https://a.br">A', ['P > A > https://a.br']],
    ['lists closed too often', '<DL></DL></DL></DL><DT><A HREF="https://a.br">A</A>', ['A > https://a.br']],
    [
      'quotes left out',
      "<dl><dt><a href=https://a.br>A</a><dt><a href='https://b.br'>B</a></dl>",
      ['A > https://a.br', 'B > https://b.br'],
    ],
    [
      'a link within a link',
      '<DL><A HREF="https://a.br">A<A HREF="https://b.br">B</A>',
      ['A > https://a.br', 'B > https://b.br'],
    ],
    [
      'marks within a title',
      '<DL><A HREF="https://a.br">A <b>forte</b><script>alert(1)</script></A>',
      ['A fortealert(1) > https://a.br'],
    ],
    [
      'a heading without a list',
      '<DL><DT><H3>Nada</H3><DT><A HREF="https://a.br">A</A></DL>',
      ['A > https://a.br'],
    ],
  ])('with %s is read as far as it goes', async (_, content, links) => {
    expect(await listed(content)).toEqual(links);
  });

  test.each([
    [
      'UTF-8 with a mark',
      new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('<DL><A HREF="https://a.br">Ação</A>')]),
    ],
    ['Latin-1', Uint8Array.from('<DL><A HREF="https://a.br">Ação</A>', (c) => c.charCodeAt(0))],
    [
      'Latin-1 that says UTF-8',
      Uint8Array.from('<META CONTENT="charset=UTF-8"><DL><A HREF="https://a.br">Ação</A>', (c) =>
        c.charCodeAt(0),
      ),
    ],
    [
      'UTF-16',
      new Uint8Array([
        0xff,
        0xfe,
        ...[...'<DL><A HREF="https://a.br">Ação</A>'].flatMap((c) => [
          c.charCodeAt(0) & 255,
          c.charCodeAt(0) >> 8,
        ]),
      ]),
    ],
  ])('in %s keeps its accents', async (_, bytes) => {
    expect(await listed(bytes)).toEqual(['Ação > https://a.br']);
  });

  test.each(['<META CONTENT="text/html; charset=UTF-8">', '\uFEFF', ''])(
    'in UTF-8 with a character that was cut in half keeps the accents of all others: %j',
    async (head) => {
      const encode = (text: string) => new TextEncoder().encode(text);
      const before = encode(`${head}<DL><A HREF="https://a.br">Ação</A><A HREF="https://b.br">Manhã`);
      const bytes = new Uint8Array([...before.slice(0, -1), ...encode('</A></DL>')]);
      expect(await listed(bytes)).toEqual(['Ação > https://a.br', 'Manh\uFFFD > https://b.br']);
    },
  );

  test('in UTF-8 with a mark is that, though its only accent was cut in half', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('\uFEFFurl;titulo\nhttps://a.br;Manh'), 0xc3]);
    expect(await listed(bytes)).toEqual(['Manh\uFFFD > https://a.br']);
  });

  test('of twenty thousand links with pictures is read in slices', async () => {
    const icon = 'A'.repeat(1000);
    const lines = Array.from(
      { length: 20_000 },
      (_, n) =>
        `<DT><A HREF="https://a.br/${n}" ADD_DATE="1557576000" ICON="data:image/png;base64,${icon}">Link ${n}</A>`,
    );
    const heard: number[] = [];
    const file = new File([`<DL><p>${lines.join('\n')}</DL>`], 'grande.html');
    expect(file.size).toBeGreaterThan(20_000_000);
    const { links } = await readBookmarkFile(file, { signal, onProgress: (percent) => heard.push(percent) });
    expect(links).toHaveLength(20_000);
    expect(heard.length).toBeGreaterThan(100);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    await expect(readBookmarkFile(file, { signal: controller.signal, onProgress })).rejects.toThrow(/abort/i);
  });

  test('nested without end and full of noise ends', async () => {
    const { links } = await read(`${'<DL><DT><H3>x</H3>'.repeat(5000)}<A HREF="https://a.br">A</A>`);
    expect(links[0]?.path.length).toBeLessThan(100);
    expect(arrangeImport({ folders: [], links }, new Date(), new Date()).folders[0]?.categories).toHaveLength(
      1,
    );
  });
});

describe('a table', () => {
  test.each([
    [
      'of Raindrop',
      'id,title,note,excerpt,url,folder,tags,created,cover\n1,"Bolo, de ""milho""",nota,trecho,https://a.br,Receitas / Doces,"um, dois",2019-05-11T12:00:00.000Z,',
    ],
    [
      'with semicolons',
      'Título;Endereço;Pasta;Observação\r\n"Bolo, de ""milho""";https://a.br;Receitas/Doces;x\r\n',
    ],
    ['without names', '"Bolo, de ""milho""",https://a.br,Receitas/Doces'],
    ['with tabs', 'url\ttitle\tfolder\nhttps://a.br\tBolo, de "milho"\tReceitas/Doces'],
    [
      'that names its separator',
      'sep=;\r\nnome;link;pasta\r\n"Bolo, de ""milho""";https://a.br;Receitas/Doces',
    ],
  ])('%s is read', async (_, content) => {
    expect(await listed(content)).toEqual(['Receitas > Doces > Bolo, de "milho" > https://a.br']);
  });

  test('gives notes, tags and dates', async () => {
    const { links } = await read(
      'url;nota;excerpt;tags;data\nhttps://a.br;n;e;a,b;11/05/2019 09:30\nhttps://b.br;;;;1557576000',
    );
    expect(links.map(({ description, tags, addedAt }) => [description, tags.join(), addedAt])).toEqual([
      ['n\ne', 'a,b', new Date(2019, 4, 11, 9, 30).getTime()],
      ['', '', 1557576000000],
    ]);
  });

  test('has no date of a day that does not exist', async () => {
    const days = [
      '12/25/2020',
      '31/02/2024 09:30',
      '00/05/2024',
      '2024-02-31',
      '2023-02-29T10:00:00Z',
      '29/02/2024',
    ];
    const { links } = await read(
      ['url;data', ...days.map((day, n) => `https://a.br/${n};${day}`)].join('\n'),
    );
    expect(links.map(({ addedAt }) => addedAt)).toEqual([
      ...[null, null, null, null, null],
      new Date(2024, 1, 29).getTime(),
    ]);
  });

  test('takes a day alone for the person’s own day, however it is written', () => {
    // A thread has the zone of its process, so that another zone is another process.
    const script = `import { readFileDate } from '${import.meta.dirname}/read-file-date.ts';
      process.stdout.write(JSON.stringify(['2024-03-11', '11/03/2024', '2024-03-11T03:00Z'].map(readFileDate)));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TZ: 'America/Sao_Paulo' },
      encoding: 'utf8',
    });
    const day = Date.UTC(2024, 2, 11, 3);
    expect(JSON.parse(output)).toEqual([day, day, day]);
  });

  test.each([
    ['of Raindrop', 'url,tags\nhttps://a.br,"leitura, para depois"', ['leitura', 'para depois']],
    [
      'of Pocket',
      'title,url,time_added,tags,status\nA,https://a.br,1557576000,leitura|para depois,unread',
      ['leitura', 'para depois'],
    ],
    ['of linkding', 'url,title,tag_names\nhttps://a.br,A,leitura depois', ['leitura', 'depois']],
    ['of Instapaper', 'URL,Title,Tags\nhttps://a.br,A,"[""leitura"", ""Leitura""]"', ['leitura']],
    ['with signs', 'url,tags\nhttps://a.br,#leitura #c#', ['leitura', 'c#']],
    ['without any', 'url,tags\nhttps://a.br,[]', []],
    [
      'with more than a link takes',
      `url,tags\nhttps://a.br,"${Array.from({ length: 30 }, (_, n) => `t${n}`)}"`,
      Array.from({ length: 20 }, (_, n) => `t${n}`),
    ],
  ])('%s gives tags', async (_, content, names) => {
    expect((await read(content)).links.map(({ tags }) => tags)).toEqual([names]);
  });

  test('of addresses alone keeps what stands behind their commas', async () => {
    const urls = [
      'https://a.br/',
      'http://g1.globo.com/Noticias/0,,MUL1-5602,00.html',
      'http://g1.globo.com/Noticias/0,,MUL2-5602,00.html',
      'https://www.google.com/maps/@-23.5,-46.6,15z',
    ];
    for (const lines of [urls, urls.toReversed(), ['url', ...urls]]) {
      const { links } = await read(lines.join('\r\n'), 'lista.txt');
      expect(links.map(({ path, url }) => [...path, url].join(' > '))).toEqual(
        lines.filter((line) => line !== 'url'),
      );
    }
  });

  test.each(['', '\n', ';;\n \n'])(
    'of addresses and titles with marks of HTML has its columns, after %j',
    async (blank) => {
      expect(
        await listed(
          `${blank}https://a.br;<dl> explicado;Doces\nhttps://b.br;<a href="https://c.br">;Doces\n`,
        ),
      ).toEqual(['Doces > <dl> explicado > https://a.br', 'Doces > <a href="https://c.br"> > https://b.br']);
    },
  );

  test('of addresses and words without blanks has its columns', async () => {
    expect(await listed('https://a.br;Bolo;Doces\nhttps://b.br/0,,1;Pudim;Doces\n')).toEqual([
      'Doces > Bolo > https://a.br',
      'Doces > Pudim > https://b.br/0,,1',
    ]);
  });

  test.each([
    [
      'https://a.br/x;Bolo;Doces\nhttps://b.br/y;Pudim',
      ['Doces > Bolo > https://a.br/x', 'Pudim > https://b.br/y'],
    ],
    ['https://a.br/x;Bolo\nhttps://b.br/y;Pudim;Doces', ['Bolo > https://a.br/x', 'Pudim > https://b.br/y']],
    ['Bolo;https://a.br/x\n', ['Bolo > https://a.br/x']],
  ])('of such cells has its columns though its last ones are left out: %j', async (content, links) => {
    expect(await listed(content)).toEqual(links);
  });

  test('in many slices is read whole, quotes across their ends too', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `"Linha\n${n}; ""ção""",https://a.br/${n},Pasta`);
    const { links } = await read(['title,url,folder', ...rows].join('\n'), 'a.csv');
    expect(links).toHaveLength(20_000);
    expect(links[19_999]).toMatchObject({ title: 'Linha\n19999; "ção"', url: 'https://a.br/19999' });
  });
});

test.each([
  ['no_address_column', 'nome;idade\nMaria;30'],
  ['unknown_format', ''],
  ['unknown_format', '{"formato": "outro"}'],
  ['unknown_format', '[1, 2'],
  ['unknown_format', '\u0089PNG\u0000\u0000'],
  ['nothing_found', '<html><body><p>Nada aqui</p></body></html>'],
])('a file is refused as %s: %j', async (reason, content) => {
  await expect(read(content)).rejects.toMatchObject({ reason });
});

/** Texts as the schema stores them. */
const line = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((text) => `${text.normalize('NFC').replace(/[\p{Cc}\p{Z}\u200B\uFEFF]/gu, '')}x`.slice(0, max));
const url = fc
  .webUrl({ withQueryParameters: true, withFragments: true })
  .map((text) => `${text}#${text.length}`);
const moment = fc
  .integer({ min: 700_000_000, max: 1_700_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString());
const description = fc.option(
  fc.tuple(line(50), line(50)).map(([first, second]) => `${first}\n<${second}> "&amp;"`),
);
const tags = fc
  .uniqueArray(line(20), { maxLength: 4 })
  .map((names) => readTagNames(names.map((name) => `t${name.replace(/[^\p{L}\p{N}]/gu, '')}`)));
const library: fc.Arbitrary<BookmarkLibrary> = fc.record({
  folders: fc.uniqueArray(
    fc.record({
      name: line(40),
      createdAt: moment,
      categories: fc.uniqueArray(
        fc.record({
          name: line(40),
          description: description.map((text) => text?.slice(0, 60).trim() ?? null),
          createdAt: moment,
          links: fc.uniqueArray(fc.record({ url, title: line(80), description, tags, createdAt: moment }), {
            selector: (link) => link.url,
            maxLength: 4,
          }),
        }),
        { selector: ({ name }) => name, maxLength: 3 },
      ),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
  ),
});

test.each([
  ['HTML', '<DL><DT><A HREF="https://a.br/x ">A</A></DL>'],
  ['a table', 'titulo;url\nA;"https://a.br/x "'],
  [
    'JSON',
    JSON.stringify({
      formato: 'linkoteca-favoritos',
      pastas: [
        { nome: 'P', categorias: [{ nome: 'C', links: [{ titulo: 'A', endereco: 'https://a.br/x ' }] }] },
      ],
    }),
  ],
])('an address with a blank behind it is taken without the blank from %s', async (_format, content) => {
  const { folders } = arrangeImport(await read(content), new Date(0), new Date());
  expect(folders[0]?.categories[0]?.links.map(({ url }) => url)).toEqual(['https://a.br/x']);
});

describe('what was exported comes back the same', () => {
  const arrange = async (parts: Iterable<string>) => {
    const file = await read([...parts].join(''));
    const { folders, leftOut } = arrangeImport(file, new Date(0), new Date());
    expect(leftOut).toEqual([]);
    return folders;
  };
  const expected = ({ folders }: BookmarkLibrary, withDescriptions: boolean) =>
    folders.map(({ name, categories }) => ({
      name,
      categories: categories.map((category) => ({
        name: category.name,
        description: withDescriptions ? category.description : null,
        links: category.links.map((link) => ({ ...link, n: expect.any(Number) })),
      })),
    }));

  test.each([
    ['HTML', writeBookmarkHtml, true],
    ['JSON', writeBookmarkJson, true],
    ['CSV', writeBookmarkCsv, false],
  ] as const)('as %s', async (_, write, withDescriptions) => {
    await fc.assert(
      fc.asyncProperty(library, async (shelf) => {
        expect(await arrange(write(shelf))).toEqual(expected(shelf, withDescriptions));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['HTML', writeBookmarkHtml],
    ['JSON', writeBookmarkJson],
    ['CSV', writeBookmarkCsv],
  ] as const)('as %s, with tags in brackets', async (_, write) => {
    const createdAt = '2020-01-01T00:00:00.000Z';
    const link = (url: string, tags: readonly string[]) => ({
      ...{ url, title: 'A', description: null, tags, createdAt },
    });
    const links = [link('https://a.br/1', ['[lido]']), link('https://a.br/2', ['[lido]', '[novo]'])];
    const category = { name: 'C', description: null, createdAt, links };
    const shelf = { folders: [{ name: 'F', createdAt, categories: [category] }] };
    expect(await arrange(write(shelf))).toEqual(expected(shelf, false));
  });

  test.each([
    '<a>: The Anchor element',
    '<h1>–<h6>: The HTML Section Heading elements',
    'Um <a href="https://outro.br/">link</a>',
  ])('as a table, with the title %j at its top', async (title) => {
    const createdAt = '2020-01-01T00:00:00.000Z';
    const link = (url: string) => ({ url, title, description: null, tags: [], createdAt });
    const links = [link('https://a.br/1'), link('https://a.br/2')];
    const category = { name: 'C', description: null, createdAt, links };
    const shelf = { folders: [{ name: 'F', createdAt, categories: [category] }] };
    expect(await arrange(writeBookmarkCsv(shelf))).toEqual(expected(shelf, false));
  });

  test.each(['/x', 'a/b', "'=x", "''+x", "'x"])(
    'as a table, when a folder or category is named %s',
    async (name) => {
      const category = { name, description: null, createdAt: '', links: [] };
      const shelf = {
        folders: [
          { name, createdAt: '', categories: [category] },
          { name: `${name} vazia`, createdAt: '', categories: [] },
        ],
      };
      expect(await arrange(writeBookmarkCsv(shelf))).toEqual(expected(shelf, false));
    },
  );

  test('as JSON, as much as the screen promises', () => {
    expect(TRANSFER_MESSAGES.export.explanation).toMatch(
      /JSON volta para a Linkoteca com pastas, descrições, tags e datas\.$/,
    );
  });

  test('as a table in which no cell is a formula', async () => {
    const link = {
      url: 'https://a.br',
      title: '=HYPERLINK("https://mau.br")',
      description: '@SUM(1)\nem duas linhas',
      tags: ['=1+1', 'um dois'],
      createdAt: '2019-05-11T12:00:00.000Z',
    };
    const shelf = {
      folders: [
        {
          name: '+1',
          createdAt: '',
          categories: [{ name: '-2', description: null, createdAt: '', links: [link] }],
        },
      ],
    };
    const text = [...writeBookmarkCsv(shelf)].join('');
    // Within quotes, too, which a text of two lines has.
    expect(text).not.toMatch(/;"[=+@-]/);
    expect(text).not.toMatch(/(^|[;"\n])[=+@-]/);
    expect(await arrange([text])).toEqual(expected(shelf, false));
  });
});
