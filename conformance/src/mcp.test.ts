import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Assistant, connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

let person: Person;
let shelf: Shelf;
let assistant: Assistant;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'plus' });
  shelf = await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  assistant = await connectAssistant(deployment, token);
});

/** Saves links by the tool, and returns their ids. */
async function save(...titles: readonly string[]): Promise<readonly string[]> {
  const { body } = await assistant.call('save_links', {
    links: titles.map((title) => ({ url: `https://exemplo.test/${randomUUID()}`, title })),
    category_id: shelf.categoryId,
  });
  return (body.outcomes ?? []).map(({ id }) => required(id));
}

describe('the tools', () => {
  test('list folders and categories with their counts, and the inbox', async () => {
    const other = await createPerson(deployment);
    const own = await createShelf(other, 'Casa');
    const { token } = await createPersonalToken(deployment, other, 'links:write');
    const { call } = await connectAssistant(deployment, token);
    await call('save_links', { links: [{ url: 'https://a.test/' }], category_id: own.categoryId });
    await call('save_links', { links: [{ url: 'https://b.test/' }] });
    expect((await call('list_folders')).body).toMatchObject({
      folders: [
        { id: own.folderId, name: 'Casa', categories: [{ id: own.categoryId, name: 'Artigos', links: 1 }] },
        { name: 'Minha biblioteca', categories: [{ name: 'Entrada', links: 1, is_inbox: true }] },
      ],
      next_cursor: null,
    });
  });

  test('search by words and by the operators of a question', async () => {
    const [id] = await save('Bolo de fubá', 'Pão');
    await assistant.call('tag_links', { link_ids: [id], add: ['receitas'] });
    const found = (query: string) => assistant.call('search_links', { query });
    expect((await found('BOLO fuba')).body.links).toMatchObject([{ id, category: 'Artigos' }]);
    expect((await found('tag:receitas')).body.links?.map((link) => link.id)).toEqual([id]);
    expect((await found('bolo em:outra')).body.links).toEqual([]);
    expect((await found('bolo antes:ontem')).body).toMatchObject({
      links: [{ id }],
      ignored_operators: ['antes:ontem'],
    });
    expect(await found('antes:ontem')).toMatchObject({
      isError: true,
      text: expect.stringContaining('ontem'),
    });
  });

  test('save many at once, each with an outcome of its own', async () => {
    const url = `https://exemplo.test/${randomUUID()}`;
    const links = [
      { url, title: 'Um', description: 'Dois' },
      { url },
      { url: 'javascript:alert(1)', title: 'Mau' },
      { url: `https://exemplo.test/${randomUUID()}`, title: 'x'.repeat(101) },
    ];
    const { body } = await assistant.call('save_links', { links, category_id: shelf.categoryId });
    expect(body).toMatchObject({
      saved: 1,
      already_saved: 1,
      refused: 2,
      outcomes: [
        { index: 0, outcome: 'saved', category_id: shelf.categoryId },
        { index: 1, outcome: 'already_saved' },
        { index: 2, outcome: 'refused', reason: expect.stringMatching(/URL/) },
        { index: 3, outcome: 'refused', reason: expect.stringMatching(/100 caracteres/) },
      ],
    });
    const { data } = await person.client.from('links').select('title,description').eq('url', url);
    expect(data).toEqual([{ title: 'Um', description: 'Dois' }]);
  });

  test('save a page once that stands in one call in two spellings', async () => {
    const url = `https://exemplo.test/${randomUUID()}`;
    const links = [{ url }, { url: `${url}/?utm_source=carta` }];
    const { body } = await assistant.call('save_links', { links });
    expect(body).toMatchObject({ saved: 1, already_saved: 1 });
    expect(body.outcomes?.[1]?.id).toBe(body.outcomes?.[0]?.id);
    const { data } = await person.client.from('links').select('id').like('url', `${url}%`);
    expect(data).toEqual([{ id: body.outcomes?.[0]?.id }]);
  });

  test('refuse what the plan does not hold, in the words of the plan', async () => {
    const free = await createPerson(deployment);
    const { token } = await createPersonalToken(deployment, free, 'links:write');
    const { call } = await connectAssistant(deployment, token);
    const links = Array.from({ length: 25 }, (_, at) => ({ url: `https://exemplo.test/${at}` }));
    const { body } = await call('save_links', { links });
    expect(body).toMatchObject({ saved: 20, refused: 5 });
    expect(body.outcomes?.[24]).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/20/) });
  });

  test('show, edit, move, tag and delete a link, and say how it comes back', async () => {
    const [id] = await save('Antes');
    const edited = await assistant.call('edit_link', { id, title: 'Depois', description: 'Com texto' });
    expect(edited.body.link).toMatchObject({ id, title: 'Depois', description: 'Com texto' });
    const cleared = await assistant.call('edit_link', { id, description: null });
    expect(cleared.body.link).toMatchObject({ title: 'Depois', description: null });

    const elsewhere = await createShelf(person, randomUUID());
    const moved = await assistant.call('move_links', { link_ids: [id], category_id: elsewhere.categoryId });
    expect(moved.body['moved']).toEqual([{ id, from_category_id: shelf.categoryId }]);
    const other = randomUUID();
    const tagged = await assistant.call('tag_links', { link_ids: [id, other], add: ['#lido', 'novo'] });
    expect(tagged.body).toMatchObject({
      tags: expect.arrayContaining([{ name: 'lido', links: 1 }]),
      not_found: [other],
    });
    await assistant.call('tag_links', { link_ids: [id], remove: ['Novo'] });
    expect((await assistant.call('get_link', { id })).body.link).toMatchObject({
      category_id: elsewhere.categoryId,
      category: 'Artigos',
      tags: ['lido'],
      is_own: true,
    });

    const gone = randomUUID();
    const deleted = await assistant.call('delete_links', { link_ids: [id, gone] });
    expect(deleted.body).toMatchObject({ deleted: [id], not_found: [gone] });
    expect(deleted.body['how_to_bring_back']).toContain(`${deployment.url}/lixeira`);
    expect((await assistant.call('get_link', { id })).isError).toBe(true);
    const back = await person.client.rpc('undo_deletion', { item_type: 'link', item_ids: [id] });
    expect(back.error).toBeNull();
    expect((await assistant.call('get_link', { id })).body.link).toMatchObject({ title: 'Depois' });
  });

  test('say what is wrong with arguments, and change nothing', async () => {
    const [id] = await save('Fica');
    const wrong: readonly [string, object, RegExp][] = [
      ['get_link', { id: 'x' }, /id/],
      ['get_link', { id, extra: true }, /extra/],
      ['edit_link', { id }, /Nothing to change/],
      ['edit_link', { id, url: 'ftp://x.test/' }, /URL/],
      ['move_links', { link_ids: [id], category_id: randomUUID() }, /no such category/],
      ['list_links', { category_id: randomUUID() }, /no such category/],
      ['list_links', { cursor: 'abc' }, /cursor/],
      ['tag_links', { link_ids: [id], add: ['  '] }, /Nothing to change/],
      ['delete_links', { link_ids: [] }, /link_ids/],
      ['delete_links', { link_ids: [randomUUID()] }, /no such link/],
    ];
    for (const [name, args, words] of wrong) {
      const reply = await assistant.call(name, args as Record<string, unknown>);
      expect(reply, name).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    }
    expect((await assistant.call('get_link', { id })).body.link).toMatchObject({ title: 'Fica' });
  });
});

