import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Api, openApi } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

type Link = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly category_id: string;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
};
type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null };
type Named = { readonly id: string; readonly name: string };

let person: Person;
let shelf: Shelf;
let api: Api;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  api = await openApi(deployment, token);
});

const address = () => `https://exemplo.test/${randomUUID()}`;
const save = async (body: object) => (await api.call<Link>('POST', '/links', { body })).body;

/** Every page of a list. */
async function readAll<T>(path: string): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const { status, body } = await api.call<Page<T>>('GET', `${path}${next}`);
    expect(status).toBe(200);
    all.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

describe('links', () => {
  test('are saved, read, changed, moved, tagged and put into the bin', async () => {
    const url = address();
    const created = await api.call<Link>('POST', '/links', {
      body: {
        url,
        title: ' Bolo ',
        description: 'De fubá',
        category_id: shelf.categoryId,
        tags: ['#doces', 'Doces'],
      },
    });
    const { id } = created.body;
    expect([created.status, created.headers.get('location')]).toEqual([201, `/api/v1/links/${id}`]);
    expect(created.body).toMatchObject({
      url,
      title: 'Bolo',
      category_id: shelf.categoryId,
      tags: ['doces'],
      is_own: true,
    });
    expect((await api.call('GET', `/links/${id.toUpperCase()}`)).body).toEqual(created.body);

    const other = await createShelf(person, randomUUID());
    const changed = await api.call<Link>('PATCH', `/links/${id}`, {
      body: { title: 'Bolo de fubá', description: null, category_id: other.categoryId, tags: ['festa'] },
    });
    expect(changed.body).toMatchObject({
      url,
      title: 'Bolo de fubá',
      description: null,
      category_id: other.categoryId,
      tags: ['festa'],
    });
    expect(changed.body.updated_at > created.body.updated_at).toBe(true);
    expect((await api.call('PATCH', `/links/${id}`, { body: {} })).body).toEqual(changed.body);

    expect((await api.call('DELETE', `/links/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/links/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/links/${id}`)).status).toBe(404);
    const bin = await person.client.rpc('list_bin').throwOnError();
    expect(JSON.stringify(bin.data)).toContain('Bolo de fubá');
  });

  test('without a category go into the inbox, and without a title are called by their host', async () => {
    const link = await save({ url: 'exemplo.com.br/a' });
    expect(link).toMatchObject({ url: 'https://exemplo.com.br/a', title: 'exemplo.com.br' });
    const inbox = await api.call<{ is_inbox: boolean }>('GET', `/categories/${link.category_id}`);
    expect(inbox.body.is_inbox).toBe(true);
  });

  test('are listed newest first, page by page, none twice and none left out', async () => {
    const full = await createShelf(person, randomUUID());
    const rows = Array.from({ length: 23 }, (_, at) => ({
      url: address(),
      title: `n ${at}`,
      category_id: full.categoryId,
      user_id: person.id,
    }));
    // One statement, and so nearly one moment.
    await person.client.from('links').insert(rows).throwOnError();
    const listed = await readAll<Link>(`/links?category_id=${full.categoryId}&limit=7`);
    expect(listed.map(({ title }) => title).toSorted()).toEqual(rows.map(({ title }) => title).toSorted());
    expect(listed.map(({ created_at }) => created_at)).toEqual(
      listed
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    const all = await readAll<Link>('/links?limit=100');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id } of listed) expect(all.map((one) => one.id)).toContain(id);
  });

  test('are found by their address, however it is spelt', async () => {
    const { id, url } = await save({ url: `https://exemplo.test/${randomUUID()}/` });
    const found = async (asked: string) =>
      (await api.call<Page<Link>>('GET', `/links?url=${encodeURIComponent(asked)}`)).body.data;
    expect((await found(url.replace('exemplo', 'EXEMPLO'))).map((one) => one.id)).toEqual([id]);
    expect(await found(address())).toEqual([]);
  });

  test('are found by their address in a category, in however many others they are', async () => {
    const [url, other] = [address(), await createShelf(person, randomUUID())];
    const first = await save({ url, category_id: shelf.categoryId });
    for (let more = 0; more < 5; more += 1) await save({ url, category_id: other.categoryId });
    const found = async (more: string) => {
      const { body } = await api.call<Page<Link>>('GET', `/links?url=${encodeURIComponent(url)}${more}`);
      return body.data.map((one) => one.id);
    };
    expect(await found(`&category_id=${shelf.categoryId.toUpperCase()}`)).toEqual([first.id]);
    expect(await found(`&category_id=${other.categoryId}`)).toHaveLength(5);
    const newest = await found('');
    expect(newest).toHaveLength(5);
    expect(newest).not.toContain(first.id);
  });

  test('are searched by words and operators', async () => {
    const word = randomUUID().replaceAll('-', '');
    const first = await save({ url: address(), title: `Bolo ${word}`, tags: ['assados'] });
    const second = await save({ url: address(), title: `Pudim ${word}` });
    const search = async (q: string) =>
      (
        await api.call<Page<Link> & { ignored_operators: string[] }>(
          'GET',
          `/search?q=${encodeURIComponent(q)}`,
        )
      ).body;
    expect((await search(word.toUpperCase())).data.map(({ id }) => id).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
    expect((await search(`${word} tag:assados`)).data).toEqual([first]);
    expect((await search(`${word} antes:ontem`)).ignored_operators).toEqual(['antes:ontem']);
    expect((await api.call('GET', '/search?q=antes:ontem')).status).toBe(400);
  });

  test('come in answers of bounded size, each once', async () => {
    const full = await createShelf(person, randomUUID());
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const rows = Array.from({ length: 100 }, () => ({
      url: `https://exemplo.test/${randomUUID()}/${'é'.repeat(440)}`,
      title: `${word} ${'😀'.repeat(60)}`,
      description: '😀'.repeat(1_200),
      category_id: full.categoryId,
      user_id: person.id,
    }));
    await person.client.from('links').insert(rows).throwOnError();
    for (const path of [`/links?category_id=${full.categoryId}&limit=100`, `/search?q=${word}`]) {
      const first = await api.call<Page<Link>>('GET', path);
      expect(Buffer.byteLength(JSON.stringify(first.body)), path).toBeLessThan(270_000);
      const all = await readAll<Link>(path);
      expect(new Set(all.map(({ id }) => id)).size, path).toBe(100);
      expect(all.length, path).toBe(100);
    }
  });

  test('of somebody who shares them are read and marked, and not changed', async () => {
    const giver = await createPerson(deployment, { plan: 'plus' });
    const given = await createShelf(giver);
    const { data } = await giver.client
      .from('links')
      .insert({ url: address(), title: 'Alheio', category_id: given.categoryId, user_id: giver.id })
      .select('id')
      .single()
      .throwOnError();
    await giver.client
      .rpc('save_sharing', { category_id: given.categoryId, is_public: false, emails: [person.email] })
      .throwOnError();
    const read = await api.call('GET', `/links/${data.id}`);
    expect(read.body).toMatchObject({ title: 'Alheio', is_own: false });
    const listed = await api.call<Page<Link>>('GET', `/links?category_id=${given.categoryId}`);
    expect(listed.body.data.map(({ id }) => id)).toEqual([data.id]);
    expect((await api.call('PATCH', `/links/${data.id}`, { body: { title: 'Meu' } })).status).toBe(404);
    expect((await api.call('DELETE', `/links/${data.id}`)).status).toBe(404);
  });
});

