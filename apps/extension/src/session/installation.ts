import { normalizeUrl } from '@linkoteca/domain/urls';
import type { Installation } from './session-store.ts';

/** The origin of an address as people type it: `links.exemplo.com.br/dashboard` is `https://links.exemplo.com.br`. Null where it is none. */
export function readOrigin(typed: string): string | null {
  const address = normalizeUrl(typed);
  if (address === null) return null;
  const { origin, hostname } = new URL(address);
  // Nobody has a certificate for their own machine; a scheme that was written stays.
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return isLocal && !/^https:/i.test(typed.trim()) ? origin.replace(/^https:/, 'http:') : origin;
}

/** What the browser is asked for before an origin can be reached. Its patterns know no ports. */
export function permissionOf(origin: string): { readonly origins: string[] } {
  const { protocol, hostname } = new URL(origin);
  return { origins: [`${protocol}//${hostname}/*`] };
}

/** The address is not one of a Linkoteca. */
export class NoInstallation extends Error {
  override readonly name = 'NoInstallation';
}

/**
 * Asks an origin whether a Linkoteca answers there.
 * @throws NoInstallation; TypeError without a network.
 */
export async function loadInstallation(
  origin: string,
  request: typeof fetch = (input, init) => fetch(input, init),
): Promise<Installation> {
  const response = await request(`${origin}/config.json`, { cache: 'no-store', credentials: 'omit' });
  const config = response.ok ? ((await response.json().catch(() => null)) as Config | null) : null;
  const { supabaseUrl, supabaseAnonKey, extensionClientId } = config ?? {};
  if (typeof supabaseUrl !== 'string' || typeof supabaseAnonKey !== 'string' || !URL.canParse(supabaseUrl))
    throw new NoInstallation(`${origin} has no settings of a Linkoteca`);
  // A token goes where the settings say: never from an encrypted address to one that anybody on the way can read.
  if (origin.startsWith('https:') && !supabaseUrl.startsWith('https:'))
    throw new NoInstallation(`${origin} names services without encryption`);
  return {
    origin,
    servicesUrl: supabaseUrl.replace(/\/+$/, ''),
    anonKey: supabaseAnonKey,
    clientId: typeof extensionClientId === 'string' ? extensionClientId : null,
  };
}

interface Config {
  readonly supabaseUrl?: unknown;
  readonly supabaseAnonKey?: unknown;
  readonly extensionClientId?: unknown;
}
