import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  askLinkding,
  type Bookmark,
  type BookmarkList,
  type LinkdingReply,
  searchAsExtension,
} from './support/ask-linkding.ts';
import { openApi } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createOperator } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

let person: Person;
let token: string;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'pro' });
  ({ token } = await createPersonalToken(deployment, person, 'links:write'));
});

type Asked = { readonly method?: string; readonly content?: unknown };
const ask = <T = Record<string, unknown>>(path: string, asked: Asked = {}): Promise<LinkdingReply<T>> =>
  askLinkding<T>(deployment, token, path, asked);
const save = (content: object) => ask<Bookmark>('/api/bookmarks/', { method: 'POST', content });
const address = () => `https://exemplo.test/${randomUUID()}?a=1&b=ç`;

describe('the published extension', () => {
  test('is connected with a personal token, and not with a wrong one', async () => {
    const connected = await ask<BookmarkList>('/api/bookmarks/?limit=1');
    expect([connected.status, Array.isArray(connected.body.results)]).toEqual([200, true]);
    const wrong = await askLinkding(deployment, `lk_pat_${'a'.repeat(43)}`, '/api/bookmarks/?limit=1');
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Token']);
    expect(wrong.body).toEqual({ detail: expect.any(String) });
  });

  test('saves the page that is open, sees that it is saved, changes it by the same form and deletes it', async () => {
    const url = address();
    const check = () =>
      ask<{ bookmark: Bookmark | null; metadata: object; auto_tags: unknown[] }>(
        `/api/bookmarks/check/?url=${encodeURIComponent(url)}`,
      );
    expect((await check()).body).toMatchObject({ bookmark: null, metadata: { url }, auto_tags: [] });

    // What its form sends.
    const form = {
      url,
      title: 'Bolo',
      description: '',
      notes: '',
      tag_names: ['doces', '#festa'],
      unread: false,
      shared: false,
    };
    const saved = await save(form);
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      id: expect.any(Number),
      url,
      title: 'Bolo',
      description: '',
      notes: '',
      web_archive_snapshot_url: '',
      favicon_url: null,
      preview_image_url: null,
      is_archived: false,
      unread: false,
      shared: false,
      tag_names: ['doces', 'festa'],
      date_added: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      date_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      website_title: null,
      website_description: null,
    });
    // Apps keep it in 32 bits.
    expect(Number.isInteger(saved.body.id) && saved.body.id > 0 && saved.body.id < 2 ** 31).toBe(true);
    expect((await check()).body.bookmark).toEqual(saved.body);
    expect(await searchAsExtension(deployment, token, url, 1)).toEqual([saved.body]);

    const again = await save({ ...form, title: '', description: 'De fubá', tag_names: ['doces'] });
    expect([again.status, again.body.id]).toEqual([201, saved.body.id]);
    expect(again.body).toMatchObject({ title: 'Bolo', description: 'De fubá', tag_names: ['doces'] });
    expect((await ask(`/api/bookmarks/${saved.body.id}/`)).body).toEqual(again.body);

    const removed = await ask(`/api/bookmarks/${saved.body.id}/`, { method: 'DELETE' });
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    expect((await check()).body.bookmark).toBeNull();
    expect((await ask(`/api/bookmarks/${saved.body.id}/`)).status).toBe(404);
  });

  test('saves a page whose texts are longer than a link’s, and one without a title', async () => {
    const long = await save({
      url: address(),
      title: `palavra ${'x '.repeat(300)}`,
      description: 'y '.repeat(3_000),
    });
    expect(long.status).toBe(201);
    expect([...long.body.title].length).toBeLessThanOrEqual(100);
    expect([...long.body.description].length).toBeLessThanOrEqual(1_200);
    expect((await save({ url: address(), title: '', description: null })).body.title).toBe('exemplo.test');
    const noted = await save({ url: address(), description: 'Um', notes: 'Dois' });
    expect(noted.body).toMatchObject({ description: 'Um\n\nDois', notes: '' });
  });

  test('finds by words and tags, in its own spelling', async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`;
    const [first, second] = [
      await save({ url: address(), title: `Bolo ${word}`, tag_names: ['assados'] }),
      await save({ url: address(), title: `Pudim ${word}`, tag_names: [] }),
    ];
    const found = async (text: string) =>
      (await searchAsExtension(deployment, token, text, 5)).map(({ id }) => id).toSorted((a, b) => a - b);
    expect(await found(word)).toEqual([first.body.id, second.body.id]);
    expect(await found(`${word} #assados`)).toEqual([first.body.id]);
    expect(await found(`${word} !untagged`)).toEqual([second.body.id]);
    expect(await found(`${word} !unread`)).toEqual([]);
    expect(await found(`https://outro.test/${word}`)).toEqual([]);
  });

  test('sends what its newest version sends, and is answered as it reads it', async () => {
    const url = address();
    const form = { url, title: '', description: '', notes: '', tag_names: ['doces'], unread: true };
    const post = (path: string) =>
      ask<Bookmark>(path, { method: 'POST', content: { ...form, shared: false } });
    const saved = await post('/api/bookmarks/?disable_scraping');
    expect([saved.status, saved.body.title]).toEqual([201, 'exemplo.test']);
    const snapshot = await post('/api/bookmarks/?disable_scraping&disable_html_snapshot');
    expect([snapshot.status, snapshot.body.id]).toEqual([201, saved.body.id]);
    const tags = await ask<{ results: { name: string }[]; next: unknown }>('/api/tags/?limit=5000');
    expect([tags.body.results.some(({ name }) => name === 'doces'), tags.body.next]).toEqual([true, null]);
    // A type without a body, as its button sends it.
    const removed = await fetch(`${deployment.url}/api/bookmarks/${saved.body.id}/`, {
      method: 'DELETE',
      headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
      body: '',
    });
    expect(removed.status).toBe(204);
  });

  test.each(['http://127.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'javascript:alert(1)'])(
    'learns nothing of an address that is not of the internet: %s',
    async (url) => {
      const { status, body } = await ask(`/api/bookmarks/check/?url=${encodeURIComponent(url)}`);
      expect([status, body['metadata']]).toEqual([
        200,
        { url, title: null, description: null, preview_image: null },
      ]);
    },
  );

  test('gets every tag that it asks for', async () => {
    const owner = await createPerson(deployment, { plan: 'pro' });
    const { categoryId } = await createShelf(owner);
    const { client } = owner;
    const rows = Array.from({ length: 60 }, () => ({
      url: address(),
      title: 'n',
      category_id: categoryId,
      user_id: owner.id,
    }));
    const links = await client.from('links').insert(rows).select('id').throwOnError();
    for (const [at, { id }] of links.data.entries()) {
      const added = Array.from({ length: 20 }, (_, place) => `t${at}-${place}`);
      await client.rpc('tag_links', { link_ids: [id], added, removed: [] }).throwOnError();
    }
    const own = (await createPersonalToken(deployment, owner, 'links:read')).token;
    const { body } = await askLinkding<{ results: unknown[]; count: number; next: unknown }>(
      deployment,
      own,
      '/api/tags/?limit=5000',
    );
    expect([body.results.length, body.count, body.next]).toEqual([1_200, 1_200, null]);
  });

  test('offers the tags that there are', async () => {
    const name = `t${randomUUID().slice(0, 8)}`;
    await save({ url: address(), tag_names: [name] });
    const { status, body } = await ask<{ count: number; results: { id: number; name: string }[] }>(
      '/api/tags/?limit=1000',
    );
    expect([status, body.count]).toEqual([200, body.results.length]);
    const tag = required(body.results.find((one) => one.name === name));
    expect(tag).toEqual({ id: expect.any(Number), name, date_added: expect.any(String) });
    expect((await ask(`/api/tags/${tag.id}/`)).body).toEqual(tag);
    const made = (content: object) => ask('/api/tags/', { method: 'POST', content });
    expect(await made({ name: name.toUpperCase() })).toMatchObject({ status: 201, body: tag });
    expect(await made({ name: randomUUID() })).toMatchObject({
      status: 400,
      body: { name: [expect.any(String)] },
    });
  });

  test('shows no choice that there is not here', async () => {
    const { body } = await ask('/api/user/profile/');
    expect(body).toMatchObject({ theme: 'auto', enable_sharing: false, enable_favicons: false });
  });
});