describe('folders, categories and tags', () => {
  test('are made, listed by name, changed and deleted', async () => {
    const name = `Pasta ${randomUUID()}`;
    const made = await api.call<Named>('POST', '/folders', { body: { name } });
    expect(made.headers.get('location')).toBe(`/api/v1/folders/${made.body.id}`);
    const again = await api.call('POST', '/folders', { body: { name } });
    expect([again.status, again.body['detail']]).toEqual([409, 'Já existe uma pasta com esse nome']);
    const renamed = await api.call<Named>('PATCH', `/folders/${made.body.id}`, {
      body: { name: `${name}!` },
    });
    expect(renamed.body.name).toBe(`${name}!`);
    expect((await readAll<Named>('/folders?limit=1')).map(({ id }) => id)).toContain(made.body.id);

    const names = ['b', 'a', 'á', 'B', 'a'];
    for (const one of names)
      await api.call('POST', '/categories', { body: { name: one, folder_id: made.body.id } });
    const listed = await readAll<Named>(`/categories?folder_id=${made.body.id}&limit=2`);
    expect(listed.map((one) => one.name).toSorted()).toEqual(names.toSorted());
    const { id } = required(listed[0]);
    const changed = await api.call('PATCH', `/categories/${id}`, {
      body: { description: 'Nova', folder_id: shelf.folderId },
    });
    expect(changed.body).toMatchObject({ id, description: 'Nova', folder_id: shelf.folderId });
    expect((await api.call('DELETE', `/categories/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/categories/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/folders/${made.body.id}`)).status).toBe(204);
    expect((await api.call('GET', `/folders/${made.body.id}`)).status).toBe(404);
  });

  test('count what lies in them', async () => {
    const { categoryId } = await createShelf(person, randomUUID());
    await save({ url: address(), category_id: categoryId });
    expect((await api.call('GET', `/categories/${categoryId}`)).body['link_count']).toBe(1);
  });

  test('tags are renamed and deleted; two of one name are refused', async () => {
    const [one, two] = [randomUUID(), randomUUID()].map((id) => `t${id.slice(0, 8)}`) as [string, string];
    const link = await save({ url: address(), tags: [one, two] });
    const tags = await readAll<Named>('/tags?limit=1');
    const { id } = required(tags.find((tag) => tag.name === one));
    expect((await api.call('PATCH', `/tags/${id}`, { body: { name: two } })).status).toBe(409);
    expect((await api.call('PATCH', `/tags/${id}`, { body: { name: `#${one}x` } })).body['name']).toBe(
      `${one}x`,
    );
    expect((await api.call('DELETE', `/tags/${id}`)).status).toBe(204);
    expect((await api.call('DELETE', `/tags/${id}`)).status).toBe(404);
    expect((await api.call<Link>('GET', `/links/${link.id}`)).body.tags).toEqual([two]);
  });

  test('say whose token it is', async () => {
    const { body } = await api.call('GET', '/me');
    expect(body).toMatchObject({
      id: person.id,
      access: { read: true, write: true, share: false },
      counts: { links: expect.any(Number) },
    });
  });
});

