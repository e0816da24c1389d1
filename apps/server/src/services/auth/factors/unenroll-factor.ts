import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { deleteFactor } from '../stores/factors.ts';
import { findUser } from '../stores/users.ts';
import { isSecondLevel } from './assurance.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';

/** DELETE /factors/:factor_id: a person gives a factor up. One that counts only from a session that has proven one. */
export const unenrollFactor: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  findFactorOf(owner.user, request);
  const id = await asAuthAdmin(context.db, 'remove a second factor', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    // Read once more under the lock: it may have been proven, or removed, a moment ago.
    const factor = findFactorOf(user ?? { factors: [] }, request);
    if (factor.status === 'verified' && !isSecondLevel(owner))
      throw new AuthError('insufficient_aal', {
        status: 422,
        message: 'AAL2 required to unenroll verified factor',
      });
    await deleteFactor(tx, factor.id, context.now());
    return factor.id;
  });
  return { body: { id } };
};
