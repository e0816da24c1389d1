import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { authenticateProgram } from '../authenticate.ts';
import type { UserRow } from '../stores/users.ts';
import { covers } from './scopes.ts';

/** What a program may know of a person, by what it was allowed (OpenID Connect Core 1.0, section 5.4). */
export function describePerson(user: UserRow, scope: string): Readonly<Record<string, unknown>> {
  const data = user.raw_user_meta_data ?? {};
  return {
    sub: user.id,
    ...(covers(scope, 'email')
      ? { email: user.email ?? '', email_verified: user.email_confirmed_at !== null }
      : {}),
    ...(covers(scope, 'profile')
      ? {
          ...pickText('name', data['full_name'] ?? data['name']),
          ...pickText('picture', data['avatar_url'] ?? data['picture']),
          updated_at: Math.floor((user.updated_at ?? user.created_at ?? new Date(0)).getTime() / 1000),
        }
      : {}),
  };
}

function pickText(claim: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' && value !== '' ? { [claim]: value } : {};
}

/**
 * GET and POST /oauth/userinfo (OpenID Connect Core 1.0, section 5.3).
 * @throws invalid_token, insufficient_scope
 */
export const showUserInfo: Operation = async (context, request) => {
  const { user, program } = await authenticateProgram(context, request).catch((error: unknown) => {
    if (!(error instanceof AuthError) || error.status >= 500) throw error;
    throw new OAuthError('invalid_token', 'The access token is invalid or has ended');
  });
  const tells = ['openid', 'email', 'profile'].some((scope) => covers(program.scope, scope));
  if (!tells) throw new OAuthError('insufficient_scope', 'The access token is not for this');
  return { body: describePerson(user, program.scope) };
};
