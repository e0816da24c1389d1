import { isUuid } from '@linkoteca/domain/uuid';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import type { FactorRow } from '../stores/factors.ts';
import type { FoundSession } from '../stores/sessions.ts';
import type { UserRow } from '../stores/users.ts';

/** A person in a session, who has proven an address. */
export type FactorOwner = { readonly user: UserRow; readonly session: FoundSession };

/**
 * Whose request about second factors this is.
 * @throws as `authenticate`; no_authorization (403) for an account without an address; session_not_found for a token without a session
 */
export async function authenticateOwner(context: AuthContext, request: AuthRequest): Promise<FactorOwner> {
  const { user, session } = await authenticate(context, request);
  if (user.is_anonymous)
    throw new AuthError('no_authorization', {
      status: 403,
      message: 'Anonymous user not allowed to perform these actions',
    });
  if (!session) throw new AuthError('session_not_found');
  return { user, session };
}

/**
 * The factor that a path names, of an account. Somebody else's is not found, as one that there never was.
 * @throws validation_failed (404, no uuid), mfa_factor_not_found
 */
export function findFactorOf({ factors }: Pick<UserRow, 'factors'>, { params }: AuthRequest): FactorRow {
  const { factor_id: id } = params;
  if (!isUuid(id))
    throw new AuthError('validation_failed', { status: 404, message: 'factor_id must be an UUID' });
  const factor = factors.find((one) => one.id === id.toLowerCase());
  if (!factor) throw new AuthError('mfa_factor_not_found');
  return factor;
}
