import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Signs claims with the installation's own secret, as other software that shares it may (HS256, RFC 7519). */
export async function signToken(dataFolder: string, claims: Record<string, unknown>): Promise<string> {
  const { jwtSecret } = JSON.parse(await readFile(join(dataFolder, 'secrets.json'), 'utf8')) as {
    jwtSecret: string;
  };
  return signWith(jwtSecret, claims);
}

/** The same where the secret is known: `JWT_SECRET`. */
export function signWith(jwtSecret: string, claims: Record<string, unknown>): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

/** The claims that the server's own access tokens carry, for a person and a number of seconds. */
export function claimsOf(personId: string, seconds = 3_600): Record<string, unknown> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return {
    sub: personId,
    role: 'authenticated',
    aud: 'authenticated',
    iat: issuedAt,
    exp: issuedAt + seconds,
  };
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
