import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as sdk from '@linkoteca/api-client';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { readApiDocument } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const siteUrl = deployment.url;

let person: Person;
let shelf: Shelf;
let client: ReturnType<typeof sdk.connectLinkoteca>;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  client = sdk.connectLinkoteca({ siteUrl, token });
});

const body = () => ({
  url: `https://exemplo.test/${randomUUID()}`,
  title: 'Bolo',
  category_id: shelf.categoryId,
});

describe('the generated client', () => {
  test('has a function for each operation of the document, by its name', async () => {
    const { paths } = await readApiDocument(deployment);
    const names = Object.values(paths).flatMap((ofPath) =>
      Object.values(ofPath).map(({ operationId }) => operationId),
    );
    expect(names.filter((name) => typeof Reflect.get(sdk, name) !== 'function')).toEqual([]);
  });

  test('saves, reads, changes, finds and deletes a link', async () => {
    const saved = await sdk.createLink({ client, body: { ...body(), tags: ['doces'] }, throwOnError: true });
    const path = { id: saved.data.id };
    expect(saved.response.status).toBe(201);
    const changed = await sdk.updateLink({ client, path, body: { title: 'Torta' }, throwOnError: true });
    expect(changed.data).toMatchObject({ id: path.id, title: 'Torta', tags: ['doces'] });
    const found = await sdk.searchLinks({ client, query: { q: 'tag:doces torta' }, throwOnError: true });
    expect(found.data.data.map(({ id }) => id)).toEqual([path.id]);
    expect((await sdk.deleteLink({ client, path })).error).toBeUndefined();
    expect((await sdk.getLink({ client, path })).error).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('goes through a list page by page', async () => {
    const { data: folder } = await sdk.createFolder({
      client,
      body: { name: randomUUID() },
      throwOnError: true,
    });
    const { data: category } = await sdk.createCategory({
      client,
      body: { name: 'Lista', folder_id: folder.id },
      throwOnError: true,
    });
    const ids = [];
    for (let count = 0; count < 5; count += 1) {
      const { data } = await sdk.createLink({
        client,
        body: { ...body(), category_id: category.id },
        throwOnError: true,
      });
      ids.unshift(data.id);
    }
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const { data: page } = await sdk.listLinks({
        client,
        query: { category_id: category.id, limit: 2, ...(cursor === undefined ? {} : { cursor }) },
        throwOnError: true,
      });
      read.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(read).toEqual(ids);
  });

  test('sends a request again under its key without doing it twice', async () => {
    const request = { client, body: body(), headers: { 'Idempotency-Key': randomUUID() } };
    const [first, second] = [await sdk.createLink(request), await sdk.createLink(request)];
    expect(second.data?.id).toBe(required(first.data).id);
    expect(required(second.response).headers.get('idempotent-replayed')).toBe('true');
  });

  test('gives a problem as the API words it, or throws it where that is asked for', async () => {
    const wrong = { client, body: { ...body(), url: 'javascript:alert(1)' } };
    const { data, error } = await sdk.createLink(wrong);
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ status: 422, code: 'invalid_content' });
    await expect(sdk.createLink({ ...wrong, throwOnError: true })).rejects.toMatchObject({
      code: 'invalid_content',
    });
  });

  test('asks for the token before each call', async () => {
    const asked: string[] = [];
    const renewing = sdk.connectLinkoteca({
      siteUrl: `${siteUrl}/`,
      token: async () => {
        asked.push('asked');
        return 'not a token';
      },
    });
    for (let count = 0; count < 2; count += 1)
      expect((await sdk.getMe({ client: renewing })).error).toMatchObject({ code: 'invalid_token' });
    expect(asked).toHaveLength(2);
  });

  test('takes its token nowhere else: a redirect is an error', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = createServer((request, reply) => {
      seen.push(request.headers.authorization);
      reply.writeHead(302, { location: `${siteUrl}/api/v1/me` }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;
    const led = sdk.connectLinkoteca({ siteUrl: `http://127.0.0.1:${port}`, token: 'mine' });
    const { data, error } = await sdk.getMe({ client: led });
    expect(data).toBeUndefined();
    expect(error).toBeDefined();
    expect(seen).toEqual(['Bearer mine']);
    await new Promise((resolve) => elsewhere.close(resolve));
  });
});
