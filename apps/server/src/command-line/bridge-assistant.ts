import type { Readable, Writable } from 'node:stream';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Credentials } from './credentials.ts';

export type BridgeStreams = {
  /** Lines of JSON-RPC from an assistant's program; its end is the end. */
  readonly input: Readable;
  readonly output: Writable;
  /** For people: the protocol has `output` to itself. */
  readonly report: (line: string) => void;
};

/** JSON-RPC leaves these to servers; the SDK's own clients call it a closed connection. */
const UNREACHABLE = -32000;

/**
 * Speaks the Model Context Protocol over standard input and output, for programs that start their servers themselves: each message goes to
 * `/mcp` of an installation with the person's token, each answer comes back. Nothing is read or kept on the way but the version that
 * both have agreed on.
 * @returns when the input has ended and everything was answered.
 */
export async function bridgeAssistant(
  { url, token }: Credentials,
  { input, output, report }: BridgeStreams,
): Promise<void> {
  const local = new StdioServerTransport(input, output);
  const remote = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    // A token goes to the address that was named, and to no other.
    requestInit: { headers: { authorization: `Bearer ${token}` }, redirect: 'error' },
  });
  const underWay = new Set<Promise<void>>();

  async function forward(message: JSONRPCMessage): Promise<void> {
    try {
      await remote.send(message);
    } catch (error) {
      const reason = describeFailure(error, url);
      report(reason);
      if ('id' in message && 'method' in message)
        await local.send({ jsonrpc: '2.0', id: message.id, error: { code: UNREACHABLE, message: reason } });
    }
  }

  remote.onmessage = (message) => {
    if ('result' in message && typeof message.result['protocolVersion'] === 'string')
      remote.setProtocolVersion(message.result['protocolVersion']);
    void local.send(message);
  };
  local.onmessage = (message) => {
    const sending: Promise<void> = forward(message).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  local.onerror = () => report('Uma mensagem do programa não pôde ser lida.');
  const ended = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve));
  await remote.start();
  await local.start();
  await ended;
  await Promise.all(underWay);
  await Promise.all([remote.close(), local.close()]);
}

/** In words for the person; nothing of the token. */
function describeFailure(error: unknown, url: string): string {
  if (!(error instanceof StreamableHTTPError)) return `${url} não responde.`;
  if (error.code === 401) return 'O token não vale mais: entre de novo.';
  if (error.code === 403) return 'O token não permite isso.';
  if (error.code === 429) return 'Muitas mensagens em pouco tempo. Espere um minuto.';
  return `${url} respondeu ${error.code}.`;
}
