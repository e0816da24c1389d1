import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type Access, scopesOf } from './admit-request.ts';
import { createToolServer, findToolScope } from './create-tool-server.ts';
import { type Scope, writeScope } from './protected-resource.ts';
import { RequestRefusal } from './request-refusal.ts';
import type { ToolContext } from './tool.ts';

/** What arrived: one message, or several that came together as earlier versions of the protocol allow. */
export type Arrived = {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
};

/** What the protocol reads of a request: neither the token nor anything else goes further. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Answers messages of the protocol, each by a server that lives as long as the answer.
 * @returns as HTTP sends it; JSON, or nothing for what wants no answer
 * @throws RequestRefusal insufficient_scope for a call that the token may not make
 */
export async function answerMessages(
  { body, headers }: Arrived,
  context: ToolContext,
  access: Access,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  requireScope(Array.isArray(body) ? body : [body], access);
  const read = READ_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const request = new Request(`${context.siteUrl}/mcp`, { method: 'POST', headers: read });
  const server = createToolServer(context, access);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // The SDK's own class does not fit its own type where optional fields are exact.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  try {
    const answered = await transport.handleRequest(request, { parsedBody: dropCancellations(body) });
    return { status: answered.status, headers: answered.headers, text: await answered.text() };
  } finally {
    await server.close();
  }
}

/** There is no earlier request that one could be about; one beside its own request would leave it without an answer, and HTTP waiting. */
function dropCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.filter((message) => message?.method !== 'notifications/cancelled');
}

/**
 * A program that calls what its token may not do is told what to ask the person for: what it has, and what is missing of it (RFC 6750,
 * section 3.1).
 */
function requireScope(messages: readonly unknown[], access: Access): void {
  const held = scopesOf(access);
  const calls = messages as readonly ({ method?: unknown; params?: { name?: unknown } | null } | null)[];
  const missing = calls
    .filter((call) => call?.method === 'tools/call')
    .map((call) => findToolScope(call?.params?.name))
    .filter((scope): scope is Scope => scope !== undefined && !held.has(scope));
  if (missing.length === 0) return;
  const scope = writeScope(new Set([...held, ...missing]));
  throw new RequestRefusal('insufficient_scope', { challenge: { error: 'insufficient_scope', scope } });
}
