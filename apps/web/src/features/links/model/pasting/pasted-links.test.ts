import { describe, expect, test } from 'vitest';
import { parsePastedLinks } from './pasted-links.ts';

const link = (url: string, title: string | null = null) => ({ kind: 'link', url, title });

describe('one line', () => {
  test.each([
    ['https://exemplo.com/a', link('https://exemplo.com/a')],
    ['exemplo.com.br/receitas', link('https://exemplo.com.br/receitas')],
    ['Pão de queijo - https://exemplo.com/pao', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['Pão de queijo – exemplo.com/pao', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['https://exemplo.com/pao | Pão de queijo', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['Pão: https://exemplo.com/pao', link('https://exemplo.com/pao', 'Pão')],
    ['"Pão de queijo" https://exemplo.com/pao', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['Pão de queijo\thttps://exemplo.com/pao', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['exemplo.com/pao\tPão de queijo\tnota', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['[Pão de queijo](https://exemplo.com/pao)', link('https://exemplo.com/pao', 'Pão de queijo')],
    ['- [ ] [Pão](exemplo.com/pao "receita")', link('https://exemplo.com/pao', 'Pão')],
    [
      '[Rio](https://pt.wikipedia.org/wiki/Rio_(curso))',
      link('https://pt.wikipedia.org/wiki/Rio_(curso)', 'Rio'),
    ],
    ['[![ícone](https://x.com/i.png)](https://exemplo.com)', link('https://exemplo.com')],
    ['3. https://exemplo.com/tres', link('https://exemplo.com/tres')],
    ['• <https://exemplo.com/quatro>', link('https://exemplo.com/quatro')],
    ['Veja (https://exemplo.com/cinco).', link('https://exemplo.com/cinco', 'Veja')],
    ['https://pt.wikipedia.org/wiki/Rio_(curso)', link('https://pt.wikipedia.org/wiki/Rio_(curso)')],
    [
      'Rio (https://pt.wikipedia.org/wiki/Rio_(curso)).',
      link('https://pt.wikipedia.org/wiki/Rio_(curso)', 'Rio'),
    ],
    ['[https://exemplo.com/?a[]]', link('https://exemplo.com/?a[]')],
    [
      'Todas: https://web.archive.org/web/*/exemplo.com/*.',
      link('https://web.archive.org/web/*/exemplo.com/*', 'Todas'),
    ],
    ['[https://exemplo.com](https://exemplo.com)', link('https://exemplo.com')],
  ])('%s', (line, expected) => {
    expect(parsePastedLinks(line)).toEqual([expected]);
  });

  test('several addresses are several links, and no words are guessed to belong to one', () => {
    expect(parsePastedLinks('ver https://a.com e https://b.com')).toEqual([
      link('https://a.com'),
      link('https://b.com'),
    ]);
    expect(parsePastedLinks('*https://a.com* e **https://b.com**')).toEqual([
      link('https://a.com'),
      link('https://b.com'),
    ]);
    expect(parsePastedLinks('[A](https://a.com), [B](https://b.com)')).toEqual([
      link('https://a.com', 'A'),
      link('https://b.com', 'B'),
    ]);
  });

  test('a title longer than its field ends in three dots', () => {
    const [read] = parsePastedLinks(`${'palavra '.repeat(20)}- https://exemplo.com`);
    expect(read).toEqual(link('https://exemplo.com', `${'palavra '.repeat(12).trim()}…`));
  });
});

describe('what cannot be saved keeps its text and says why', () => {
  test.each([
    ['Receitas da semana', 'Nenhum endereço nesta linha'],
    ['ana@exemplo.com.br', 'Nenhum endereço nesta linha'],
    ['mailto:ana@exemplo.com.br', 'Só endereços http e https podem ser salvos'],
    ['javascript:alert(1)', 'Só endereços http e https podem ser salvos'],
    ['https://', 'Nenhum endereço nesta linha'],
    ['[Ana](mailto:ana@exemplo.com)', 'URL inválida'],
    [`https://exemplo.com/${'x'.repeat(490)}`, 'A URL deve ter no máximo 500 caracteres'],
  ])('%s', (line, reason) => {
    expect(parsePastedLinks(line)).toMatchObject([{ kind: 'unreadable', reason }]);
  });

  test('the text is there to be found again', () => {
    expect(parsePastedLinks('- Receitas da semana')).toMatchObject([{ text: 'Receitas da semana' }]);
  });
});

test('lines of every kind, one entry each; empty ones do not count', () => {
  const text = 'https://a.com\r\n\r\n  Nada aqui\u2028[B](https://b.com)\n';
  expect(parsePastedLinks(text)).toMatchObject([
    { url: 'https://a.com' },
    { text: 'Nada aqui' },
    { url: 'https://b.com', title: 'B' },
  ]);
});
