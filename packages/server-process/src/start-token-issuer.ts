import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TokenIssuer = {
  readonly issuer: string;
  /** How often its keys were asked for. */
  readonly keysAsked: () => number;
  /** Signs claims with its newest key: `iss`, and an end in an hour, unless the claims say otherwise. */
  signToken(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  /** Signs with a new key from now on, and takes the former ones back. */
  rotate(): void;
  /** Answers this instead of its keys; undefined: its keys again. */
  answerKeys(answer: ((response: ServerResponse) => void) | undefined): void;
  /** What its discovery document says besides. */
  describe(document: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
};

type IssuerKey = { readonly kid: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/** An issuer on this machine, as a third party would be: a discovery document, and keys (RS256). */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  let key = makeKey();
  let asked = 0;
  let instead: ((response: ServerResponse) => void) | undefined;
  let described: Readonly<Record<string, unknown>> = {};
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration')
      return answer(response, { issuer, jwks_uri: `${issuer}/keys`, ...described });
    if (request.url !== '/keys') return response.writeHead(404).end();
    asked += 1;
    if (instead) return instead(response);
    const jwk = key.publicKey.export({ format: 'jwk' });
    return answer(response, { keys: [{ ...jwk, kid: key.kid, alg: 'RS256', use: 'sig' }] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    keysAsked: () => asked,
    signToken: (claims, header = {}) => {
      const issuedAt = Math.floor(Date.now() / 1000);
      const whole = { iss: issuer, iat: issuedAt, exp: issuedAt + 3_600, ...claims };
      const input = `${encode({ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header })}.${encode(whole)}`;
      return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
    },
    rotate: () => {
      key = makeKey();
    },
    answerKeys: (next) => {
      instead = next;
    },
    describe: (document) => {
      described = document;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function makeKey(): IssuerKey {
  return { kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

function answer(response: ServerResponse, document: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(document));
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
