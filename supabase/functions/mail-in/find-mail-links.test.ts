import { describe, expect, test } from 'vitest';
import { findMailLinks } from './find-mail-links.ts';
import type { MailHeaders } from './incoming-mail.ts';

type Parts = { subject?: string; text?: string; html?: string; headers?: MailHeaders };
const find = ({ subject = '', text = '', html = '', headers = [] }: Parts) =>
  findMailLinks({ subject, text, html, headers });
const urls = (parts: Parts) => find(parts).map(({ url }) => url);

describe('the only link of a message', () => {
  test('is named after the subject, and described by the text around it', () => {
    expect(
      find({
        subject: 'Pão de fermentação natural',
        text: 'Ver no fim de semana:\r\nhttps://pao.com.br/receita.\r\n\r\n\r\n\r\nA da vovó',
      }),
    ).toEqual([
      {
        url: 'https://pao.com.br/receita',
        title: 'Pão de fermentação natural',
        description: 'Ver no fim de semana:\n\nA da vovó',
      },
    ]);
  });

  test.each([
    ['Fwd: Pão', 'Pão'],
    ['ENC: RES: Pão', 'Pão'],
    ['https://pao.com.br/', 'pao.com.br'],
    ['', 'pao.com.br'],
    ['Pão – https://pao.com.br/', 'Pão'],
    ['<b>Pão</b>\u0000\u0007', '<b>Pão</b>'],
    [`${'palavra '.repeat(30)}`, `${'palavra '.repeat(12).trim()}…`],
  ])('with the subject %j is called %j', (subject, title) => {
    expect(find({ subject, text: 'https://pao.com.br/' })).toEqual([
      { url: 'https://pao.com.br/', title, description: null },
    ]);
  });

  test('has its description cut to what a link holds', () => {
    const [link] = find({ subject: 'Pão', text: `https://pao.com.br/ ${'palavra '.repeat(1_000)}` });
    expect(link?.description?.length).toBeLessThanOrEqual(1_200);
    expect(link?.description).toMatch(/palavra…$/);
  });

  test('is described by the HTML where there is no text', () => {
    expect(
      find({
        subject: 'Pão',
        html: '<style>p{}</style><p>Com <b>farinha</b></p><p><a href="https://pao.com.br/?a=1&amp;b=2">aqui</a></p>',
      }),
    ).toEqual([{ url: 'https://pao.com.br/?a=1&b=2', title: 'Pão', description: 'Com farinha\n\naqui' }]);
  });
});

describe('links', () => {
  test('of subject, text and HTML are each taken once, and named by what one presses', () => {
    expect(
      find({
        subject: 'Três: https://a.br/1',
        text: 'https://a.br/2 (https://a.br/wiki_(pao)), https://a.br/1',
        html: '<a href="https://A.br/2">A segunda</a> <a href="https://a.br/3">https://a.br/3</a> <a href="https://a.br/4"><img src="https://a.br/pixel.gif"></a>',
      }),
    ).toEqual([
      { url: 'https://a.br/1', title: 'a.br', description: null },
      { url: 'https://a.br/2', title: 'A segunda', description: null },
      { url: 'https://a.br/wiki_(pao)', title: 'a.br', description: null },
      { url: 'https://a.br/3', title: 'a.br', description: null },
      { url: 'https://a.br/4', title: 'a.br', description: null },
    ]);
  });

  test('end in an asterisk of their own, not in one that emphasises them', () => {
    expect(urls({ text: 'https://web.archive.org/web/*/a.br/*, e *https://a.br*' })).toEqual([
      'https://web.archive.org/web/*/a.br/*',
      'https://a.br',
    ]);
  });

  test('are what can be pressed: not what a page is styled or moved by', () => {
    expect(
      find({
        subject: 'Pão',
        html: '<link href="https://a.br/folha.css"><base href="https://b.br/"><a href="https://c.br/">c</a>',
      }).map(({ url }) => url),
    ).toEqual(['https://c.br/']);
  });

  test('of what was forwarded are found behind the marks of a quotation', () => {
    expect(urls({ text: '> De: Ana\n> > https://a.br/1\n>https://a.br/2' })).toEqual([
      'https://a.br/1',
      'https://a.br/2',
    ]);
  });

  test.each([
    'mailto:ana@exemplo.com',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://a.br/',
    'data:text/html,https://a.br/',
    'ftp://a.br/',
    'tel:123',
    '//a.br/x',
    '/inteira',
    'https://',
    'https://a b/',
    `https://a.br/${'a'.repeat(600)}`,
  ])('are of the web: not %s', (href) => {
    expect(urls({ html: `<a href="${href}">x</a>` })).toEqual([]);
  });

  test.each([
    ['text', { text: 'https://a.br/1\n-- \nAna\nhttps://empresa.com.br/' }],
    ['text whose spaces were lost', { text: 'https://a.br/1\n--\nhttps://empresa.com.br/' }],
    [
      'Gmail',
      {
        html: '<a href="https://a.br/1">x</a><div class="gmail_signature" dir="ltr">--<br><div><a href="https://empresa.com.br/">E</a></div></div>',
      },
    ],
    [
      'Outlook',
      {
        html: '<div id="Signature"><p><a href="https://empresa.com.br/">E</a></div><a href="https://a.br/1">x</a>',
      },
    ],
    [
      'Thunderbird',
      { html: '<a href="https://a.br/1">x</a><pre class="moz-signature">https://empresa.com.br/</pre>' },
    ],
  ])('of a signature are left: %s', (_what, parts) => {
    expect(urls(parts)).toEqual(['https://a.br/1']);
  });

  test.each<[string, Parts]>([
    [
      'by its header',
      {
        text: 'https://a.br/1 https://a.br/sair?x=1',
        headers: [['List-Unsubscribe', '<mailto:sair@a.br>, <https://a.br/sair?x=1>']],
      },
    ],
    [
      'by its words, in the text as well',
      {
        text: 'https://a.br/1 https://a.br/r/9',
        html: '<a href="https://a.br/1">x</a><a href="https://a.br/r/9">Cancelar inscrição</a>',
      },
    ],
    ['by its address', { text: 'https://a.br/1 https://a.br/unsubscribe/9' }],
  ])('that end a subscription are left: told %s', (_what, parts) => {
    expect(urls(parts)).toEqual(['https://a.br/1']);
  });
});

