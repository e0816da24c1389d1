import { expect, test } from 'vitest';
import { readCapturedLinks } from './read-captured-links.ts';

const read = (shared: Parameters<typeof readCapturedLinks>[0]) =>
  readCapturedLinks(shared).map(({ url, title, description }) => [url, title, description]);

test('one address is one link with its words', () => {
  expect(read({ title: 'Pão', text: 'Receita da avó https://pao.com.br/a' })).toEqual([
    ['https://pao.com.br/a', 'Pão', 'Receita da avó'],
  ]);
  expect(read({ text: 'https://pao.com.br' })).toEqual([['https://pao.com.br', null, null]]);
});

test('a text of several addresses is as many links, each once', () => {
  const text =
    'Bolos https://bolo.com.br/1\nhttps://pao.com.br e https://torta.com.br.\nhttps://pao.com.br\njavascript:alert(1)';
  expect(read({ title: 'Lista', text })).toEqual([
    ['https://bolo.com.br/1', 'Bolos', null],
    ['https://pao.com.br', null, null],
    ['https://torta.com.br', null, null],
  ]);
});

test('an address of its own is what is shared, whatever the text names besides', () => {
  const text = 'Fonte: https://outra.com.br e https://mais.com.br';
  expect(read({ url: 'https://pao.com.br', title: 'Pão', text }).map(([url]) => url)).toEqual([
    'https://pao.com.br',
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,<b>', 'file:///etc/passwd', 'uma ideia', ''])(
  'nothing is saved of %s',
  (text) => {
    expect(read({ text, url: text })).toEqual([]);
  },
);

test('markup stays text', () => {
  const title = '<img src=x onerror=alert(1)>';
  expect(read({ url: 'https://pao.com.br', title })).toEqual([['https://pao.com.br', title, null]]);
});

test('of a text of two megabytes no more than its start is read, and two hundred links', () => {
  expect(read({ text: 'x'.repeat(2_000_000), title: 'y'.repeat(2_000_000) })).toEqual([]);
  const many = Array.from({ length: 60_000 }, (_, n) => `https://a.br/${n}`).join('\n');
  expect(read({ text: many })).toHaveLength(200);
  expect(read({ text: `${'x '.repeat(1_000_000)}https://a.br` })).toEqual([]);
});

test('every link has an id of its own', () => {
  const links = readCapturedLinks({ text: 'https://a.br\nhttps://b.br' });
  expect(new Set(links.map(({ id }) => id)).size).toBe(2);
});
