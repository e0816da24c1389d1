import { expect, test } from 'vitest';
import { readSharedId, sharedEmbedSnippet, sharedPath } from './sharing.ts';

const ID = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';

test.each([
  ['Receitas da Vovó', '/shared/receitas-da-vovo--B1Prn3sQdCnZQCgyR5r9g'],
  ['  Ação & reação!  ', '/shared/acao-reacao--B1Prn3sQdCnZQCgyR5r9g'],
  ['日本語 🌸', '/shared/-B1Prn3sQdCnZQCgyR5r9g'],
  ['../../etc/passwd?x=1#y', '/shared/etc-passwd-x-1-y--B1Prn3sQdCnZQCgyR5r9g'],
])('%j is read at %s, and the id comes back', (name, path) => {
  expect(sharedPath({ id: ID, name })).toBe(path);
  expect(readSharedId(path.replace('/shared/', ''))).toBe(ID);
});

test('every id comes back from its address, whatever its bytes', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const hex = byte.toString(16).padStart(2, '0');
    const id = `${hex.repeat(4)}-${hex.repeat(2)}-${hex.repeat(2)}-${hex.repeat(2)}-${hex.repeat(6)}`;
    expect(readSharedId(sharedPath({ id, name: 'a-b_c' }).slice('/shared/'.length))).toBe(id);
  }
});

test('a long name is cut between words, an endless word anywhere', () => {
  const long = sharedPath({ id: ID, name: 'palavra '.repeat(20) });
  expect(long).toMatch(/^\/shared\/(palavra-){7}-B1P/);
  expect(sharedPath({ id: ID, name: 'a'.repeat(99) })).toMatch(/^\/shared\/a{60}--B1P/);
});

test('the id itself is an address, in either case', () => {
  expect(readSharedId(ID)).toBe(ID);
  expect(readSharedId(ID.toUpperCase())).toBe(ID);
});

test.each([
  '',
  'receitas',
  'B1Prn3sQdCnZQCgyR5r9g',
  '-B1Prn3sQdCnZQCgyR5r9h',
  'nome-sem-id-de-verdade-aqui!',
  `${ID}0`,
  `{${ID}}`,
  `x-B1Prn3sQdCnZQCgyR5r9g.`,
  "-B1Prn3sQdCnZQCgyR5r'g",
])('%j is no address', (segment) => {
  expect(readSharedId(segment)).toBeNull();
});

test('the snippet frames the embed page, and a hostile name stays a title', () => {
  const snippet = sharedEmbedSnippet('https://links.example.com', {
    id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    name: `"><script>'&`,
  });
  expect(snippet).toBe(
    '<iframe src="https://links.example.com/shared/script--B1Prn3sQdCnZQCgyR5r9g/embed" title="&quot;&gt;&lt;script&gt;&#39;&amp;" width="100%" height="480" style="border:0" loading="lazy"></iframe>',
  );
});
