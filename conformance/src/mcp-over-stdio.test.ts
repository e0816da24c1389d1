import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';

const deployment = inject('deployment');

let person: Person;
beforeAll(async () => {
  person = await createPerson(deployment, { plan: 'plus' });
  await createShelf(person);
});

/** An assistant's program that starts its server itself, by the SDK's own client. */
async function connect(token: string, url = deployment.url) {
  const transport = new StdioClientTransport({
    command: 'npm',
    args: ['run', '-s', 'links', '--', 'mcp'],
    cwd: PROJECT_FOLDER,
    env: {
      PATH: String(process.env['PATH']),
      HOME: join('/', 'nonexistent'),
      LINKOTECA_URL: url,
      LINKOTECA_TOKEN: token,
    },
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const client = new Client({ name: 'assistente', version: '1.0.0' });
  onTestFinished(() => client.close());
  return { client, said, ready: client.connect(transport) };
}

describe('an assistant over standard input', () => {
  test('has the tools that the token allows, and uses them', async () => {
    const { token } = await createPersonalToken(deployment, person, 'links:write');
    const { client, ready, said } = await connect(token);
    await ready;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_links', 'save_links']));
    const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const { content } = await client.callTool({ name, arguments: args });
      return JSON.parse((content as readonly { readonly text: string }[])[0]?.text ?? '');
    };
    expect(
      await call('save_links', { links: [{ url: 'https://exemplo.test/', title: 'Bolo de fubá' }] }),
    ).toMatchObject({
      outcomes: [{ outcome: 'saved' }],
    });
    // Many at once come back each to its own question.
    const found = await Promise.all(['fubá', 'nada', 'bolo'].map((query) => call('search_links', { query })));
    expect(found.map(({ links }) => links.length)).toEqual([1, 0, 1]);
    expect(said).toEqual([]);
  });

  test('with a token that only reads cannot write', async () => {
    const { token } = await createPersonalToken(deployment, person, 'links:read');
    const { client, ready } = await connect(token);
    await ready;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('save_links');
    await expect(
      client.callTool({ name: 'save_links', arguments: { links: [{ url: 'https://a.test/' }] } }),
    ).rejects.toThrow('O token não permite isso.');
  });

  test.each([
    ['a token that has ended', `lk_pat_${'a'.repeat(43)}`, undefined, 'O token não vale mais'],
    ['an installation that is away', 'lk_pat_x', 'http://127.0.0.1:9', 'não responde'],
  ])('with %s is told so, and nothing of the token is said', async (_what, token, url, words) => {
    const { ready, said } = await connect(token, url);
    await expect(ready).rejects.toThrow(words);
    expect(said.join('')).toContain(words);
    expect(said.join('')).not.toContain(token);
  });
});
