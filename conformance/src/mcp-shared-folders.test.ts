import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Assistant, connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';
import { type SharedFolder, shareFolder } from './support/share-folder.ts';

const deployment = inject('deployment');

let shared: SharedFolder;
let editor: Assistant;
beforeAll(async () => {
  shared = await shareFolder(deployment);
  editor = await connect(shared.editor);
});

async function connect(person: Person, scope = 'links:write'): Promise<Assistant> {
  const { token } = await createPersonalToken(deployment, person, scope);
  return connectAssistant(deployment, token);
}

const wish = () => ({ url: `https://exemplo.test/${randomUUID()}`, title: 'Bolo' });
async function save(assistant: Assistant, categoryId: string): Promise<string> {
  const { body } = await assistant.call('save_links', { links: [wish()], category_id: categoryId });
  return required(body.outcomes?.[0]?.id);
}
/** As the owner sees it. */
async function readAsOwner(id: string) {
  const { data } = await shared.owner.client
    .from('links')
    .select('title,category_id,user_id')
    .eq('id', id)
    .throwOnError();
  return data;
}

describe('an editor’s assistant', () => {
  test('finds the shared folder behind the person’s own, by its owner’s name', async () => {
    const own = await createShelf(shared.editor, `z ${randomUUID()}`);
    const { count } = await shared.owner.client
      .from('links')
      .select('id', { count: 'exact', head: true })
      .eq('category_id', shared.categoryId);
    const { body } = await editor.call('list_folders');
    const folders = body['folders'] as readonly { readonly id: string }[];
    expect(folders.map(({ id }) => id).indexOf(own.folderId)).toBeLessThan(folders.length - 1);
    expect(folders.find(({ id }) => id === own.folderId)).not.toHaveProperty('shared');
    expect(folders.at(-1)).toEqual({
      id: shared.folderId,
      name: 'Cozinha',
      shared: { owner: 'Olga', may_write: true },
      categories: [
        { id: shared.categoryId, name: 'Artigos', description: null, links: count, is_public: false },
        { id: shared.secondId, name: 'Segunda', description: null, links: 0, is_public: false },
      ],
    });
  });

  test('saves, edits, moves and deletes links there, which are the owner’s', async () => {
    const id = await save(editor, shared.secondId);
    expect((await editor.call('edit_link', { id, title: 'Pudim' })).body.link).toMatchObject({
      title: 'Pudim',
    });
    const moved = await editor.call('move_links', { link_ids: [id], category_id: shared.categoryId });
    expect(moved.body).toMatchObject({ moved: [{ id, from_category_id: shared.secondId }], not_found: [] });
    expect(await readAsOwner(id)).toEqual([
      { title: 'Pudim', category_id: shared.categoryId, user_id: shared.owner.id },
    ]);
    const { categoryId } = await createShelf(shared.editor, randomUUID());
    const own = await save(editor, categoryId);
    const deleted = await editor.call('delete_links', { link_ids: [id, own] });
    expect(deleted.body).toMatchObject({
      deleted: expect.arrayContaining([id, own]),
      in_bin_of_folder_owner: [id],
    });
    expect(await readAsOwner(id)).toEqual([]);
  });

  test('gives links there tags of their owner and its own links tags of the person, in one call', async () => {
    const id = await save(editor, shared.categoryId);
    const { categoryId } = await createShelf(shared.editor, randomUUID());
    const own = await save(editor, categoryId);
    const gone = randomUUID();
    const [word, other] = [`tag ${randomUUID().slice(0, 8)}`, `tag ${randomUUID().slice(0, 8)}`];
    const tagged = await editor.call('tag_links', { link_ids: [id, own, gone], add: [word, other] });
    expect(tagged.body).toMatchObject({ not_found: [gone] });
    const taggedBy = async ({ client }: Person) =>
      (await client.from('tags').select('name,link_count').eq('name', word).throwOnError()).data;
    expect([await taggedBy(shared.owner), await taggedBy(shared.editor)]).toEqual([
      [{ name: word, link_count: 1 }],
      [{ name: word, link_count: 1 }],
    ]);
    await editor.call('tag_links', { link_ids: [id], remove: [word.toUpperCase()] });
    expect((await editor.call('get_link', { id })).body.link).toMatchObject({ tags: [other], is_own: false });
    expect((await editor.call('get_link', { id: own })).body.link?.['tags']).toHaveLength(2);
  });

  test('moves nothing from one library into another', async () => {
    const { categoryId } = await createShelf(shared.editor, randomUUID());
    const own = await save(editor, categoryId);
    const theirs = await save(editor, shared.categoryId);
    const move = (id: string, category_id: string) =>
      editor.call('move_links', { link_ids: [id], category_id });
    expect(await move(own, shared.categoryId)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/one library/),
    });
    expect(await move(theirs, categoryId)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/no such link/),
    });
    for (const place of [shared.privateId, randomUUID()])
      expect(await move(theirs, place)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/no such category/),
      });
    expect(await readAsOwner(theirs)).toMatchObject([{ category_id: shared.categoryId }]);
    // Of links of both libraries those move that belong where they go.
    const both = await editor.call('move_links', { link_ids: [own, theirs], category_id: shared.secondId });
    expect(both.body).toMatchObject({ moved: [{ id: theirs }], not_found: [own] });
    await editor.call('delete_links', { link_ids: [theirs] });
  });

  test('is suggested places within the library of each link, and for a new one its own alone', async () => {
    const own = await createShelf(shared.editor, randomUUID());
    const places = async (question: object) => {
      const { body } = await editor.call('suggest_places', { ...question });
      const [first] = body['suggestions'] as readonly {
        readonly places: readonly { category_id: string }[];
      }[];
      return required(first).places;
    };
    expect(await places({ link_ids: [shared.linkId] })).toEqual([
      { category_id: shared.secondId, category: 'Segunda', folder: 'Cozinha' },
    ]);
    const mine = await save(editor, own.categoryId);
    for (const question of [{ link_ids: [mine] }, { url: 'https://olga.test/', title: 'Cozinha Segunda' }]) {
      const ids = (await places(question)).map(({ category_id }) => category_id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(shared.secondId);
      expect(ids).not.toContain(shared.categoryId);
    }
  });

  test('is suggested places there by whoever has a thousand categories of their own, too', async () => {
    const keeper = await createPerson(deployment, { plan: 'pro' });
    const { folderId } = await createShelf(keeper, 'Mil');
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ name: `Minha ${n}`, folder_id: folderId }));
    await keeper.client.from('categories').insert(rows).throwOnError();
    await shared.owner.client
      .from('folder_members')
      .insert({ folder_id: shared.folderId, email: keeper.email, role: 'editor' })
      .throwOnError();
    const { call } = await connect(keeper);
    const { body } = await call('suggest_places', { link_ids: [shared.linkId] });
    expect(body['suggestions']).toMatchObject([
      { link: { id: shared.linkId }, places: [{ category_id: shared.secondId, folder: 'Cozinha' }] },
    ]);
  });

  test('does nothing of it with a token that only reads', async () => {
    const reader = await connect(shared.editor, 'links:read');
    await expect(reader.call('delete_links', { link_ids: [shared.linkId] })).rejects.toThrow();
    expect(await readAsOwner(shared.linkId)).toMatchObject([{ title: 'Da Olga' }]);
  });
});

