import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HookMessage = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
type Answer = (response: ServerResponse, message: HookMessage) => void;

export const HOOK_KEY = Buffer.from('uma chave de trinta e dois bytes');

export type HookReceiver = {
  /** Those that came since the last `forget`. */
  readonly messages: HookMessage[];
  /** The settings of a hook that is there. */
  at(path: string): { readonly kind: 'http'; readonly url: string; readonly secrets: readonly Buffer[] };
  answer(next: Answer): void;
  forget(): void;
  stop(): void;
};

/** A server of somebody's that hooks tell their messages to. It answers `{}` until it is told otherwise. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const messages: HookMessage[] = [];
  let answer: Answer = answerJson({});
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message = { path: request.url ?? '', headers: request.headers, body };
    messages.push(message);
    answer(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    messages,
    at: (path) => ({ kind: 'http', url: `http://127.0.0.1:${port}${path}`, secrets: [HOOK_KEY] }),
    answer: (next) => {
      answer = next;
    },
    forget: () => {
      messages.length = 0;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function answerJson(body: unknown, status = 200): Answer {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body));
}