describe('the apps', () => {
  test('go through all pages by the addresses that they are given', async () => {
    const reader = await createPerson(deployment, { plan: 'plus' });
    const { categoryId } = await createShelf(reader);
    const rows = Array.from({ length: 23 }, (_, at) => ({
      url: address(),
      title: `n ${at}`,
      category_id: categoryId,
      user_id: reader.id,
    }));
    await reader.client.from('links').insert(rows).throwOnError();
    const own = (await createPersonalToken(deployment, reader, 'links:read')).token;
    const seen: Bookmark[] = [];
    let next: string | null = '/api/bookmarks/?limit=10&offset=0';
    let last: BookmarkList | undefined;
    while (next !== null) {
      const { body }: LinkdingReply<BookmarkList> = await askLinkding(deployment, own, next);
      expect(body.count).toBe(23);
      seen.push(...body.results);
      next = body.next;
      last = body;
    }
    expect(seen.map(({ title }) => title).toSorted()).toEqual(rows.map(({ title }) => title).toSorted());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(23);
    const before = await askLinkding<BookmarkList>(deployment, own, required(last?.previous));
    expect(before.body.results).toEqual(seen.slice(10, 20));
    // Numbers stay, also where two ask for them at the same moment.
    const again = await Promise.all(
      [1, 2, 3].map(() => askLinkding<BookmarkList>(deployment, own, '/api/bookmarks/?limit=100')),
    );
    for (const { body } of again) expect(body.results).toEqual(seen);
    const found = await askLinkding<BookmarkList>(deployment, own, '/api/bookmarks/?q=n&limit=10');
    expect([found.body.count, found.body.results.length]).toEqual([23, 10]);
    expect(
      (await askLinkding<BookmarkList>(deployment, own, required(found.body.next))).body.results,
    ).toHaveLength(10);
  });

  test('are told of what was saved on the days of Brasília, and how many there are', async () => {
    const reader = await createPerson(deployment, { plan: 'plus' });
    const { categoryId } = await createShelf(reader);
    // An hour into the year in Greenwich is the evening before in Brasília.
    const row = { url: address(), title: 'n', category_id: categoryId, user_id: reader.id };
    await createOperator(deployment)
      .from('links')
      .insert({ ...row, created_at: '2026-01-01T01:00:00Z' })
      .throwOnError();
    const own = (await createPersonalToken(deployment, reader, 'links:read')).token;
    const found = async (question: string) => {
      const { body } = await askLinkding<BookmarkList>(deployment, own, `/api/bookmarks/?q=${question}`);
      return [body.results.length, body.count];
    };
    expect([await found('depois:2025'), await found('antes:2026')]).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test('change a bookmark whole or in part', async () => {
    const { body: saved } = await save({
      url: address(),
      title: 'Um',
      description: 'Dois',
      tag_names: ['a'],
    });
    const path = `/api/bookmarks/${saved.id}/`;
    const patched = await ask(path, { method: 'PATCH', content: { title: 'Três' } });
    expect(patched.body).toMatchObject({ title: 'Três', description: 'Dois', tag_names: ['a'] });
    const url = address();
    const put = await ask(path, { method: 'PUT', content: { url, title: 'Quatro', tag_names: [] } });
    expect(put.body).toMatchObject({ id: saved.id, url, title: 'Quatro', tag_names: [] });
    expect((await ask(path, { method: 'PUT', content: { title: 'Cinco' } })).status).toBe(400);
    const other = await save({ url: address() });
    const taken = await ask(path, { method: 'PATCH', content: { url: other.body.url } });
    expect([taken.status, Object.keys(taken.body)]).toEqual([400, ['url']]);
    expect((await ask(path, { method: 'PATCH', content: { url } })).status).toBe(200);
  });

  test('keep the description where notes alone are changed, also when they are sent again', async () => {
    const { body: saved } = await save({ url: address(), description: 'Dois' });
    const content = { notes: 'Três' };
    for (const _time of ['once', 'again'])
      expect((await ask(`/api/bookmarks/${saved.id}/`, { method: 'PATCH', content })).body).toMatchObject({
        description: 'Dois\n\nTrês',
        notes: '',
      });
  });

  test('find nothing archived, unread or shared', async () => {
    for (const path of [
      '/api/bookmarks/archived/',
      '/api/bookmarks/?unread=yes',
      '/api/bookmarks/?shared=yes',
    ])
      expect((await ask(path)).body, path).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  test('see what they save where the person looks for it', async () => {
    const { body } = await save({ url: address(), title: 'Na entrada' });
    const api = await openApi(deployment, token);
    const { body: page } = await api.call<{ data: { url: string; category_id: string }[] }>(
      'GET',
      '/links?limit=1',
    );
    expect(page.data[0]?.url).toBe(body.url);
    const category = await api.call('GET', `/categories/${page.data[0]?.category_id}`);
    expect(category.body['is_inbox']).toBe(true);
  });
});

describe('a hostile program', () => {
  test('of a stranger finds another person’s bookmarks neither by number nor by search', async () => {
    const url = address();
    const { body: saved } = await save({ url, title: 'Segredo', tag_names: ['segredo'] });
    const tags = await ask<{ results: { id: number }[] }>('/api/tags/');
    const stranger = await createPerson(deployment, { plan: 'plus' });
    const made = await createPersonalToken(deployment, stranger, 'links:write');
    const other = <T = Record<string, unknown>>(path: string, asked: Asked = {}) =>
      askLinkding<T>(deployment, made.token, path, asked);
    const absent = await other('/api/bookmarks/2000000000/');
    for (const [method, content] of [
      ['GET'],
      ['DELETE'],
      ['PUT', { url }],
      ['PATCH', { title: 'Meu' }],
    ] as const) {
      const reply = await other(`/api/bookmarks/${saved.id}/`, { method, content });
      expect([reply.status, reply.body], method).toEqual([404, absent.body]);
    }
    expect((await other(`/api/tags/${tags.body.results[0]?.id}/`)).status).toBe(404);
    for (const path of [
      '/api/bookmarks/',
      '/api/bookmarks/?q=segredo',
      `/api/bookmarks/?q=${encodeURIComponent(url)}`,
    ])
      expect((await other<BookmarkList>(path)).body.results, path).toEqual([]);
    expect((await other(`/api/bookmarks/check/?url=${encodeURIComponent(url)}`)).body['bookmark']).toBeNull();
    // The same address is saved beside it, not over it.
    const own = await other<Bookmark>('/api/bookmarks/', { method: 'POST', content: { url, title: 'Meu' } });
    expect(own.status).toBe(201);
    expect(own.body.id).not.toBe(saved.id);
    expect((await ask(`/api/bookmarks/${saved.id}/`)).body['title']).toBe('Segredo');
  });

  test('with a token that may only read changes nothing, and one without links sees nothing', async () => {
    const { body: saved } = await save({ url: address(), title: 'Fica' });
    const reader = (await createPersonalToken(deployment, person, 'links:read')).token;
    for (const [method, path, content] of [
      ['POST', '/api/bookmarks/', { url: address() }],
      ['PATCH', `/api/bookmarks/${saved.id}/`, { title: 'x' }],
      ['DELETE', `/api/bookmarks/${saved.id}/`],
    ] as const)
      expect((await askLinkding(deployment, reader, path, { method, content })).status, method).toBe(403);
    expect((await askLinkding(deployment, reader, `/api/bookmarks/${saved.id}/`)).body).toEqual(saved);
    const sharer = (await createPersonalToken(deployment, person, 'share')).token;
    expect((await askLinkding(deployment, sharer, '/api/bookmarks/')).status).toBe(403);
  });

  test.each([
    ['GET', '/api/bookmarks/?limit=1000000000&offset=999999999999', undefined, 200],
    ['GET', '/api/bookmarks/?limit=-1&offset=x', undefined, 200],
    ['GET', '/api/bookmarks/?q=%00%27;drop', undefined, 200],
    ['GET', '/api/bookmarks/?q=a&q=b&limit=1&limit=2', undefined, 200],
    ['GET', '/api/bookmarks/check/', undefined, 400],
    ['GET', '/api/bookmarks/check/?url=%00', undefined, 200],
    ['GET', '/api/bookmarks/99999999999999999999/', undefined, 404],
    ['GET', '/api/bookmarks/1e3/', undefined, 404],
    ['GET', '/api/bookmarks/-1/', undefined, 404],
    ['GET', '/api/bookmarks/nothing/at/all/', undefined, 404],
    ['GET', '/api/bundles/', undefined, 404],
    ['POST', '/api/bookmarks/', {}, 400],
    ['POST', '/api/bookmarks/', { url: 'javascript:alert(1)' }, 400],
    ['POST', '/api/bookmarks/', { url: 1 }, 400],
    ['POST', '/api/bookmarks/', { url: 'https://a.test/', tag_names: 'a' }, 400],
    [
      'POST',
      '/api/bookmarks/',
      { url: 'https://a.test/', tag_names: Array.from({ length: 30 }, (_, at) => `t${at}`) },
      400,
    ],
    ['POST', '/api/bookmarks/', [], 400],
    ['POST', '/api/bookmarks/', { url: `https://a.test/${'x'.repeat(600)}` }, 400],
    ['POST', '/api/bookmarks/', { url: 'https://a.test/', title: 'x'.repeat(300_000) }, 413],
    ['POST', '/api/bookmarks/archived/', {}, 405],
    ['DELETE', '/api/user/profile/', undefined, 405],
  ])('is answered as by linkding: %s %s', async (method, path, content, status) => {
    const reply = await ask(path, { method, content });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('of a page is answered without cookies, like the plain API', async () => {
    const preflight = await fetch(`${deployment.url}/api/bookmarks/`, {
      method: 'OPTIONS',
      headers: {
        origin: 'moz-extension://x',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
