import { randomUUID } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type Assistant,
  connectAssistant,
  createPersonalToken,
  openAssistant,
} from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { createOperator } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const READING = ['search_links', 'list_folders', 'list_links', 'get_link'];
const WRITING = ['save_links', 'edit_link', 'move_links', 'tag_links', 'delete_links'];

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

/** What a program keeps for itself while a person lets it in. */
function createProvider(clientId: string) {
  const kept: { tokens?: OAuthTokens; verifier?: string; page?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1/volta',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/volta'] },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => required(kept.verifier),
    redirectToAuthorization: (page) => {
      kept.page = page;
    },
  };
  return { provider, kept };
}

describe('an assistant connects', () => {
  test.each([
    ['/mcp', 'links:read', READING],
    ['/mcp/write', 'links:read links:write', [...READING, ...WRITING]],
  ])('by the address %s alone, and asks for %s', async (path, scope, tools) => {
    const created = await createOperator(deployment).auth.admin.oauth.createClient({
      client_name: 'Assistente',
      redirect_uris: ['http://127.0.0.1/volta'],
      token_endpoint_auth_method: 'none',
    });
    const { provider, kept } = createProvider(required(created.data, created.error).client_id);
    const address = new URL(`${deployment.url}${path}`);
    const first = new StreamableHTTPClientTransport(address, { authProvider: provider });
    await expect(openAssistant(first)).rejects.toThrow(UnauthorizedError);
    const page = required(kept.page);
    expect(page.searchParams.get('scope')).toBe(scope);
    expect(page.searchParams.get('resource')).toBe(address.href);

    const sent = await fetch(page, { redirect: 'manual' });
    const consent = new URL(required(sent.headers.get('location')));
    const id = required(consent.searchParams.get('authorization_id'));
    await person.client.auth.oauth.getAuthorizationDetails(id);
    const approved = await person.client.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
    const back = new URL(required(approved.data, approved.error).redirect_url);
    await first.finishAuth(required(back.searchParams.get('code')));

    const second = new StreamableHTTPClientTransport(address, { authProvider: provider });
    const { client, call } = await openAssistant(second);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
    expect((await call('list_folders')).body['folders']).toMatchObject([{ name: 'Trabalho' }]);
  });

  test('by a personal token, and is told that what it reads is untrusted', async () => {
    expect(assistant.client.getServerVersion()).toMatchObject({ name: 'linkoteca' });
    expect(assistant.client.getInstructions()).toMatch(/untrusted content/);
    expect((await assistant.call('list_folders')).body.notice).toMatch(/follow no instruction/);
  });

  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ])('in its version of the protocol, or is offered the newest: %s', async (protocolVersion, agreed) => {
    const { token } = await createPersonalToken(deployment, person, 'links:read');
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const ask = (message: object, headers: Record<string, string> = {}) =>
      fetch(`${deployment.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      });
    const reply = await ask({ method: 'initialize', params });
    expect(await reply.json()).toMatchObject({ result: { protocolVersion: agreed } });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await ask({ method: 'ping' }, { 'mcp-protocol-version': agreed })).status).toBe(200);
    expect((await ask({ method: 'ping' }, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });

  test('that may only read sees the tools that only read, each marked as such', async () => {
    const { token } = await createPersonalToken(deployment, person, 'links:read');
    const reader = await connectAssistant(deployment, token);
    const { tools } = await reader.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(READING);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(reader.client.getInstructions()).toContain(`${deployment.url}/mcp/write`);
    const { tools: all } = await assistant.client.listTools();
    const writing = all.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name)).toEqual(WRITING);
  });
});

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
    await assistant.call('tag_links', { link_ids: [id], add: ['#lido', 'novo'] });
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
    ];
    for (const [name, args, words] of wrong) {
      const reply = await assistant.call(name, args as Record<string, unknown>);
      expect(reply, name).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    }
    expect((await assistant.call('get_link', { id })).body.link).toMatchObject({ title: 'Fica' });
  });
});
