import type { Database } from '@linkoteca/database-types/database';
import type { GoTrueClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { AppConfig } from '../load-app-config.ts';
import { createAuthorizedFetch } from './create-authorized-fetch.ts';

export type DatabaseClient = PostgrestClient<Database, { PostgrestVersion: '14' }, 'public'>;

/**
 * The official table client. Its own retries are off: the query cache repeats reads once, writes never.
 * @param userId whose it is, where it is one person's.
 */
export function createDatabaseClient(
  config: AppConfig,
  auth: GoTrueClient,
  request: typeof fetch = (input, init) => fetch(input, init),
  userId?: string,
): DatabaseClient {
  return new PostgrestClient(`${config.supabaseUrl}/rest/v1`, {
    fetch: createAuthorizedFetch({
      auth,
      anonKey: config.supabaseAnonKey,
      request,
      userId,
    }),
    retry: false,
  });
}
