// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { readPage } from './read-page.ts';

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

test('a page’s own words: what it calls itself, what it says of itself, what is marked in it', () => {
  document.head.innerHTML = `<title>Da barra</title><meta property="og:title" content=" Do cartão ">
    <meta name="Description" content="Um texto"><meta property="og:description" content="Outro">`;
  document.body.innerHTML = '<p>Marcado</p>';
  getSelection()?.selectAllChildren(document.body);
  expect(readPage()).toEqual({ title: 'Do cartão', description: 'Um texto', selection: 'Marcado' });
});

test('a page that says nothing', () => {
  expect(readPage()).toEqual({ title: '', description: '', selection: '' });
});

describe('a hostile page', () => {
  test('is cut before it leaves', () => {
    document.head.innerHTML = `<title>${'a'.repeat(2_000_000)}</title>`;
    document.head.append(
      Object.assign(document.createElement('meta'), { name: 'description', content: 'b'.repeat(2_000_000) }),
    );
    const { title, description } = readPage();
    expect([title.length, description.length]).toEqual([5_000, 5_000]);
  });

  test('cannot put its own things under the names that are asked', () => {
    document.head.innerHTML = '<title>Certo</title>';
    Object.defineProperty(document, 'querySelector', {
      value: () => ({ textContent: {} }),
      configurable: true,
    });
    Object.defineProperty(document, 'title', { value: {}, configurable: true });
    expect(readPage().title).toBe('Certo');
    Reflect.deleteProperty(document, 'querySelector');
    Reflect.deleteProperty(document, 'title');
  });
});

test('it is sent as text, and names nothing from outside itself', () => {
  document.head.innerHTML = '<title>Certo</title>';
  const sent = new Function(`return (${readPage.toString()})()`) as typeof readPage;
  expect(sent().title).toBe('Certo');
});