describe('a request that is sent again', () => {
  test('under its key is done once and answered the same, also when both come at once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { url: address(), tags: ['uma'] };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => api.call<Link>('POST', '/links', { body, headers })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(new Set(replies.map((reply) => reply.headers.get('location'))).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
    const found = await api.call<Page<Link>>('GET', `/links?url=${encodeURIComponent(body.url)}`);
    expect(found.body.data).toHaveLength(1);
  });

  test('with another content is a mistake', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await api.call('POST', '/links', { body: { url: address() }, headers });
    for (const [path, body] of [
      ['/links', { url: address() }],
      ['/folders', { name: randomUUID() }],
    ] as const) {
      const reply = await api.call('POST', path, { body, headers });
      expect([reply.status, reply.body['code']], path).toEqual([422, 'key_reused']);
    }
  });

  test('may be sent again under the same key where it was refused', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const name = randomUUID();
    const first = await api.call<Named>('POST', '/folders', { body: { name } });
    expect((await api.call('POST', '/folders', { body: { name }, headers })).status).toBe(409);
    await api.call('DELETE', `/folders/${first.body.id}`);
    expect((await api.call('POST', '/folders', { body: { name }, headers })).status).toBe(201);
  });

  test('under a key of another program, or of another person, is another request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { url: address() };
    const own = await api.call<Link>('POST', '/links', { body, headers });
    const stranger = await createPerson(deployment);
    for (const owner of [person, stranger]) {
      const { token } = await createPersonalToken(deployment, owner, 'links:write');
      const other = await openApi(deployment, token);
      const reply = await other.call<Link>('POST', '/links', { body, headers });
      expect(reply.status).toBe(201);
      expect(reply.body.id).not.toBe(own.body.id);
    }
  });
});
