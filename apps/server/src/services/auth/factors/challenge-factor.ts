import { isIP } from 'node:net';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { type FactorRow, insertChallenge } from '../stores/factors.ts';
import type { UserRow } from '../stores/users.ts';
import { listCredentials } from '../stores/webauthn-credentials.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';
import { beginCeremony } from './webauthn.ts';

/**
 * POST /factors/:factor_id/challenge: asks for a code of this factor, or for an authenticator. What a client says of `webauthn.rpId` and
 * `webauthn.rpOrigins` is not asked: this installation's site is the only one.
 */
export const challengeFactor: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const factor = findFactorOf(user, request);
  requireVerifiable(context.settings, factor);
  const now = context.now();
  const ip = networkAddressOf(request);
  const { id, webauthn } = await asAuthAdmin(context.db, 'ask for a second factor', async (tx) => {
    const begun = factor.factor_type === 'webauthn' ? await begin(tx, context, user, factor) : undefined;
    const asked = { factorId: factor.id, ip, sessionData: begun?.session };
    return { id: await insertChallenge(tx, asked, now), webauthn: begun?.webauthn };
  });
  const expiresAt = Math.floor(now.getTime() / 1000) + context.settings.factorChallengeLifetime;
  return { body: { id, type: factor.factor_type, expires_at: expiresAt, ...(webauthn ? { webauthn } : {}) } };
};

async function begin(
  tx: Transaction,
  { settings }: Pick<AuthContext, 'settings'>,
  user: UserRow,
  { status }: FactorRow,
) {
  const type = status === 'verified' ? 'request' : 'create';
  const known = (await listCredentials(tx, user.id)).filter((one) => one.status === 'verified');
  const { options, session } = await beginCeremony(settings, type, user, known);
  return { session, webauthn: { type, credential_options: { publicKey: options } } };
}

/** @throws validation_failed, mfa_totp_verify_not_enabled, mfa_phone_verify_not_enabled, mfa_webauthn_verify_not_enabled */
export function requireVerifiable(settings: AuthSettings, { factor_type: type }: FactorRow): void {
  // They have an endpoint of their own, and nothing to be asked for.
  if (type === 'recovery_code')
    throw new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' });
  if (type === 'phone') throw new AuthError('mfa_phone_verify_not_enabled');
  if (type === 'webauthn' && !settings.webAuthnVerifyEnabled)
    throw new AuthError('mfa_webauthn_verify_not_enabled');
  if (type === 'totp' && !settings.totpVerifyEnabled) throw new AuthError('mfa_totp_verify_not_enabled');
}

/** Where a challenge was asked for: only there is it answered. */
export function networkAddressOf({ ip }: Pick<AuthRequest, 'ip'>): string {
  return isIP(ip) === 0 ? '0.0.0.0' : ip;
}
