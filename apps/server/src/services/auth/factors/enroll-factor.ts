import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, readPhone, text } from '../body-fields.ts';
import { recordAct } from '../stores/audit-log.ts';
import { deleteFactor, deleteUnprovenFactors, insertFactor } from '../stores/factors.ts';
import { findUser } from '../stores/users.ts';
import { hasSecondFactor, isSecondLevel } from './assurance.ts';
import { authenticateOwner, type FactorOwner } from './find-own-factor.ts';
import { createTotp } from './totp.ts';

const BODY = v.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type Body = v.InferOutput<typeof BODY>;

const MAX_NAME_LENGTH = 100;
/** The issuer stands twice in the address of a QR code, which holds some two thousand characters. */
const MAX_ISSUER_LENGTH = 50;
/** A factor that was begun so long ago and not proven makes room for another. (Source: GoTrue, `FactorExpiryDuration`.) */
const UNPROVEN_MS = 300_000;

/** POST /factors: begins to add an authenticator app, a phone or a key. It counts once a code of it, or an answer of it, has been verified. */
export const enrollFactor: Operation = async (context, request) => {
  const owner = await authenticateOwner(context, request);
  const body = readBody(BODY, request.body);
  if (body.factor_type === 'totp') return enrollTotp(context, request, owner, body);
  if (body.factor_type === 'phone') return enrollPhone(context, request, owner, body);
  if (body.factor_type === 'webauthn') return enrollWebAuthn(context, request, owner, body);
  throw new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' });
};

async function enrollTotp(context: AuthContext, request: AuthRequest, owner: FactorOwner, body: Body) {
  const { settings, keyring } = context;
  if (!settings.totpEnrollEnabled) throw new AuthError('mfa_totp_enroll_not_enabled');
  const { issuer } = body;
  if (issuer.length > MAX_ISSUER_LENGTH)
    throw new AuthError('validation_failed', {
      message: `issuer cannot be longer than ${MAX_ISSUER_LENGTH} characters`,
    });
  const { email } = owner.user;
  const totp = createTotp({ issuer: issuer || new URL(settings.siteUrl).host, account: email ?? '' });
  const id = randomUUID();
  const friendlyName = readFriendlyName(body.friendly_name);
  await asAuthAdmin(context.db, 'begin to add a second factor', async (tx) => {
    await makeRoomForFactor(tx, context, owner, friendlyName);
    const secret = keyring.factorSecrets.seal(totp.secret, id);
    const factor = { id, userId: owner.user.id, type: 'totp', friendlyName, secret } as const;
    await addFactor(tx, context, request, factor);
  });
  const { secret, uri, qrCode } = totp;
  return { body: { id, type: 'totp', friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } } };
}

/** A code is texted once it is asked for. What was begun with the same number and not proven makes room. @throws mfa_verified_factor_exists */
async function enrollPhone(context: AuthContext, request: AuthRequest, owner: FactorOwner, body: Body) {
  if (!context.settings.phoneFactorEnrollEnabled) throw new AuthError('mfa_phone_enroll_not_enabled');
  if (body.phone === '')
    throw new AuthError('validation_failed', { message: 'Phone number required to enroll Phone factor' });
  const phone = readPhone(body.phone);
  const id = randomUUID();
  const friendlyName = readFriendlyName(body.friendly_name);
  await asAuthAdmin(context.db, 'begin to add a second factor', async (tx) => {
    const user = await findUser(tx, { id: owner.user.id }, { lock: true });
    const same = user?.factors.find((factor) => factor.phone === phone);
    if (same?.status === 'verified')
      throw new AuthError('mfa_verified_factor_exists', {
        message: 'A verified phone factor already exists, unenroll the existing factor to continue',
      });
    if (same) await deleteFactor(tx, same.id, context.now());
    await makeRoomForFactor(tx, context, owner, friendlyName);
    const factor = { id, userId: owner.user.id, type: 'phone', friendlyName, secret: null, phone } as const;
    await addFactor(tx, context, request, factor);
  });
  return { body: { id, type: 'phone', friendly_name: friendlyName, phone: body.phone } };
}

/** What it is proven by comes with the answer to its first challenge. */
async function enrollWebAuthn(context: AuthContext, request: AuthRequest, owner: FactorOwner, body: Body) {
  if (!context.settings.webAuthnEnrollEnabled) throw new AuthError('mfa_webauthn_enroll_not_enabled');
  const id = randomUUID();
  const friendlyName = readFriendlyName(body.friendly_name);
  await asAuthAdmin(context.db, 'begin to add a second factor', async (tx) => {
    await makeRoomForFactor(tx, context, owner, friendlyName);
    const factor = { id, userId: owner.user.id, type: 'webauthn', friendlyName, secret: null } as const;
    await addFactor(tx, context, request, factor);
  });
  return { body: { id, type: 'webauthn', friendly_name: friendlyName } };
}

/** What was begun counts for nothing yet; the log tells of it already. */
async function addFactor(
  tx: Transaction,
  { now }: Pick<AuthContext, 'now'>,
  request: AuthRequest,
  factor: Parameters<typeof insertFactor>[1],
): Promise<void> {
  await insertFactor(tx, factor, now());
  const traits = { factor_id: factor.id, factor_type: factor.type };
  await recordAct(tx, request, { action: 'factor_in_progress', actor: factor.userId, traits }, now());
}

/** @throws validation_failed */
export function readFriendlyName(name: string): string {
  if ([...name].length > MAX_NAME_LENGTH)
    throw new AuthError('validation_failed', {
      message: `friendly_name cannot be longer than ${MAX_NAME_LENGTH} characters`,
    });
  return name;
}

/**
 * Accepts one more factor of an account, or says why not. Who asks at the same time waits, and is judged by what there is then.
 * @throws mfa_factor_name_conflict, too_many_enrolled_mfa_factors, insufficient_aal
 */
export async function makeRoomForFactor(
  tx: Transaction,
  { settings, now }: Pick<AuthContext, 'settings' | 'now'>,
  { user: { id: userId }, session }: FactorOwner,
  friendlyName: string,
): Promise<void> {
  if (!(await findUser(tx, { id: userId }, { lock: true })))
    throw new AuthError('user_not_found', { status: 403 });
  await deleteUnprovenFactors(tx, userId, new Date(now().getTime() - UNPROVEN_MS));
  const user = await findUser(tx, { id: userId });
  const factors = user?.factors ?? [];
  if (factors.some((factor) => (factor.friendly_name ?? '') === friendlyName))
    throw new AuthError('mfa_factor_name_conflict', {
      message: `A factor with the friendly name "${friendlyName}" for this user already exists`,
    });
  if (factors.length >= settings.maxEnrolledFactors) throw new AuthError('too_many_enrolled_mfa_factors');
  if (hasSecondFactor({ factors }) && !isSecondLevel({ session }))
    throw new AuthError('insufficient_aal', { message: 'AAL2 required to enroll a new factor' });
}
