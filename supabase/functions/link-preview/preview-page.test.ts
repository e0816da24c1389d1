import { describe, expect, test } from 'vitest';
import { decodeHead, describePage, readHead } from './preview-page.ts';

const encode = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function decode(
  bytes: Uint8Array,
  contentType: string | null = 'text/html',
  size = 7,
): Promise<string> {
  return decodeHead(await readHead(inPieces(bytes, size)), contentType);
}

describe('the encoding', () => {
  const LATIN = encode('<title>Ação já</title>', 'latin1');

  test.each([
    ['what the header says', LATIN, 'text/html; charset=ISO-8859-1'],
    ['what the header says in quotes', LATIN, 'text/html;Charset="windows-1252"'],
    ['the page’s own word', encode('<meta charset=iso-8859-1><title>Ação já</title>', 'latin1'), 'text/html'],
    [
      'the page’s own old word',
      encode(
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1"><title>Ação já</title>',
        'latin1',
      ),
      null,
    ],
    [
      'the page’s own late word',
      encode(`${' '.repeat(5_000)}<title>Ação já</title><meta charset=latin1>`, 'latin1'),
      null,
    ],
    ['nobody’s word, and UTF-8', encode('<title>Ação já</title>', 'utf8'), 'text/html'],
    ['nobody’s word, and not UTF-8', LATIN, 'text/html'],
    ['a word nobody knows, and not UTF-8', LATIN, 'text/html; charset=klingon'],
    [
      'the header before the page',
      encode('<meta charset=iso-8859-1><title>Ação já</title>', 'utf8'),
      'text/html; charset=utf-8',
    ],
    [
      'the mark before the header',
      encode('\uFEFF<title>Ação já</title>', 'utf8'),
      'text/html; charset=iso-8859-1',
    ],
    ['the mark of UTF-16', encode('\uFEFF<title>Ação já</title>', 'utf16le'), 'text/html'],
    ['UTF-16 that cannot be', encode('<meta charset=utf-16><title>Ação já</title>', 'utf8'), null],
  ])('is %s', async (_source, bytes, contentType) => {
    expect(await decode(bytes, contentType)).toContain('<title>Ação já</title>');
  });

  test('called ISO-8859-1 has the quotes and dashes of Windows', async () => {
    const bytes = Buffer.concat([
      encode('<title>', 'latin1'),
      Buffer.of(0x93, 0x80, 0x94, 0x96),
      encode('</title>', 'latin1'),
    ]);
    expect(await decode(bytes, 'text/html; charset=iso-8859-1')).toContain('“€”–');
  });
});

describe('a page is read', () => {
  const count = async (pieces: AsyncIterable<Uint8Array>) => (await readHead(pieces)).bytes.length;
  async function* endless(start: string): AsyncGenerator<Uint8Array> {
    yield encode(start, 'utf8');
    for (;;) yield encode('x'.repeat(1_000), 'utf8');
  }

  test.each([
    ['to the end of its head', '<head><title>a</title></head>'],
    ['to the start of its body', '<title>a</title><BODY class="x">'],
    [
      'until it has said enough',
      '<meta property="og:title" content="a"><meta property="og:description" content="b">',
    ],
  ])('%s', async (_until, start) => {
    expect(await count(endless(start))).toBe(start.length);
  });

  test.each([
    ['a script', '<head><script>"</head><body>"</script>'],
    ['a comment', '<head><!-- </head><body> -->'],
    ['a style', '<style>/*</head>*/</style>'],
    ['an attribute', '<meta content="</head><body>">'],
  ])('past a tag that is only text in %s', async (_place, start) => {
    expect(await count(endless(start))).toBeGreaterThan(start.length);
  });

  test('to half a mebibyte at most', async () => {
    expect(await count(endless('<title>a'))).toBe(524_288);
  });

  test('to its end', async () => {
    expect(await count(inPieces(encode('curta', 'utf8'), 2))).toBe(5);
    expect(await count(inPieces(new Uint8Array(), 2))).toBe(0);
  });

  test('broken off in the middle of a character', async () => {
    // Seven bytes of tag, then two a character: the limit falls between the two.
    const text = await decode(encode(`<title>${'é'.repeat(300_000)}`, 'utf8'), null, 65_536);
    expect(text.endsWith('é')).toBe(true);
    expect(text).not.toContain('\uFFFD');
  });
});

