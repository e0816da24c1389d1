import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Person } from './create-person.ts';
import { required } from './required.ts';
import type { Deployment } from './start-deployment.ts';

/** What a tool answered. */
export type ToolReply = { readonly isError: boolean; readonly text: string; readonly body: Body };

/** The parts of an answer that tests read. */
type Body = {
  readonly notice?: string;
  readonly next_cursor?: string | null;
  readonly links?: readonly Link[];
  readonly link?: Link & { readonly description: string | null };
  readonly outcomes?: readonly { readonly outcome: string; readonly id?: string; readonly reason?: string }[];
  readonly [name: string]: unknown;
};
type Link = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly tags?: readonly string[];
};

export type Assistant = {
  readonly client: Client;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
};

/** A token that a person makes for a program of theirs. */
export async function createPersonalToken(
  deployment: Deployment,
  { client }: Person,
  scope: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const { data } = await client.auth.getSession();
  const reply = await fetch(`${deployment.url}/auth/v1/user/tokens`, {
    method: 'POST',
    headers: {
      apikey: deployment.anonKey,
      authorization: `Bearer ${required(data.session).access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Assistente', scope, days: 30 }),
  });
  if (reply.status !== 201) throw new Error(await reply.text());
  return (await reply.json()) as { id: string; token: string };
}

/** An assistant's program, connected by the SDK's own client. */
export async function connectAssistant(deployment: Deployment, token: string): Promise<Assistant> {
  const transport = new StreamableHTTPClientTransport(new URL(`${deployment.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  return openAssistant(transport);
}

/** Speaks over a transport that is ready to be used. */
export async function openAssistant(transport: StreamableHTTPClientTransport): Promise<Assistant> {
  const client = new Client({ name: 'assistente', version: '1.0.0' });
  await client.connect(transport as Transport);
  return {
    client,
    async call(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [first] = content as readonly { readonly type: string; readonly text: string }[];
      const text = first?.text ?? '';
      return { isError: isError === true, text, body: isError === true ? {} : (JSON.parse(text) as Body) };
    },
  };
}
