import type { SharedFolder } from '@linkoteca/domain/sharing';
import { expect, test } from 'vitest';
import { createPageRenderer } from './create-page-renderer.tsx';

const HOSTILE = `</title></script><script>alert("1")</script><img src=x onerror=alert(1)>`;
const PATH = '/shared/pasta/turma-9b--B1Prn3sQdCnZQCgyR5r9g';
const renderer = createPageRenderer({ css: 'a{color:red}', headScript: 'head()', bodyScript: 'follow()' });

const category = (
  number: number,
  name: string,
  changes: Partial<SharedFolder['categories'][number]> = {},
) => ({
  id: `f81d4fae-7dec-41d0-a765-00a0c91e6bf${number}`,
  name,
  description: null,
  link_count: number,
  updated_at: `2026-01-0${number}T12:00:00+00:00`,
  ...changes,
});
const draw = (changes: Partial<SharedFolder> = {}) => {
  const folder: SharedFolder = {
    id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    name: 'Turma 9B',
    owner_name: 'Marta',
    categories: [category(2, 'Zoologia'), category(1, 'Álgebra', { description: 'Provas e listas' })],
    ...changes,
  };
  const html = renderer.renderFolder(folder, { origin: 'https://links.example.com', anonKey: 'anon' });
  return new DOMParser().parseFromString(html, 'text/html');
};
const meta = (document: Document, name: string) =>
  document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content');

test('the page of a folder says whose it is and lists its categories by name, as Portuguese sorts them', () => {
  const document = draw();
  expect(document.title).toBe('Turma 9B · Linkoteca');
  expect(document.querySelector('h1')?.textContent).toBe('Turma 9B');
  expect(document.querySelector('main p')?.textContent).toContain('Compartilhado por: Marta');
  expect(document.querySelector('main p')?.textContent).toContain('3 links');
  const items = [...document.querySelectorAll('main li')];
  expect(items.map((item) => item.textContent)).toEqual([
    'ÁlgebraProvas e listas1 link · 01/01/2026',
    'Zoologia2 links · 02/01/2026',
  ]);
  expect(items.map((item) => item.querySelector('a')?.getAttribute('href'))).toEqual([
    '/shared/algebra--B1Prn3sQdCnZQCgyR5r8Q',
    '/shared/zoologia--B1Prn3sQdCnZQCgyR5r8g',
  ]);
});

test('search engines and chats are told what it is, under one address', () => {
  const document = draw();
  const address = `https://links.example.com${PATH}`;
  expect(document.querySelector('link[rel="canonical"]')?.getAttribute('href')).toBe(address);
  expect(meta(document, 'description')).toBe('2 categorias e 3 links por Marta na Linkoteca.');
  expect(meta(document, 'og:image')).toBe(`${address}/image.png?v=1767355200000-3`);
  const data = JSON.parse(document.querySelector('script[type="application/ld+json"]')?.textContent ?? '');
  expect(data).toMatchObject({ name: 'Turma 9B', dateModified: '2026-01-02T12:00:00+00:00' });
  expect(data.hasPart.map((part: { readonly name: string }) => part.name)).toEqual(['Zoologia', 'Álgebra']);
});

test('names are text and nothing else, and only the head’s own script runs', () => {
  const document = draw({
    name: HOSTILE,
    owner_name: null,
    categories: [category(1, HOSTILE, { description: HOSTILE })],
  });
  expect(document.querySelector('img')).toBeNull();
  expect([...document.querySelectorAll('script:not([type])')].map((script) => script.textContent)).toEqual([
    'head()',
  ]);
  expect(document.querySelector('h1')?.textContent).toBe(HOSTILE);
  expect(document.querySelector('main p')?.textContent).toContain('Compartilhado por: Usuário');
});
