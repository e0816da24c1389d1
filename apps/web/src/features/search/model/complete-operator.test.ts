import { expect, test } from 'vitest';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { completeOperator } from './complete-operator.ts';

const category = (name: string) => ({ id: name, name });
const cached = {
  folders: [
    { id: 'f1', name: 'Estudos', categories: [category('Redes'), category('Física moderna')] },
    { id: 'f2', name: 'Cozinha', categories: [category('Receitas'), category('Tela 27"')] },
  ],
  listLinks: () => [
    [
      sampleLink({ id: '1', url: 'https://www.cozinha.com.br/a' }),
      sampleLink({ id: '2', url: 'https://estudos.org/' }),
      sampleLink({ id: '3', url: 'https://cozinha.com.br/b' }),
    ],
  ],
  isFavorite: () => false,
  listOwners: () => ['Ana', 'Bia Lima', 'Ana'],
  listTags: () => [
    { id: 't1', name: 'doces' },
    { id: 't2', name: 'para ler' },
  ],
};
const complete = (typed: string) => completeOperator(typed, cached).map((completion) => completion.typed);

test.each<[string, readonly string[]]>([
  ['em:', ['em:Redes ', 'em:"Física moderna" ', 'em:Receitas ']],
  ['bolo em:re', ['bolo em:Redes ', 'bolo em:Receitas ']],
  ['em:fis', ['em:"Física moderna" ']],
  ['em:"física m', ['em:"Física moderna" ']],
  ['pasta:co', ['pasta:Cozinha ']],
  ['Pasta:', ['Pasta:Estudos ', 'Pasta:Cozinha ']],
  ['site:', ['site:cozinha.com.br ', 'site:estudos.org ']],
  ['site:org', ['site:estudos.org ']],
  ['tipo:v', ['tipo:vídeo ']],
  ['é:', ['é:favorito ', 'é:quebrado ']],
  ['é:q', ['é:quebrado ']],
  ['de:', ['de:Ana ', 'de:"Bia Lima" ']],
  ['bolo de:li', ['bolo de:"Bia Lima" ']],
  ['bolo dep', ['bolo depois:']],
  ['fav', ['é:favorito ']],
  ['queb', ['é:quebrado ']],
  ['tag:', ['tag:doces ', 'tag:"para ler" ']],
  ['tag:LER', ['tag:"para ler" ']],
  ['sem:', ['sem:tag ']],
  ['tag', ['tag:', 'sem:tag ']],
  ['sem', []],
  // Nothing to go on with.
  ['em:redes', []],
  ['em:"Física moderna"', []],
  ['em:re ', []],
  ['antes:20', []],
  ['bolo', []],
  ['de', []],
  ['"em:re', []],
  ['', []],
])('%j can go on as %j', (typed, expected) => {
  expect(complete(typed)).toEqual(expected);
});
