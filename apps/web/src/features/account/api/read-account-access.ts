import type { GoTrueClient } from '@supabase/auth-js';
import * as v from 'valibot';
import type { AppConfig } from '../../../shared/lib/load-app-config.ts';
import type { CopiedAccess } from '../model/account-copy-file.ts';

interface AccessSource {
  readonly auth: Pick<GoTrueClient, 'oauth' | 'passkey'>;
  readonly config: Pick<AppConfig, 'supabaseUrl' | 'oauthServer' | 'personalTokens' | 'passkeys'>;
  /** With the person's token. */
  readonly send: typeof fetch;
}

/** What is copied of a token that the person made for a script: the service itself keeps no more than a hash of what it is. */
const tokensSchema = v.array(
  v.object({
    name: v.string(),
    scopes: v.array(v.string()),
    created_at: v.string(),
    expires_at: v.string(),
    last_used_at: v.nullable(v.string()),
  }),
);

/**
 * Who and what comes into the account besides the person's password: programs, tokens for scripts, passkeys. What a host does not have is an
 * empty list.
 * @throws AuthError, or what fetch throws
 */
export async function readAccountAccess(
  { auth, config, send }: AccessSource,
  signal: AbortSignal,
): Promise<CopiedAccess> {
  const [programs, tokens, passkeys] = await Promise.all([
    config.oauthServer === false ? [] : readPrograms(auth),
    config.personalTokens ? readTokens(config.supabaseUrl, send, signal) : [],
    config.passkeys ? readPasskeys(auth) : [],
  ]);
  return { programs, tokens, passkeys };
}

async function readPrograms(auth: AccessSource['auth']): Promise<CopiedAccess['programs']> {
  const { data, error } = await auth.oauth.listGrants();
  if (error) throw error;
  return data;
}

async function readTokens(
  supabaseUrl: string,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<CopiedAccess['tokens']> {
  const response = await send(`${supabaseUrl}/auth/v1/user/tokens`, { signal });
  if (!response.ok) throw new Error(`the personal tokens could not be read: ${response.status}`);
  return v.parse(tokensSchema, await response.json());
}

async function readPasskeys(auth: AccessSource['auth']): Promise<CopiedAccess['passkeys']> {
  const { data, error } = await auth.passkey.list();
  if (error) throw error;
  return data;
}
