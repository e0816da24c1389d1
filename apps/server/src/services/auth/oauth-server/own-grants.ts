import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticateAtSecondLevel } from '../factors/assurance.ts';
import { recordAct } from '../stores/audit-log.ts';
import { endGrant, listGrants } from './grant-store.ts';
import { describeClient } from './present-client.ts';

/** GET /user/oauth/grants: what a person lets programs do. */
export const listOwnGrants: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const grants = await asAuthAdmin(context.db, 'list grants', (tx) => listGrants(tx, user.id));
  return {
    body: grants.map(({ clientId, clientName, clientUri, logoUri, scopes, grantedAt, lastUsedAt }) => ({
      client: describeClient({ id: clientId, name: clientName, uri: clientUri, logoUri }),
      scopes,
      granted_at: grantedAt.toISOString(),
      // The platform does not say so.
      ...(lastUsedAt ? { last_used_at: lastUsedAt.toISOString() } : {}),
    })),
  };
};

/** DELETE /user/oauth/grants?client_id: the program's tokens end in this moment. @throws validation_failed, oauth_consent_not_found */
export const endOwnGrant: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const { client_id: clientId } = request.query;
  if (!isUuid(clientId)) throw new AuthError('validation_failed', { message: 'invalid client_id format' });
  const hasEnded = await asAuthAdmin(context.db, 'end a grant', async (tx) => {
    if (!(await endGrant(tx, { userId: user.id, clientId }, context.now()))) return false;
    // As GoTrue tells of it.
    const traits = { oauth_client_id: clientId, action: 'revoke_oauth_grant' };
    await recordAct(tx, request, { action: 'token_revoked', actor: user.id, traits }, context.now());
    return true;
  });
  if (!hasEnded) throw new AuthError('oauth_consent_not_found');
  return { status: 204 };
};
