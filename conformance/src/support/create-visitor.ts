import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Deployment } from './start-deployment.ts';

export type Client = SupabaseClient;

/** The published client as a browser that nobody has signed in with would hold it; sessions live in memory only. */
export function createVisitor(
  { url, anonKey }: Pick<Deployment, 'url' | 'anonKey'>,
  fetch?: typeof globalThis.fetch,
): Client {
  return createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(fetch ? { global: { fetch } } : {}),
  });
}

/** The published client with the key that steps over row-level security: the payment webhook's view. */
export function createOperator({ url, serviceRoleKey }: Deployment): Client {
  return createClient(url, serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } });
}