describe('a hostile message does no harm, and costs little', () => {
  const HOSTILE: readonly (readonly [string, Parts])[] = [
    ['ten megabytes of text', { text: 'a'.repeat(10_000_000) }],
    ['ten megabytes of addresses', { text: 'https://a.br/x '.repeat(700_000) }],
    ['one address of ten megabytes', { text: `https://a.br/${')'.repeat(10_000_000)}` }],
    ['addresses that end in brackets', { text: `https://a.br/${')'.repeat(900)} `.repeat(1_000) }],
    ['marks of quotation', { text: '>\n'.repeat(500_000) }],
    ['marks of quotation in a line', { text: '> '.repeat(500_000) }],
    ['brackets', { text: '('.repeat(500_000) }],
    ['a deep nest', { html: '<div>'.repeat(200_000) }],
    ['a deep nest of signatures', { html: '<div class="gmail_signature">'.repeat(40_000) }],
    ['tags that never close', { html: '<a href="'.repeat(100_000) }],
    ['an address of a megabyte', { html: `<a href="https://a.br/${'a'.repeat(900_000)}">x</a>` }],
    ['a long word to press', { html: `<a href="https://a.br/1">${'a.'.repeat(400_000)}</a>` }],
    ['a long subject', { subject: 're: '.repeat(200_000) }],
    [
      'a long List-Unsubscribe',
      { text: 'x', headers: [['List-Unsubscribe', '<https://a.br/'.repeat(100_000)]] },
    ],
  ];
  test.each(HOSTILE)('%s', (_what, parts) => {
    const before = process.cpuUsage();
    expect(find(parts).length).toBeLessThanOrEqual(50);
    const { user } = process.cpuUsage(before);
    // Far more than any of them costs, and far less than what grows with the square of its length.
    expect(user / 1_000).toBeLessThan(8_000);
  });

  test('what lies too deep is not read, and what came before it is', () => {
    const nested = (depth: number) =>
      `<a href="https://a.br/1">x</a>${'<div>'.repeat(depth)}<a href="https://a.br/2">x</a>`;
    expect(urls({ html: nested(900) })).toEqual(['https://a.br/1', 'https://a.br/2']);
    expect(urls({ html: nested(1_100) })).toEqual(['https://a.br/1']);
  });

  test('100,000 links end at fifty', () => {
    const html = Array.from({ length: 100_000 }, (_, n) => `<a href="https://a.br/${n}">${n}</a>`).join('');
    expect(find({ html })).toHaveLength(50);
  });

  test('what no database stores is taken out', () => {
    const found = JSON.stringify(
      find({ subject: 'P\u0000ão\ud800', text: 'x\u0000\ud800 https://a.br/\u0007x', html: '\u0000' }),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point.
    expect(found).not.toMatch(/\\u0000|\\ud800|[\u0000-\u0009]/);
  });
});
