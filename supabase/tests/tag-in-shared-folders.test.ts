import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nameRows } from './support/name-rows.ts';
import { createSharedFolder, type Person, type SharedFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shared = await createSharedFolder(database);
});

const run = async (caller: TestCaller, text: string, ...values: unknown[]) =>
  (await queryAs<Record<string, unknown>>(database, caller, nameRows(text, shared.ids), values)).rows;
const as = (person: Person, text: string, ...values: unknown[]) =>
  run(shared.people[person], text, ...values);
type Done = { readonly change: number; readonly tags: readonly object[] };
const tag = async (
  person: Person,
  added: readonly string[],
  removed: readonly string[] = [],
  links = ':link',
) =>
  (await as(person, `select tag_links(array[${links}]::uuid[], $1, $2) as done`, added, removed))[0]?.[
    'done'
  ] as Done;
const undo = async (person: Person, change: number) =>
  (await as(person, 'select undo_tag_change($1) as done', change))[0]?.['done'];
/** What the owner has on a link, and of tags. */
const namesOn = async (link = ':link') =>
  (await as('owner', `select names from shared_tags(array[${link}]::uuid[])`))[0]?.['names'] ?? [];
const tagsOf = async (person: Person) =>
  (await as(person, 'select name, link_count from tags order by name')).map(({ name, link_count }) => [
    name,
    link_count,
  ]);
const refused = { code: 'PT404', message: 'Este link não existe mais' };

describe('whoever may write in a shared folder', () => {
  test.each(['manager', 'editor', 'grouped'] as const)(
    'tags its links as %s, with tags of its owner',
    async (person) => {
      await tag('owner', ['Física']);
      const done = await tag(person, ['fisica', 'Prova'], []);
      // No more of the owner's tags is told than the names that stand there.
      expect(done.tags).toEqual(expect.arrayContaining([{ name: 'Física' }, { name: 'Prova' }]));
      expect(await namesOn()).toEqual(['Física', 'Prova']);
      expect(await tagsOf('owner')).toEqual([
        ['Física', 1],
        ['Prova', 1],
      ]);
      expect(await tagsOf(person)).toEqual([]);
      await tag(person, [], ['FISICA']);
      expect(await namesOn()).toEqual(['Prova']);
      expect(await tagsOf('owner')).toEqual([
        ['Física', 0],
        ['Prova', 1],
      ]);
    },
  );

  test('takes back what they did, and not what the owner did since', async () => {
    const first = await tag('editor', ['a', 'b']);
    await tag('owner', ['c']);
    await expect(undo('manager', first.change)).rejects.toMatchObject({ code: 'PT404' });
    expect(await undo('editor', first.change)).toBe(true);
    expect(await namesOn()).toEqual(['c']);
    expect(await tagsOf('owner')).toEqual([['c', 1]]);
    const second = await tag('editor', [], ['c']);
    expect(await namesOn()).toEqual([]);
    expect(await undo('editor', second.change)).toBe(true);
    expect(await namesOn()).toEqual(['c']);
  });

  test('takes back nothing once they are out, or the link is', async () => {
    const done = await tag('editor', ['a']);
    await as('owner', 'update categories set is_held_back = true where id = :category');
    await expect(undo('editor', done.change)).rejects.toMatchObject({ code: 'PT404' });
    await as('owner', 'update categories set is_held_back = false where id = :category');
    await as(
      'owner',
      `delete from folder_members where email = '${(shared.people.editor as TestUser).email}'`,
    );
    await expect(undo('editor', done.change)).rejects.toMatchObject({ code: 'PT404' });
    expect(await namesOn()).toEqual(['a']);
  });

  test('takes back what is still theirs to write, and leaves what is held back since', async () => {
    const [second] = await as(
      'owner',
      `insert into links (url, title, category_id) values ('https://s.br/', 'Segundo', :second) returning id`,
    );
    shared = { ...shared, ids: { ...shared.ids, secondLink: String(second?.['id']) } };
    const both = ':link, :secondLink';
    await tag('owner', ['antiga'], [], both);
    const done = await tag('editor', ['nova'], ['antiga'], both);
    await as('owner', 'update categories set is_held_back = true where id = :second');
    expect(await undo('editor', done.change)).toBe(true);
    expect(await namesOn()).toEqual(['antiga']);
    expect(await namesOn(':secondLink')).toEqual(['nova']);
    expect(await tagsOf('owner')).toEqual([
      ['antiga', 1],
      ['nova', 1],
    ]);
  });

  test('has their own links tagged where both are named, and one owner’s otherwise', async () => {
    const [mine] = await as(
      'editor',
      `insert into links (url, title, category_id) values ('https://m.br/', 'Meu', :mine) returning id`,
    );
    const ids = { ...shared.ids, own: String(mine?.['id']) };
    shared = { ...shared, ids };
    await tag('editor', ['minha'], [], ':own, :link');
    expect(await tagsOf('editor')).toEqual([['minha', 1]]);
    expect(await namesOn()).toEqual([]);
    await tag('editor', ['dela'], [], ':link, :heldLink');
    expect(await namesOn()).toEqual(['dela']);
    expect(await namesOn(':heldLink')).toEqual([]);
  });

  test('has as many tags as the owner’s plan', async () => {
    await setPlan(database.admin, shared.owner.id, 'plus');
    await database.admin.query(
      `insert into tags (user_id, name) select $1, 'tag ' || n from generate_series(1, 500) n`,
      [shared.owner.id],
    );
    await expect(tag('editor', ['mais uma'])).rejects.toMatchObject({ hint: 'plan_limit_tags' });
    await tag('editor', ['TAG 7']);
    expect(await namesOn()).toEqual(['tag 7']);
  });

  test('and their owner, each in the other’s folder, wait for each other without end', async () => {
    const other = await createSharedFolder(database);
    const email = shared.owner.email;
    await queryAs(
      database,
      other.owner,
      `insert into folder_members (folder_id, email, role) values ($1, $2, 'editor')`,
      [other.folderId, email],
    );
    await run(
      shared.owner,
      `insert into folder_members (folder_id, email, role) values (:folder, $1, 'editor')`,
      other.owner.email,
    );
    const many = Array.from({ length: 10 }, (_, index) =>
      Promise.all([
        queryAs(database, shared.owner, `select tag_links(array[$1]::uuid[], array[$2])`, [
          other.linkId,
          `x${index}`,
        ]),
        queryAs(database, other.owner, `select tag_links(array[$1]::uuid[], array[$2])`, [
          shared.linkId,
          `y${index}`,
        ]),
      ]),
    );
    await Promise.all(many);
    expect(await namesOn()).toHaveLength(10);
  });
});

test.each(['viewer', 'removed', 'unconfirmed', 'stranger'] as const)(
  'a %s tags nothing there',
  async (person) => {
    await expect(tag(person, ['a'])).rejects.toMatchObject(refused);
    await expect(tag('editor', ['a'], [], ':heldLink')).rejects.toMatchObject(refused);
    await setPlan(database.admin, shared.owner.id, 'free');
    await expect(tag('editor', ['a'])).rejects.toMatchObject(refused);
    expect(await tagsOf('owner')).toEqual([]);
  },
);
