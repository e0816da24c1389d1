import { expect, test } from 'vitest';
import { readClick } from './read-click.ts';

const TAB = { id: 1, url: 'https://a.example/pagina', title: 'A página' };

test('the page, with what is marked in it or what it says of itself', () => {
  const page = { url: TAB.url, title: TAB.title };
  expect(readClick({ menuItemId: 'page' }, TAB, 'Diz')).toEqual({ ...page, description: 'Diz' });
  expect(readClick({ menuItemId: 'page', selectionText: 'Marcado' }, TAB, 'Diz')).toEqual({
    ...page,
    description: 'Marcado',
  });
});

test('the link, and not the page that it stands on', () => {
  const click = { menuItemId: 'link', linkUrl: 'https://www.b.example/artigo/' };
  expect(readClick(click, TAB)).toEqual({
    url: 'https://www.b.example/artigo/',
    title: 'b.example/artigo',
    description: undefined,
  });
  expect(readClick({ ...click, linkText: 'O artigo' }, TAB)?.title).toBe('O artigo');
});

test('the picture, and where it was', () => {
  const click = { menuItemId: 'image', srcUrl: 'https://c.example/gato.png', linkUrl: 'https://b.example/' };
  expect(readClick(click, TAB)).toEqual({
    url: 'https://c.example/gato.png',
    title: 'c.example/gato.png',
    description: 'A página',
  });
});

test('nothing where there is nothing', () => {
  expect(readClick({ menuItemId: 'link' }, TAB)).toBeNull();
  expect(readClick({ menuItemId: 'other' }, TAB)).toBeNull();
  expect(readClick({ menuItemId: 'page' }, {})).toBeNull();
});
