import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const TITLES = [
  'Ação e reação',
  'Coração de estudante',
  '100% grátis',
  'cem_por_cento',
  'C:\\pasta\\arquivo',
  'Pão, açúcar & café',
  'emoji 🦉 coruja',
  "d'água",
] as const;

let person: Person;
let shelf: Shelf;
beforeAll(async () => {
  person = await createPerson(deployment);
  shelf = await createShelf(person);
  const rows = TITLES.map((title, index) => ({
    title,
    url: `https://example.com/artigo-${index}`,
    description: index === 0 ? 'Física para todos' : null,
    category_id: shelf.categoryId,
    user_id: person.id,
  }));
  required((await person.client.from('links').insert(rows).select()).data);
});

async function search(term: string): Promise<string[]> {
  const { data, error } = await person.client.rpc('search_links', { term });
  return (required(data, error) as { title: string }[]).map((row) => row.title);
}

describe('search_links', () => {
  test.each([
    ['without its accents', 'acao', ['Ação e reação', 'Coração de estudante']],
    ['in another case', 'AÇÃO E RE', ['Ação e reação']],
    ['by its words in any order', 'reacao acao', ['Ação e reação']],
    ['by words of two fields', 'fisica reacao', ['Ação e reação']],
    ['inside a word', 'oraca', ['Coração de estudante']],
    ['in the description', 'fisica', ['Ação e reação']],
    ['in the address', 'artigo-3', ['cem_por_cento']],
    ['with a percent sign as itself', '100%', ['100% grátis']],
    ['with an underscore as itself', 'cem_por', ['cem_por_cento']],
    ['with a backslash as itself', 'pasta\\arq', ['C:\\pasta\\arquivo']],
    ['with an ampersand and a comma', 'pao, acucar &', ['Pão, açúcar & café']],
    ['with an emoji', '🦉', ['emoji 🦉 coruja']],
    ['with an apostrophe', "d'agua", ["d'água"]],
    ['with spaces around it', '  coruja  ', ['emoji 🦉 coruja']],
  ])('finds a link %s', async (_how, term, expected) => {
    expect((await search(term)).sort()).toEqual([...expected].sort());
  });

  test.each(['%', '_____________________', 'não existe', "%'; drop table links; --"])(
    'finds nothing it should not for %j',
    async (term) => {
      const found = await search(term);
      expect(found.every((title) => title.includes(term))).toBe(true);
    },
  );

  test('says where each link stands and keeps to the number asked for', async () => {
    const { data, error } = await person.client.rpc('search_links', { term: 'a', max_results: 3 });
    const rows = required(data, error) as Record<string, unknown>[];
    expect(rows).toHaveLength(3);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      ['category_id', 'category_name', 'description', 'id', 'title', 'url'].sort(),
    );
    expect(rows[0]).toMatchObject({ category_id: shelf.categoryId, category_name: 'Artigos' });
  });

  test('finds nothing of somebody else’s, and nothing for a visitor', async () => {
    const stranger = await createPerson(deployment);
    const found = await stranger.client.rpc('search_links', { term: 'acao' });
    expect(found.data).toEqual([]);
  });
});

describe('the table query of the specification', () => {
  test('matches title, address or description in any case, at most ten, with the category’s name', async () => {
    const { data, error } = await person.client
      .from('links')
      .select('id, title, description, url, category_id, categories(name)')
      .eq('user_id', person.id)
      .or('title.ilike.%CORA%,url.ilike.%artigo-3%,description.ilike.%física%')
      .limit(10);
    expect(
      required(data, error)
        .map((row) => row.title)
        .sort(),
    ).toEqual(['Ação e reação', 'Coração de estudante', 'cem_por_cento'].sort());
    expect(data?.[0]).toMatchObject({ categories: { name: 'Artigos' } });
  });

  test('takes quoted values with commas and parentheses', async () => {
    const { data, error } = await person.client
      .from('links')
      .select('title')
      .or('title.ilike."%Pão, açúcar%",title.eq."(nada)"');
    expect(required(data, error)).toEqual([{ title: 'Pão, açúcar & café' }]);
  });
});
