import type { Database } from '@linkoteca/database-types/database';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Installation } from './session-store.ts';

export type DatabaseClient = PostgrestClient<Database, { PostgrestVersion: '14' }, 'public'>;

/** Gives a token to ask with; `isStale` where the last one was refused. Null: there is none any more. */
export type TokenSource = (isStale: boolean) => Promise<string | null>;

/** What the services say of a token that they do not take; the functions of the database say 42501, to a token whose session is over. */
const REFUSED_STATUS = 401;
const REFUSED_CODE = '42501';

/**
 * The official table client of an installation. A token that is refused is renewed once, and the call repeated once; the client itself
 * repeats nothing.
 */
export function createDatabase(
  { servicesUrl, anonKey }: Installation,
  giveToken: TokenSource,
  request: typeof fetch = (input, init) => fetch(input, init),
): DatabaseClient {
  const ask = (input: RequestInfo | URL, init: RequestInit | undefined, token: string | null) => {
    const headers = new Headers(init?.headers);
    headers.set('apikey', anonKey);
    headers.set('authorization', `Bearer ${token ?? anonKey}`);
    return request(input, { ...init, headers, credentials: 'omit', cache: 'no-store' });
  };
  return new PostgrestClient(`${servicesUrl}/rest/v1`, {
    retry: false,
    fetch: async (input, init) => {
      const token = await giveToken(false);
      const response = await ask(input, init, token);
      if (!(await isRefused(response))) return response;
      const renewed = await giveToken(true);
      return renewed === null || renewed === token ? response : ask(input, init, renewed);
    },
  });
}

async function isRefused(response: Response): Promise<boolean> {
  if (response.ok) return false;
  if (response.status === REFUSED_STATUS) return true;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return body?.code === REFUSED_CODE;
}
