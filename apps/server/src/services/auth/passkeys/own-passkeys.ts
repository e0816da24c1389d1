import { isUuid } from '@linkoteca/domain/uuid';
import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { requireSecondLevel } from '../factors/assurance.ts';
import { authenticateOwner, type FactorOwner } from '../factors/find-own-factor.ts';
import { recordAct } from '../stores/audit-log.ts';
import { deletePasskey, listPasskeys, renamePasskey } from '../stores/passkeys.ts';
import { presentPasskey } from './present-passkey.ts';

const MAX_NAME_LENGTH = 120;

/**
 * Whose passkeys these are. Whoever has only the password of an account with a second factor does nothing with them.
 * @throws as `authenticateOwner`; insufficient_aal
 */
export async function authenticatePasskeyOwner(
  context: AuthContext,
  request: AuthRequest,
): Promise<FactorOwner> {
  const owner = await authenticateOwner(context, request);
  requireSecondLevel(owner, {
    message: 'AAL2 session is required to manage passkeys when MFA is enabled',
  });
  return owner;
}

/** GET /passkeys */
export const listOwnPasskeys: Operation = async (context, request) => {
  const { user } = await authenticatePasskeyOwner(context, request);
  const passkeys = await asAuthAdmin(context.db, 'list passkeys', (tx) => listPasskeys(tx, user.id));
  return { body: passkeys.map(presentPasskey) };
};

const BODY = v.object({ friendly_name: text });

/** PATCH /passkeys/:passkey_id: another name. @throws validation_failed (404), also for somebody else's */
export const renameOwnPasskey: Operation = async (context, request) => {
  const { user } = await authenticatePasskeyOwner(context, request);
  const { friendly_name: friendlyName } = readBody(BODY, request.body);
  if (friendlyName === '') throw new AuthError('validation_failed', { message: 'friendly_name is required' });
  if ([...friendlyName].length > MAX_NAME_LENGTH)
    throw new AuthError('validation_failed', {
      message: `friendly_name must be ${MAX_NAME_LENGTH} characters or less`,
    });
  const passkeyId = readPasskeyId(request);
  const renamed = await asAuthAdmin(context.db, 'rename a passkey', (tx) =>
    renamePasskey(tx, { passkeyId, userId: user.id, friendlyName }, context.now()),
  );
  if (!renamed) throw passkeyNotFound();
  return { body: presentPasskey(renamed) };
};

/** DELETE /passkeys/:passkey_id: it signs nobody in any more; sessions that it has opened stay. @throws as `renameOwnPasskey` */
export const deleteOwnPasskey: Operation = async (context, request) => {
  const { user } = await authenticatePasskeyOwner(context, request);
  const passkeyId = readPasskeyId(request);
  const isGone = await asAuthAdmin(context.db, 'remove a passkey', async (tx) => {
    if (!(await deletePasskey(tx, { passkeyId, userId: user.id }))) return false;
    const act = { action: 'passkey_deleted', actor: user.id, traits: { passkey_id: passkeyId } } as const;
    await recordAct(tx, request, act, context.now());
    return true;
  });
  if (!isGone) throw passkeyNotFound();
  return { status: 204 };
};

/** @throws validation_failed (404) */
export function readPasskeyId({ params }: AuthRequest): string {
  const { passkey_id: id } = params;
  if (!isUuid(id)) throw passkeyNotFound();
  return id;
}

export function passkeyNotFound(): AuthError {
  return new AuthError('validation_failed', { status: 404, message: 'Passkey not found' });
}
