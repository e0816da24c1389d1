import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { requireOperator } from '../authenticate.ts';
import { recordOperatorAct } from '../stores/audit-log.ts';
import { deletePasskey, listPasskeys } from '../stores/passkeys.ts';
import { loadUser } from '../user-state.ts';
import { passkeyNotFound, readPasskeyId } from './own-passkeys.ts';
import { presentPasskey } from './present-passkey.ts';

/** GET /admin/users/:user_id/passkeys */
export const adminListPasskeys: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id } = await loadUser(context, request);
  const passkeys = await asAuthAdmin(context.db, 'list passkeys', (tx) => listPasskeys(tx, id));
  return { body: passkeys.map(presentPasskey) };
};

/** DELETE /admin/users/:user_id/passkeys/:passkey_id: for whoever has lost a device. */
export const adminDeletePasskey: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id: userId } = await loadUser(context, request);
  const passkeyId = readPasskeyId(request);
  const isGone = await asAuthAdmin(context.db, 'remove a passkey', async (tx) => {
    if (!(await deletePasskey(tx, { passkeyId, userId }))) return false;
    const did = {
      action: 'passkey_deleted',
      user: { id: userId },
      traits: { passkey_id: passkeyId },
    } as const;
    await recordOperatorAct(tx, request, did, context.now());
    return true;
  });
  if (!isGone) throw passkeyNotFound();
  return { status: 204 };
};
