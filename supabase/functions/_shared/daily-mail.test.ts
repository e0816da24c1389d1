import { expect, test } from 'vitest';
import { type DailyMailFacts, type SharedNews, writeDailyMail } from './daily-mail.ts';

const TOKEN = '11111111-2222-4333-8444-555555555555';
const RECEIVER: Omit<DailyMailFacts, 'news'> = {
  email: 'ana@exemplo.com.br',
  unsubscribeToken: TOKEN,
  siteUrl: 'https://links.exemplo.test',
  functionsUrl: 'https://links.exemplo.test/functions/v1',
};
const APP = 'https://links.exemplo.test/dashboard';
const END = `https://links.exemplo.test/unsubscribe?token=${TOKEN}&mail=daily`;

type Place = SharedNews['shown'][number];
const link = (title: string, url = 'https://www.exemplo.com.br/a?b=c') => ({ title, url });
const place = (wish: Partial<Place> = {}): Place => ({
  category: 'Doces',
  folder: 'Receitas',
  added: 1,
  links: [link('Pão de ló')],
  ...wish,
});
function write(shown: readonly Place[], wish: Partial<SharedNews> = {}) {
  const added = shown.reduce((sum, one) => sum + one.added, 0);
  return writeDailyMail({ ...RECEIVER, news: { places: shown.length, added, shown, ...wish } });
}
/** As it is read: without what keeps words from looking like an address. */
const visible = (text: string) => text.replaceAll('\u200B', '');
const linksOf = (html: string) => new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href));

test('says what came where, the newest of each with their hosts, and how many more', () => {
  const titles = ['Pão de ló', 'Açúcar', 'Maçã', 'Coração', 'Jiló'];
  const { to, subject, text, html } = write([
    place({ added: 12, links: titles.map((title) => link(title)) }),
    place({ category: 'Leituras', folder: null }),
  ]);
  expect([to, subject]).toEqual([RECEIVER.email, '13 links novos em 2 lugares compartilhados']);
  expect(visible(text)).toContain(
    [
      'Veja o que adicionaram: 13 links novos em 2 lugares compartilhados.',
      '',
      'Receitas › Doces (12 links novos)',
      ...titles.map((title) => `- ${title} (exemplo.com.br)`),
      '- e mais 7',
      '',
      'Leituras (1 link novo)',
      '- Pão de ló (exemplo.com.br)',
      '',
      `Abrir a Linkoteca:\n${APP}`,
    ].join('\n'),
  );
  for (const words of ['Receitas › Doces', '12 links novos', 'Pão de ló', 'exemplo.com.br', 'e mais 7'])
    expect(visible(html)).toContain(words);
  expect(linksOf(html)).toEqual(new Set([APP, END.replace('&', '&amp;')]));
});

test('of one place its name stands in the subject', () => {
  expect(write([place()]).subject).toBe('1 link novo em “Doces”');
});

test.each([
  [11, 'e mais 1 lugar'],
  [25, 'e mais 15 lugares'],
])('of %i places it tells of ten', (places, words) => {
  const shown = Array.from({ length: 10 }, (_, n) => place({ category: `C${n}` }));
  const { text, html } = write(shown, { places, added: places });
  expect(text).toContain(`\n\n${words}\n\n`);
  expect(html).toContain(words);
});

test('says no more of places than there are', () => {
  expect(write([place()]).text).not.toContain('e mais');
});

test('counts no further than was counted', () => {
  const { subject, text } = write([place({ added: 100 }), place()]);
  expect(subject).toBe('Mais de 99 links novos em 2 lugares compartilhados');
  expect(text).toContain('Doces (mais de 99 links novos)');
  expect(text).toContain('- e muitos outros');
});

test('makes no link, markup or header of what others wrote', () => {
  const { subject, text, html } = write([
    place({
      category: "X\r\nBcc: x@mal.example'><script>alert(1)</script>",
      folder: '<img src=x>',
      links: [
        link('<a href="https://mal.example">clique</a> www.mal.example', 'https://mal.example/'),
        link('\u202Eatrás & frente', 'https://não.exemplo.br/'),
      ],
    }),
  ]);
  expect(linksOf(html)).toEqual(new Set([APP, END.replace('&', '&amp;')]));
  expect(html).not.toMatch(/<script|<img|<form/i);
  expect(html).toContain('atrás &amp; frente');
  expect(subject).not.toMatch(/[\r\n]/);
  for (const form of [subject, text, html]) expect(form).not.toMatch(/mal\.example|:\/\/mal|@mal|\u202E/);
});

test('cuts what is long, of hosts the beginning', () => {
  const { text } = write([
    place({ links: [link('título '.repeat(40), `https://banco.com.${'a'.repeat(60)}.mal.example/`)] }),
  ]);
  const line = visible(text.split('\n').find((one) => one.startsWith('- título')) ?? '');
  expect(line).toMatch(/^- (?:título )+título… \(…a+\.mal\.example\)$/);
  expect(line.length).toBeLessThan(170);
});

test('is ended by the mail program’s own button, and by a page, and means the daily mail alone', () => {
  const { headers, text } = write([place()]);
  expect(headers).toEqual({
    'List-Unsubscribe': `<https://links.exemplo.test/functions/v1/share-unsubscribe?token=${TOKEN}&mail=daily>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
  });
  expect(text).toContain(`Não quero mais receber o resumo diário:\n${END}`);
});
