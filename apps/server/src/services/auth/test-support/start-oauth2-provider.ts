import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type OAuth2Provider = {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  /** What its own service answers, by path; `?…` is not looked at. A function answers by itself. */
  readonly answers: Map<string, unknown>;
  /** Paths that its service was asked for by whoever has a token, with their query. */
  readonly asked: string[];
  /** Agrees as a person would, on the page that an address leads to. @returns the address that the browser is sent back to */
  agree(address: string): URL;
  stop(): Promise<void>;
};

export const OAUTH2_CLIENT = { clientId: 'linkoteca', clientSecret: 'um segredo de testes' };

/** A provider of plain OAuth 2.0 on this machine (RFC 6749, RFC 7636). */
export async function startOAuth2Provider(tokenPath: string, apiPath: string): Promise<OAuth2Provider> {
  const codes = new Map<string, URLSearchParams>();
  const tokens = new Set<string>();
  const answers = new Map<string, unknown>();
  const asked: string[] = [];
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === tokenPath) return exchange(new URLSearchParams(await text(request)), response);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!path.startsWith(apiPath) || !tokens.has(token)) return void response.writeHead(401).end();
    const own = path.slice(apiPath.length);
    asked.push(own);
    const answer = answers.get(own.split('?')[0] ?? '');
    if (typeof answer === 'function') return void answer(response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer ?? null));
  }

  function exchange(body: URLSearchParams, response: ServerResponse): void {
    const flow = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const challenge = flow?.get('code_challenge') ?? null;
    const hashed = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      flow !== undefined &&
      body.get('client_id') === OAUTH2_CLIENT.clientId &&
      body.get('client_secret') === OAUTH2_CLIENT.clientSecret &&
      body.get('redirect_uri') === flow.get('redirect_uri') &&
      (challenge === null || challenge === hashed);
    response.setHeader('content-type', 'application/json');
    // As GitHub does, with 200.
    if (!isRight) return void response.end(JSON.stringify({ error: 'bad_verification_code' }));
    const token = randomUUID();
    tokens.add(token);
    response.end(JSON.stringify({ access_token: token, token_type: 'bearer' }));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked,
    agree: (address) => {
      const { searchParams } = new URL(address);
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return back;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
