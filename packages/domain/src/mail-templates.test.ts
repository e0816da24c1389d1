import { describe, expect, test } from 'vitest';
import { type AccountMailKind, renderMail, writeAccountMail } from './mail-templates.ts';

const write = (kind: AccountMailKind, name: string | null = 'Ana de Souza') =>
  writeAccountMail({
    kind,
    email: 'ana@exemplo.com.br',
    name,
    deadline: new Date('2027-03-31T12:00:00Z'),
    siteUrl: 'https://linkoteca.test',
  });

test('the mail after a deletion names the last whole day on which signing in restores', () => {
  const mail = write('deleted');
  expect(mail.to).toBe('ana@exemplo.com.br');
  expect(mail.subject).toBe('Sua conta na Linkoteca foi excluída');
  expect(mail.text).toContain('Entre de novo até 30 de março de 2027');
  expect(mail.text).toContain('https://linkoteca.test/login');
});

test('warnings name the day of the suspension, and the last one says that it is the last', () => {
  for (const kind of ['inactive_first', 'inactive_second'] as const)
    expect(write(kind).text).toContain('Sua conta será suspensa em 31 de março de 2027');
  expect(write('inactive_second').subject).toMatch(/^Último aviso/);
  expect(write('inactive_first').subject).not.toMatch(/Último/);
});

test('a suspended account is told how to come back', () => {
  expect(write('suspended').text).toContain('Para reativar tudo na hora, basta entrar.');
});

test('whose webhook was turned off is told since when, and where to look', () => {
  const mail = write('webhook_off');
  expect(mail.text).toContain('Um webhook foi desligado em 31 de março de 2027');
  expect(mail.text).toContain('https://linkoteca.test/profile?tab=programs');
});

describe('a name', () => {
  test.each([
    ['Ana de Souza', 'Olá, Ana de Souza!'],
    ['  Ana\n Souza ', 'Olá, Ana Souza!'],
    [null, 'Olá!'],
    ['visite golpe.com', 'Olá!'],
    ['https://golpe', 'Olá!'],
    ['x'.repeat(80), 'Olá!'],
    ['a\u202Ebc', 'Olá!'],
  ])('%j greets as %j', (name, greeting) => {
    expect(write('deleted', name).text.split('\n\n')[1]).toBe(greeting);
  });

  test('is no markup', () => {
    expect(write('deleted', '<b>Ana</b>').html).not.toContain('<b>');
  });
});

describe('a mail in the dark', () => {
  const { html } = renderMail({
    subject: 'Assunto',
    title: 'Título',
    paragraphs: ['Um parágrafo.'],
    button: { label: 'Abrir', link: 'https://linkoteca.test' },
    code: '123456',
    footnote: 'Nota',
    unsubscribe: { label: 'Não quero mais', link: 'https://linkoteca.test/nao' },
  });
  const sheet = /prefers-color-scheme: dark\) \{(.*)\}\s*<\/style>/s.exec(html)?.[1] ?? '';
  const dark = new Map(
    [...sheet.matchAll(/\.(\w+) \{ (?:background|color): (#\w{6}) !important/g)].map(
      ([, name = '', colour = '']) => [name, colour] as const,
    ),
  );

  test('leaves nothing in the colours of the light but the button', () => {
    const painted = [...html.matchAll(/<\w+[^>]*style="[^"]*(?:color|background):[^>]*>/g)].map(
      ([tag]) => tag,
    );
    expect(painted.length).toBeGreaterThan(8);
    const light = painted.filter((tag) => !/class="(?:page|card|ink|muted|accent)\b/.test(tag));
    expect(light.map((tag) => /(?:color|background):(#\w{6})/.exec(tag)?.[1])).toEqual([
      '#1d7a5f',
      '#ffffff',
    ]);
  });

  test.each(['ink', 'muted', 'accent'])('can be read: %s', (name) => {
    for (const ground of ['page', 'card'])
      expect(contrast(dark.get(name) ?? '', dark.get(ground) ?? '')).toBeGreaterThan(4.5);
  });
});

/** WCAG 2.2, contrast ratio of two colours `#rrggbb`. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, share, at) => {
      const part = Number.parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
      return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test('lists stand under their headings, and what is in them is escaped', () => {
  const mail = renderMail({
    subject: 'Lista',
    title: 'Lista',
    paragraphs: ['Veja:'],
    sections: [
      {
        heading: 'Pão & <b>',
        aside: '1 link',
        lines: [{ text: '<i>Ló</i>', aside: 'a.br' }, { text: 'e mais 2' }],
      },
      { heading: 'e mais 1 lugar', lines: [] },
    ],
    footnote: 'Fim.',
  });
  expect(mail.text).toContain(
    'Veja:\n\nPão & <b> (1 link)\n- <i>Ló</i> (a.br)\n- e mais 2\n\ne mais 1 lugar\n\nFim.',
  );
  expect(mail.html).toMatch(/<h2[^>]*>Pão &amp; &lt;b&gt; <span[^>]*>1 link<\/span><\/h2>/);
  expect(mail.html).toMatch(/<li[^>]*>&lt;i&gt;Ló&lt;\/i&gt; <span[^>]*>a\.br<\/span><\/li>/);
  expect(mail.html.match(/<ul/g)).toHaveLength(1);
});
