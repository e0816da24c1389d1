import { countCharacters } from '@linkoteca/domain/text';
import { expect, test } from 'vitest';
import { readSharedText } from './read-shared-text.ts';

test.each([
  [
    'a browser on Android',
    { title: 'Pão', text: 'https://pao.com.br/receita' },
    { url: 'https://pao.com.br/receita', title: 'Pão' },
  ],
  [
    'a page with its address',
    { title: 'Pão', url: 'https://pao.com.br' },
    { url: 'https://pao.com.br', title: 'Pão' },
  ],
  [
    'words around an address',
    { text: 'Olha isso: https://pao.com.br/a?b=1.' },
    { url: 'https://pao.com.br/a?b=1', title: 'Olha isso' },
  ],
  [
    'an address with brackets',
    { text: 'https://pt.wikipedia.org/wiki/Sol_(estrela)' },
    { url: 'https://pt.wikipedia.org/wiki/Sol_(estrela)' },
  ],
  [
    'an address with brackets in a sentence',
    { text: 'Leia https://pt.wikipedia.org/wiki/Sol_(estrela).' },
    { url: 'https://pt.wikipedia.org/wiki/Sol_(estrela)', title: 'Leia' },
  ],
  [
    'an address with brackets in brackets',
    { text: 'Sol (https://pt.wikipedia.org/wiki/Sol_(estrela)).' },
    { url: 'https://pt.wikipedia.org/wiki/Sol_(estrela)', title: 'Sol' },
  ],
  [
    'an address whose own brackets are square',
    { text: 'https://pao.com.br/?tipos[]' },
    { url: 'https://pao.com.br/?tipos[]' },
  ],
  [
    'an address that ends in an asterisk',
    { text: 'https://web.archive.org/web/*/pao.com.br/*' },
    { url: 'https://web.archive.org/web/*/pao.com.br/*' },
  ],
  [
    'an address that ends in an asterisk, in a sentence',
    { text: 'Veja https://web.archive.org/web/*/pao.com.br/*.' },
    { url: 'https://web.archive.org/web/*/pao.com.br/*', title: 'Veja' },
  ],
  [
    'an emphasised address',
    { text: 'Pão **https://pao.com.br/receita**' },
    { url: 'https://pao.com.br/receita', title: 'Pão' },
  ],
  [
    'a text beside a title',
    { title: 'Pão', text: 'Receita da avó https://pao.com.br' },
    { url: 'https://pao.com.br', title: 'Pão', description: 'Receita da avó' },
  ],
  [
    'the same words twice',
    { title: 'Pão', text: 'Pão https://pao.com.br' },
    { url: 'https://pao.com.br', title: 'Pão' },
  ],
  ['an address without https', { text: 'pao.com.br/receita' }, { url: 'https://pao.com.br/receita' }],
  ['an address in the title only', { title: 'https://pao.com.br' }, { url: 'https://pao.com.br' }],
  ['no address at all', { text: 'uma ideia' }, { url: '', title: 'uma ideia' }],
  ['nothing', {}, { url: '' }],
  ['no web address', { url: 'javascript:alert(1)', text: 'x' }, { url: '', title: 'x' }],
])('%s', (_what, shared, link) => {
  expect(readSharedText(shared)).toEqual(link);
});

test('a long text becomes a short title and the description', () => {
  const text = `${'palavra '.repeat(40)}https://pao.com.br`;
  const link = readSharedText({ text });
  expect(countCharacters(link.title ?? '')).toBeLessThanOrEqual(100);
  expect(link.description).toContain('palavra palavra');
});