test('an assistant sorts two hundred links, page by page, and loses none', async () => {
  const organized = await createPerson(deployment, { plan: 'pro' });
  const { categoryId: from } = await createShelf(organized, 'Bagunça');
  const { categoryId: even } = await createShelf(organized, 'Pares');
  const made = await createPersonalToken(deployment, organized, 'links:write');
  const { call } = await connectAssistant(deployment, made.token);
  for (let start = 0; start < 200; start += 50) {
    const links = Array.from({ length: 50 }, (_, at) => ({
      url: `https://exemplo.test/${start + at}`,
      title: `Página ${start + at}`,
    }));
    expect((await call('save_links', { links, category_id: from })).body).toMatchObject({ saved: 50 });
  }
  const seen: { readonly id: string; readonly title: string }[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await call('list_links', { category_id: from, ...(cursor ? { cursor } : {}) });
    seen.push(...(body.links ?? []));
    cursor = body.next_cursor;
  } while (cursor);
  const ids = seen.filter(({ title }) => Number(title.slice(7)) % 2 === 0).map(({ id }) => id);
  expect([seen.length, ids.length]).toEqual([200, 100]);
  expect((await call('move_links', { link_ids: ids, category_id: even })).body['moved']).toHaveLength(100);
  await call('tag_links', { link_ids: ids, add: ['par'] });
  expect((await call('list_folders')).body['folders']).toMatchObject([
    { name: 'Bagunça', categories: [{ links: 100 }] },
    { name: 'Pares', categories: [{ links: 100 }] },
  ]);
  const { data } = await organized.client.rpc('count_links_by', { tags: ['par'] });
  expect(data).toBe(100);
});
