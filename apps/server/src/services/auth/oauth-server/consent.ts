import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { authenticateAtSecondLevel } from '../factors/assurance.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import {
  type Authorization,
  approveAuthorization,
  denyAuthorization,
  takeUpAuthorization,
} from './authorization-store.ts';
import { findClient } from './client-store.ts';
import { findGrantedScopes, keepGrant } from './grant-store.ts';
import { issuerOf } from './metadata.ts';
import { describeClient } from './present-client.ts';
import { addParameters, provesIdentity } from './redirect-uri.ts';
import { covers } from './scopes.ts';

/**
 * GET /oauth/authorizations/{id}: who asks a person for what. From then on the answer is this person's alone. Who has said yes to as much
 * before is sent back at once, where it is sure that the same program asks.
 * @throws oauth_authorization_not_found
 */
export const showAuthorization: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const now = context.now();
  const { authorization_id: id = '' } = request.params;
  return asAuthAdmin(context.db, 'show what a program asks for', async (tx) => {
    const asked = await takeUpAuthorization(tx, { id, userId: user.id, mayBind: true }, now);
    const client = asked && (await findClient(tx, asked.clientId));
    if (!asked || !client) throw new AuthError('oauth_authorization_not_found');
    const granted = await findGrantedScopes(tx, { userId: user.id, clientId: client.id });
    if (granted !== undefined && covers(granted, asked.scope) && provesIdentity(asked.redirectUri))
      return { body: { redirect_url: await approve(tx, context, asked) } };
    return { body: present(asked, describeClient(client), user) };
  });
};

function present(
  { id, redirectUri, scope }: Authorization,
  client: Readonly<Record<string, string>>,
  user: UserRow,
): Readonly<Record<string, unknown>> {
  return {
    authorization_id: id,
    redirect_uri: redirectUri.split('?')[0],
    client,
    user: { id: user.id, email: user.email ?? '' },
    scope,
  };
}

const BODY = v.object({ action: text });

/**
 * POST /oauth/authorizations/{id}/consent: the person's answer, and where it leads. It takes the token of whoever has looked at the
 * request: no other page can answer for a person, and no other person.
 * @throws validation_failed, oauth_authorization_not_found
 */
export const answerAuthorization: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const { action } = readBody(BODY, request.body);
  if (action !== 'approve' && action !== 'deny')
    throw new AuthError('validation_failed', { message: "action must be 'approve' or 'deny'" });
  const now = context.now();
  const { authorization_id: id = '' } = request.params;
  return asAuthAdmin(context.db, 'answer a program', async (tx) => {
    // The account first, as everybody else who changes it: the yes that is kept below holds it as well.
    await findUser(tx, { id: user.id }, { lock: true });
    const asked = await takeUpAuthorization(tx, { id, userId: user.id, mayBind: false }, now);
    if (!asked || !(await findClient(tx, asked.clientId)))
      throw new AuthError('oauth_authorization_not_found');
    if (action === 'approve') {
      await keepGrant(tx, { userId: user.id, clientId: asked.clientId, scope: asked.scope }, now);
      return { body: { redirect_url: await approve(tx, context, asked) } };
    }
    await denyAuthorization(tx, asked.id);
    const denial = { error: 'access_denied', error_description: 'User denied the request' };
    return { body: { redirect_url: lead(context, asked, denial) } };
  });
};

async function approve(tx: Transaction, context: AuthContext, asked: Authorization): Promise<string> {
  const now = context.now();
  const expiresAt = new Date(now.getTime() + context.settings.authCodeLifetime * 1000);
  return lead(context, asked, { code: await approveAuthorization(tx, { id: asked.id, expiresAt }, now) });
}

/** Back to the program, with its own state and this server's name (RFC 9207). */
function lead(
  { settings }: AuthContext,
  { redirectUri, state }: Authorization,
  answer: Readonly<Record<string, string>>,
): string {
  return addParameters(redirectUri, { ...answer, state, iss: issuerOf(settings) });
}
