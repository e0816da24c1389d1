import { isIP } from 'node:net';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { type FactorRow, type FactorType, insertChallenge } from '../stores/factors.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';

/** POST /factors/:factor_id/challenge: asks for a code of this factor. */
export const challengeFactor: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const factor = findFactorOf(user, request);
  requireVerifiable(context.settings, factor);
  const now = context.now();
  const id = await asAuthAdmin(context.db, 'ask for a second factor', (tx) =>
    insertChallenge(tx, { factorId: factor.id, ip: networkAddressOf(request) }, now),
  );
  const expiresAt = Math.floor(now.getTime() / 1000) + context.settings.factorChallengeLifetime;
  return { body: { id, type: factor.factor_type, expires_at: expiresAt } };
};

const SWITCHED_OFF = {
  phone: 'mfa_phone_verify_not_enabled',
  webauthn: 'mfa_webauthn_verify_not_enabled',
} as const satisfies Record<Exclude<FactorType, 'totp' | 'recovery_code'>, string>;

/** @throws validation_failed, mfa_totp_verify_not_enabled, mfa_phone_verify_not_enabled, mfa_webauthn_verify_not_enabled */
export function requireVerifiable(
  { totpVerifyEnabled }: AuthSettings,
  { factor_type: type }: FactorRow,
): void {
  // They have an endpoint of their own, and nothing to be asked for.
  if (type === 'recovery_code')
    throw new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' });
  if (type !== 'totp') throw new AuthError(SWITCHED_OFF[type]);
  if (!totpVerifyEnabled) throw new AuthError('mfa_totp_verify_not_enabled');
}

/** Where a challenge was asked for: only there is it answered. */
export function networkAddressOf({ ip }: Pick<AuthRequest, 'ip'>): string {
  return isIP(ip) === 0 ? '0.0.0.0' : ip;
}
