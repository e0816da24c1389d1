import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';
import { presentFactor } from '../present/present-factor.ts';
import { recordOperatorAct } from '../stores/audit-log.ts';
import { deleteFactor, renameFactor } from '../stores/factors.ts';
import { findUser } from '../stores/users.ts';
import { loadUser } from '../user-state.ts';
import { hasProvenDevice } from './assurance.ts';
import { readFriendlyName } from './enroll-factor.ts';
import { findFactorOf } from './find-own-factor.ts';

/** GET /admin/users/{id}/factors */
export const adminListFactors: Operation = async (context, request) => {
  requireOperator(context, request);
  return { body: (await loadUser(context, request)).factors.map(presentFactor) };
};

/** DELETE /admin/users/{id}/factors/{factor_id}: for whoever has lost a device. */
export const adminDeleteFactor: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id: userId } = await loadUser(context, request);
  const factor = await asAuthAdmin(context.db, 'remove a second factor', async (tx) => {
    const user = (await findUser(tx, { id: userId }, { lock: true })) ?? { factors: [] };
    const gone = findFactorOf(user, request);
    await deleteFactor(tx, gone.id, context.now());
    const did = { action: 'factor_deleted', user: { id: userId }, traits: { factor_id: gone.id } } as const;
    await recordOperatorAct(tx, request, did, context.now());
    // Recovery codes are never all that is left.
    if (!hasProvenDevice(user, gone.id))
      for (const { id, factor_type: type } of user.factors)
        if (type === 'recovery_code') await deleteFactor(tx, id, context.now());
    return gone;
  });
  return { body: presentFactor(factor) };
};

const BODY = v.object({ friendly_name: text, phone: text });

/** PUT /admin/users/{id}/factors/{factor_id}: another name. What proves the factor stays. @throws mfa_factor_name_conflict */
export const adminUpdateFactor: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id: userId } = await loadUser(context, request);
  const body = readBody(BODY, request.body);
  const friendlyName = readFriendlyName(body.friendly_name);
  const factor = await asAuthAdmin(context.db, 'rename a second factor', async (tx) => {
    const user = (await findUser(tx, { id: userId }, { lock: true })) ?? { factors: [] };
    const { id } = findFactorOf(user, request);
    if (friendlyName === '') return findFactorOf(user, request);
    if (user.factors.some((other) => other.id !== id && other.friendly_name === friendlyName))
      throw new AuthError('mfa_factor_name_conflict', {
        message: `A factor with the friendly name "${friendlyName}" for this user already exists`,
      });
    await renameFactor(tx, { id, friendlyName }, context.now());
    const did = { action: 'factor_updated', user: { id: userId }, traits: { factor_id: id } } as const;
    await recordOperatorAct(tx, request, did, context.now());
    return findFactorOf((await findUser(tx, { id: userId })) ?? user, request);
  });
  return { body: presentFactor(factor) };
};
