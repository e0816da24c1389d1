import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningServer } from './run-server.ts';
import { readServiceRoleKey } from './subscribe.ts';

/** Somebody's program, on a port of this machine that it found free. */
export type Program = {
  /** Where it sends people. */
  authorizeUrl(scope: string): string;
  /** What it was sent back with, last. */
  answer(): URLSearchParams | undefined;
  /** Exchanges the code for an access token. */
  exchange(): Promise<string>;
  stop(): void;
};

/** An operator registers a program, which then listens for answers. */
export async function startProgram(server: RunningServer, name: string): Promise<Program> {
  const verifier = randomBytes(32).toString('base64url');
  let answer: URLSearchParams | undefined;
  const listener = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/volta') answer = url.searchParams;
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        '<!doctype html><title>Programa</title><link rel="icon" href="data:,"><h1>De volta ao programa</h1>',
      );
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/volta`;
  const key = await readServiceRoleKey(server);
  const registered = await fetch(`${server.url}/auth/v1/admin/oauth/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: ['http://127.0.0.1/volta'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id: id } = (await registered.json()) as { client_id: string };
  return {
    authorizeUrl: (scope) =>
      `${server.url}/auth/v1/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: id,
        redirect_uri: callback,
        scope,
        state: 'estado',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })}`,
    answer: () => answer,
    exchange: async () => {
      const reply = await fetch(`${server.url}/auth/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: id,
          code: answer?.get('code') ?? '',
          code_verifier: verifier,
          redirect_uri: callback,
        }),
      });
      return ((await reply.json()) as { access_token: string }).access_token;
    },
    stop: () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}
