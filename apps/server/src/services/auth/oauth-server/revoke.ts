import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { OAuthError } from '../auth-error.ts';
import { findRefreshToken } from '../stores/refresh-tokens.ts';
import { closeSessions, findSession } from '../stores/sessions.ts';
import { authenticateClient, readForm } from './client-authentication.ts';

/**
 * POST /oauth/revoke: a program gives its tokens back (RFC 7009). Either token ends both. What is unknown, or another program's, is
 * answered alike (section 2.2): nobody finds out here which tokens there are.
 * @throws invalid_request, invalid_client
 */
export const revokeToken: Operation = async (context, request) => {
  const form = readForm(request.body);
  const { token = '' } = form;
  const client = await authenticateClient(context, request, form);
  if (token === '') throw new OAuthError('invalid_request', 'token is required');
  await asAuthAdmin(context.db, 'take back tokens of a program', async (tx) => {
    const id = (await findRefreshToken(tx, { token }))?.session_id ?? readSessionId(context, token);
    if (id !== undefined) await end(tx, id, client.id);
  });
  return { body: {} };
};

function readSessionId({ keyring, now }: AuthContext, token: string): string | undefined {
  const verified = keyring.verify(token, now());
  const id = verified.ok ? verified.claims['session_id'] : undefined;
  return isUuid(id) ? id : undefined;
}

async function end(tx: Transaction, sessionId: string, clientId: string): Promise<void> {
  const session = await findSession(tx, sessionId);
  if (session?.program?.clientId === clientId)
    await closeSessions(tx, 'local', { userId: session.userId, sessionId });
}
