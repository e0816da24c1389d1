import * as v from 'valibot';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { callHook } from './call-hook.ts';

type Claims = Readonly<Record<string, unknown>>;

const seconds = v.pipe(v.number(), v.integer());
/** What is left of a token whatever a hook does with it. (Source: GoTrue, `MinimumViableTokenSchema`.) */
const CLAIMS = v.looseObject({
  aud: v.union([v.string(), v.array(v.string())]),
  exp: seconds,
  iat: seconds,
  sub: v.string(),
  email: v.string(),
  phone: v.string(),
  role: v.string(),
  aal: v.string(),
  session_id: v.string(),
  is_anonymous: v.boolean(),
});
const ANSWER = v.object({ claims: CLAIMS });

/**
 * Lets the operator's hook decide what an access token says, where there is one.
 * @param method how the session was proven: the platform's word, or `token_refresh`
 * @returns the claims to sign
 * @throws as `callHook`; unexpected_failure for claims that are no token of this session
 */
export async function customizeClaims(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  claims: Claims & { readonly sub: string },
  method: string,
): Promise<Claims> {
  const hook = context.settings.hooks.custom_access_token;
  if (!hook) return claims;
  const input = { user_id: claims.sub, claims, authentication_method: method };
  const answer = v.safeParse(ANSWER, await callHook(context, 'custom_access_token', hook, { input }));
  if (!answer.success) {
    const places = answer.issues.map((issue) => v.getDotPath(issue) ?? 'answer');
    throw refuse(`output claims do not conform to the expected schema: ${places.join(', ')}`);
  }
  const { claims: changed } = answer.output;
  // A slip must not put one person into another's account, nor a token beyond the reach of its session.
  if (changed.sub !== claims.sub || changed.session_id !== claims['session_id'])
    throw refuse('output claims name another person or session');
  if (changed.role === 'service_role' || changed.role === 'supabase_admin')
    throw refuse('output claims have an operator’s role');
  return changed;
}

function refuse(message: string): AuthError {
  return new AuthError('unexpected_failure', { message });
}
