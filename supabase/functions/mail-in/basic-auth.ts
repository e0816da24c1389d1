import { digest } from '../_shared/digest.ts';

/** Whether a request has this password, whatever the user name (RFC 7617): hooks carry it in their address. */
export async function hasPassword(headers: Headers, password: string): Promise<boolean> {
  const encoded = /^basic +([a-z0-9+/=]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  const presented = readPassword(encoded);
  // Digests, so that the time it takes says nothing of how much of a password is right.
  const [own, theirs] = await Promise.all([digest(password), digest(presented ?? '')]);
  return presented !== undefined && own === theirs;
}

function readPassword(encoded: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return /^[^:]*:([\s\S]+)$/.exec(new TextDecoder().decode(bytes))?.[1];
  } catch {
    return undefined;
  }
}