describe.each(['viewer', 'removed', 'stranger'] as const)('the assistant of a %s', (who) => {
  test('writes nothing there, and is answered as for what does not exist', async () => {
    const assistant = await connect(shared[who]);
    const missing = randomUUID();
    const answers = async (id: string, category_id: string) => {
      const calls: readonly (readonly [string, object])[] = [
        ['edit_link', { id, title: 'Meu' }],
        ['move_links', { link_ids: [id], category_id }],
        ['delete_links', { link_ids: [id] }],
        ['suggest_places', { link_ids: [id] }],
        ['tag_links', { link_ids: [id], add: ['meu'] }],
      ];
      const texts: string[] = [];
      for (const [name, args] of calls) {
        const { isError, text } = await assistant.call(name, { ...args });
        expect(isError, name).toBe(true);
        texts.push(text);
      }
      const { body } = await assistant.call('save_links', {
        links: [{ url: 'https://x.test/' }],
        category_id,
      });
      return [...texts, body.outcomes];
    };
    const refused = await answers(shared.linkId, shared.categoryId);
    expect(refused).toEqual(await answers(missing, missing));
    expect(refused.at(-1)).toMatchObject([{ outcome: 'refused', reason: 'Categoria não encontrada' }]);
    expect(await readAsOwner(shared.linkId)).toMatchObject([
      { title: 'Da Olga', category_id: shared.categoryId },
    ]);
  });

  test('sees the folder only as a viewer’s, who may not write', async () => {
    const { body } = await (await connect(shared[who])).call('list_folders');
    const seen =
      who === 'viewer' ? [{ id: shared.folderId, shared: { owner: 'Olga', may_write: false } }] : [];
    expect(body['folders']).toMatchObject(seen);
  });
});
