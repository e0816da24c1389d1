import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOpenSession } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';
import { recordAct } from '../stores/audit-log.ts';
import { deleteFactor, type FactorRow, insertFactor } from '../stores/factors.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../stores/recovery-codes.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { hasProvenDevice, isSecondLevel } from './assurance.ts';
import { makeRoomForFactor, readFriendlyName } from './enroll-factor.ts';
import { authenticateOwner, type FactorOwner } from './find-own-factor.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code.ts';

const TYPE = 'recovery_code';

/** The set of an account. @throws mfa_factor_not_found */
function findSetOf({ factors }: Pick<UserRow, 'factors'>): FactorRow {
  const set = factors.find((factor) => factor.factor_type === TYPE);
  if (!set)
    throw new AuthError('mfa_factor_not_found', { message: 'The user has not enrolled recovery codes' });
  return set;
}

/** GET /factors/recovery-codes: how many are left. The codes themselves are shown to nobody again. */
export const showRecoveryCodes: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const { id } = findSetOf(user);
  const counts = await asAuthAdmin(context.db, 'count recovery codes', (tx) => countRecoveryCodes(tx, id));
  return { body: { id, type: TYPE, ...counts } };
};

const BODY = v.nullish(v.object({ friendly_name: text }));

/** POST /factors/recovery-codes: the first set, beside another factor. */
export const generateRecoveryCodes: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  requireEnrollable(context, owner, 'generate');
  const body = request.body === undefined ? undefined : readBody(BODY, request.body);
  const friendlyName = readFriendlyName(body?.friendly_name || 'Recovery codes');
  const id = randomUUID();
  const codes = await asAuthAdmin(context.db, 'make recovery codes', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    await requireOpenSession(tx, owner.session);
    if (user?.factors.some((factor) => factor.factor_type === TYPE))
      throw new AuthError('mfa_verified_factor_exists', {
        message: 'Recovery codes are already enrolled for this user, use regenerate to rotate them',
      });
    await makeRoomForFactor(tx, context, owner, friendlyName);
    if (!user || !hasProvenDevice(user))
      throw new AuthError('mfa_recovery_codes_sole_factor', {
        message: 'At least one other verified factor is required to generate recovery codes',
      });
    const factor = {
      id,
      userId: user.id,
      type: TYPE,
      status: 'verified',
      friendlyName,
      secret: null,
    } as const;
    await insertFactor(tx, factor, context.now());
    await recordAct(tx, request, { action: 'generate_recovery_codes', actor: user.id }, context.now());
    return fillSet(tx, id);
  });
  return { body: presentSet({ id, friendly_name: friendlyName }, codes) };
};

/** POST /factors/recovery-codes/regenerate: another set; the codes of the one before are good for nothing. */
export const regenerateRecoveryCodes: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  requireEnrollable(context, owner, 'regenerate');
  return asAuthAdmin(context.db, 'make other recovery codes', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    await requireOpenSession(tx, owner.session);
    const set = findSetOf(user ?? { factors: [] });
    const act = { action: 'generate_recovery_codes', actor: owner.user.id } as const;
    await recordAct(tx, request, act, context.now());
    return { body: presentSet(set, await fillSet(tx, set.id)) };
  });
};

/** DELETE /factors/recovery-codes */
export const removeRecoveryCodes: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  requireSecondLevelTo(owner, 'delete');
  const id = await asAuthAdmin(context.db, 'remove recovery codes', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    await requireOpenSession(tx, owner.session);
    const set = findSetOf(user ?? { factors: [] });
    // Who has lost the app, and came in by a code, would be shut out: with the last code gone, and the app that is asked for.
    await deleteFactor(tx, set.id, context.now(), owner.session.id);
    const act = { action: 'recovery_codes_deleted', actor: owner.user.id } as const;
    await recordAct(tx, request, act, context.now());
    return set.id;
  });
  return { body: { id } };
};

/** Codes are there where apps, keys or phones are: they stand in for one that is lost. @throws mfa_recovery_codes_enroll_not_enabled, insufficient_aal */
function requireEnrollable({ settings }: AuthContext, owner: FactorOwner, what: string): void {
  if (!settings.totpEnrollEnabled && !settings.webAuthnEnrollEnabled && !settings.phoneFactorEnrollEnabled)
    throw new AuthError('mfa_recovery_codes_enroll_not_enabled');
  requireSecondLevelTo(owner, what);
}

function requireSecondLevelTo(owner: FactorOwner, what: string): void {
  if (!isSecondLevel(owner))
    throw new AuthError('insufficient_aal', { message: `AAL2 required to ${what} recovery codes` });
}

async function fillSet(tx: Transaction, factorId: string): Promise<readonly string[]> {
  const codes = createRecoveryCodes();
  await replaceRecoveryCodes(tx, { factorId, hashes: codes.map((code) => hashRecoveryCode(factorId, code)) });
  return codes;
}

function presentSet(
  { id, friendly_name: name }: Pick<FactorRow, 'id' | 'friendly_name'>,
  codes: readonly string[],
) {
  return { id, type: TYPE, ...(name ? { friendly_name: name } : {}), total: codes.length, codes };
}
