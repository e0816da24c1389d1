import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Assistant, connectAssistant, createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createOperator } from './support/create-visitor.ts';
import { ASSISTANT_CALLBACK, letAssistantIn } from './support/let-assistant-in.ts';
import { required } from './support/required.ts';
import { startDeployment } from './support/start-deployment.ts';

const deployment = inject('deployment');
const READING = ['search_links', 'list_folders', 'list_links', 'get_link', 'suggest_places'];
const WRITING = ['save_links', 'edit_link', 'move_links', 'tag_links', 'delete_links'];
const SHARING = ['share_category'];

let person: Person;
let assistant: Assistant;
beforeAll(async () => {
  person = await createPerson(deployment);
  await createShelf(person);
  const { token } = await createPersonalToken(deployment, person, 'links:write');
  assistant = await connectAssistant(deployment, token);
});

describe('an assistant connects', () => {
  test.each([
    ['/mcp', 'links:read', READING],
    ['/mcp/write', 'links:read links:write', [...READING, ...WRITING]],
    ['/mcp/share', 'links:read links:write share', [...READING, ...WRITING, ...SHARING]],
  ])('by the address %s and its own id, and asks for %s', async (path, scope, tools) => {
    const created = await createOperator(deployment).auth.admin.oauth.createClient({
      client_name: 'Assistente',
      redirect_uris: [ASSISTANT_CALLBACK],
      token_endpoint_auth_method: 'none',
    });
    const clientId = required(created.data, created.error).client_id;
    const address = new URL(`${deployment.url}${path}`);
    const { assistant: connected, page } = await letAssistantIn(address, person, clientId);
    expect(page.searchParams.get('scope')).toBe(scope);
    expect(page.searchParams.get('resource')).toBe(address.href);
    const { client, call } = connected;
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
    expect((await call('list_folders')).body['folders']).toMatchObject([{ name: 'Trabalho' }]);
  });

  test('by the address alone, where programs may register themselves', async () => {
    const { deployment: open, remove } = await startDeployment({
      SUPABASE_AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    });
    try {
      const ana = await createPerson(open);
      await createShelf(ana);
      const { assistant: connected } = await letAssistantIn(new URL(`${open.url}/mcp`), ana);
      expect((await connected.call('list_folders')).body['folders']).toMatchObject([{ name: 'Trabalho' }]);
      const grants = await ana.client.auth.oauth.listGrants();
      expect(required(grants.data, grants.error)).toMatchObject([{ client: { name: 'Assistente' } }]);
    } finally {
      await remove();
    }
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
    for (const path of ['/mcp/write', '/mcp/share'])
      expect(reader.client.getInstructions()).toContain(`${deployment.url}${path}`);
    const { tools: all } = await assistant.client.listTools();
    const writing = all.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name)).toEqual(WRITING);
    expect(all.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true);
  });
});
