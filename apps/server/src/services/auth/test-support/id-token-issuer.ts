import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export type IdTokenIssuer = {
  readonly issuer: string;
  /** Signs what a token says. @param key another one than its own */
  sign(payload: JWTPayload, key?: CryptoKey): Promise<string>;
  stop(): void;
};

/** An OpenID provider on this machine that has its keys to show, and no pages (OpenID Connect Discovery 1.0). */
export async function startIdTokenIssuer(): Promise<IdTokenIssuer> {
  const keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const described = {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
    };
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : described));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    sign: (payload, key = keys.privateKey) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