const read = (head: string) =>
  describePage(`<!doctype html><html lang="pt-BR"><head>${head}</head><body></body>`);

describe('the title', () => {
  test.each([
    ['<title>Receitas</title>', 'Receitas'],
    ['<title>Site</title><meta property="og:title" content="Bolo de fubá">', 'Bolo de fubá'],
    ['<title>Site</title><meta name="twitter:title" content="Bolo">', 'Bolo'],
    ['<meta name="twitter:title" content="Bolo"><meta property="og:title" content="Fubá">', 'Fubá'],
    ['<meta name="og:title" content="Com name">', 'Com name'],
    ['<META PROPERTY="OG:Title" CONTENT="Maiúsculas">', 'Maiúsculas'],
    ["<meta content='Ao contrário' property='og:title'>", 'Ao contrário'],
    ['<meta property="og:title" content="  "><title>Reserva</title>', 'Reserva'],
    ['<meta property="og:title"><title>Reserva</title>', 'Reserva'],
    [
      '<title>P&atilde;o &amp; caf&eacute; &#8212; &#x1F35E; &quot;bom&quot;</title>',
      'Pão & café — 🍞 "bom"',
    ],
    ['<title>\n  Muito\t\tespaço&nbsp;&nbsp;aqui \r\n</title>', 'Muito espaço aqui'],
    ['<title>Um &lt;b&gt; e <b>tags</b></title>', 'Um <b> e <b>tags</b>'],
    ['<title>Primeiro</title><title>Segundo</title>', 'Primeiro'],
    ['<svg><title>Desenho</title></svg><title>Página</title>', 'Página'],
    ['<script>"<title>Não</title>"</script><title>Sim</title>', 'Sim'],
    ['<!-- <title>Não</title> --><title>Sim</title>', 'Sim'],
    ['<title>Nulo\u0000 e \u0007 sino</title>', 'Nulo e sino'],
    ['<title></title>', null],
    ['', null],
  ])('%s', (head, title) => {
    expect(read(head).title).toBe(title);
  });

  test('is cut to a hundred characters, never through one', () => {
    const title = read(`<title>${'👍'.repeat(150)}</title>`).title ?? '';
    expect(title).toBe(`${'👍'.repeat(99)}…`);
    expect(title.isWellFormed()).toBe(true);
  });

  test('is found where there is no head, and where the page breaks off', () => {
    expect(describePage('<title>Sem cabeça</title><p>oi').title).toBe('Sem cabeça');
    expect(describePage('<head><title>Cortad').title).toBe('Cortad');
    expect(describePage('texto puro').title).toBeNull();
  });

  test('is not taken from the body', () => {
    expect(describePage('<head></head><body><title>Corpo</title>').title).toBeNull();
    expect(describePage('<body><meta property="og:title" content="Comentário de alguém">').title).toBeNull();
  });
});

describe('the description', () => {
  test.each([
    ['<meta name="description" content="Simples">', 'Simples'],
    [
      '<meta name="description" content="Simples"><meta property="og:description" content="Aberta">',
      'Aberta',
    ],
    ['<meta name="description" content="Simples"><meta name="twitter:description" content="Pio">', 'Pio'],
    ['<meta name="description" content="Linha um&#10;linha   dois">', 'Linha um linha dois'],
    ['<meta name="description" content="">', null],
  ])('%s', (head, description) => {
    expect(read(head).description).toBe(description);
  });

  test('is cut to 1,200 characters', () => {
    const { description } = read(`<meta name="description" content="${'é'.repeat(3_000)}">`);
    expect(description).toHaveLength(1_200);
  });
});
