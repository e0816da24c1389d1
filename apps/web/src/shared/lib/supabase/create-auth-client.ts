import { GoTrueClient } from '@supabase/auth-js';
import type { AppConfig } from '../load-app-config.ts';
import { authStorageKey } from './auth-storage-key.ts';

/** The official auth client, set up as supabase-js sets it up, with the PKCE flow. */
export function createAuthClient(config: AppConfig, request: typeof fetch): GoTrueClient {
  return new GoTrueClient({
    url: `${config.supabaseUrl}/auth/v1`,
    headers: { apikey: config.supabaseAnonKey, Authorization: `Bearer ${config.supabaseAnonKey}` },
    storageKey: authStorageKey(config.supabaseUrl),
    flowType: 'pkce',
    fetch: request,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  });
}
