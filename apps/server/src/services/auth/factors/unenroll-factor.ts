import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOpenSession } from '../authenticate.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { recordAct } from '../stores/audit-log.ts';
import { deleteFactor, type FactorRow } from '../stores/factors.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { hasProvenDevice, isSecondLevel } from './assurance.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';

/** DELETE /factors/:factor_id: a person gives a factor up. One that counts only from a session that has proven one. */
export const unenrollFactor: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  findFactorOf(owner.user, request);
  const removed = await asAuthAdmin(context.db, 'remove a second factor', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    await requireOpenSession(tx, owner.session);
    // Read once more under the lock: it may have been proven, or removed, a moment ago.
    const factor = findFactorOf(user ?? { factors: [] }, request);
    if (factor.factor_type === 'recovery_code')
      throw new AuthError('validation_failed', {
        status: 422,
        message: 'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes',
      });
    if (factor.status === 'verified' && !isSecondLevel(owner))
      throw new AuthError('insufficient_aal', {
        status: 422,
        message: 'AAL2 required to unenroll verified factor',
      });
    if (factor.status === 'verified') requireOther(user ?? { factors: [] }, factor);
    await deleteFactor(tx, factor.id, context.now());
    const traits = { factor_id: factor.id, factor_type: factor.factor_type, status: factor.status };
    const act = { action: 'factor_unenrolled', actor: owner.user.id, traits } as const;
    await recordAct(tx, request, act, context.now());
    return factor;
  });
  if (removed.status === 'verified')
    notifyChange(context, {
      kind: 'mfa_factor_unenrolled',
      user: owner.user,
      factorType: removed.factor_type,
    });
  return { body: { id: removed.id } };
};

/** Recovery codes are never all that is left. @throws mfa_recovery_codes_sole_factor */
function requireOther(user: Pick<UserRow, 'factors'>, { id }: FactorRow): void {
  const hasCodes = user.factors.some((factor) => factor.factor_type === 'recovery_code');
  if (hasCodes && !hasProvenDevice(user, id))
    throw new AuthError('mfa_recovery_codes_sole_factor', {
      message:
        'Recovery codes cannot be the only verified factor. Please enroll another factor before unenrolling this one or delete your recovery codes.',
    });
}
