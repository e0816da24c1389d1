import { isIP } from 'node:net';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { readBody, text } from '../body-fields.ts';
import { withTextAllowance } from '../mail-allowance.ts';
import { recordAct } from '../stores/audit-log.ts';
import { type FactorRow, insertChallenge } from '../stores/factors.ts';
import { listPasskeys } from '../stores/passkeys.ts';
import type { UserRow } from '../stores/users.ts';
import { listCredentials } from '../stores/webauthn-credentials.ts';
import { chooseCode, readChannel, textCode } from '../texts/text-code.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';
import { beginCreation, beginRequest } from './webauthn.ts';

/**
 * POST /factors/:factor_id/challenge: asks for a code of this factor, which is texted where it is a phone, or for an authenticator. What a client says of `webauthn.rpId` and
 * `webauthn.rpOrigins` is not asked: this installation's site is the only one.
 */
export const challengeFactor: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const factor = findFactorOf(user, request);
  requireVerifiable(context.settings, factor);
  if (factor.factor_type === 'phone') return challengePhone(context, request, { user, factor });
  const now = context.now();
  const ip = networkAddressOf(request);
  const { id, webauthn } = await asAuthAdmin(context.db, 'ask for a second factor', async (tx) => {
    const begun = factor.factor_type === 'webauthn' ? await begin(tx, context, user, factor) : undefined;
    const asked = { factorId: factor.id, ip, sessionData: begun?.session };
    await recordChallenge(tx, request, { user, factor }, now);
    return { id: await insertChallenge(tx, asked, now), webauthn: begun?.webauthn };
  });
  return { body: { ...presentChallenge(context, { id, factor, now }), ...(webauthn ? { webauthn } : {}) } };
};

const PHONE_BODY = v.object({ channel: text });

/**
 * Texts a code to the phone that a factor is. Who asks is counted, and so is the factor, or else the number as long as nobody has proven it.
 * @throws over_sms_send_rate_limit, sms_send_failed
 */
async function challengePhone(
  context: AuthContext,
  request: AuthRequest,
  { user, factor }: { readonly user: UserRow; readonly factor: FactorRow },
): Promise<Answer> {
  const channel = readChannel(readBody(PHONE_BODY, request.body ?? {}).channel);
  const { phone } = factor;
  if (phone === null) throw new AuthError('mfa_factor_not_found');
  const counted = factor.status === 'verified' ? { factorId: factor.id } : {};
  const order = { kind: 'second_factor', phone, ...counted } as const;
  return withTextAllowance(context, request, order, async (giveBack) => {
    const now = context.now();
    const code = chooseCode(context.settings, phone, now, context.settings.phoneFactorCodeLength);
    const asked = { factorId: factor.id, ip: networkAddressOf(request), code };
    const id = await asAuthAdmin(context.db, 'ask for a second factor', async (tx) => {
      await recordChallenge(tx, request, { user, factor }, now);
      return insertChallenge(tx, asked, now);
    });
    await textCode(context, { user, phone, channel, code, smsType: 'mfa', giveBack });
    return { body: presentChallenge(context, { id, factor, now }) };
  });
}

async function recordChallenge(
  tx: Transaction,
  request: AuthRequest,
  { user, factor }: { readonly user: UserRow; readonly factor: FactorRow },
  now: Date,
): Promise<void> {
  const traits = { factor_id: factor.id, factor_type: factor.factor_type };
  await recordAct(tx, request, { action: 'challenge_created', actor: user.id, traits }, now);
}

function presentChallenge(
  { settings }: Pick<AuthContext, 'settings'>,
  { id, factor, now }: { readonly id: string; readonly factor: FactorRow; readonly now: Date },
) {
  const expiresAt = Math.floor(now.getTime() / 1000) + settings.factorChallengeLifetime;
  return { id, type: factor.factor_type, expires_at: expiresAt };
}

async function begin(
  tx: Transaction,
  { settings }: Pick<AuthContext, 'settings'>,
  user: UserRow,
  { status }: FactorRow,
) {
  const keys = (await listCredentials(tx, user.id)).filter((one) => one.status === 'verified');
  const isNew = status !== 'verified';
  // A passkey on the same authenticator would be written over: both are known there by the account's id.
  const passkeys = isNew ? await listPasskeys(tx, user.id) : [];
  const { options, session } = isNew
    ? await beginCreation(settings, { user, known: [...keys, ...passkeys], residentKey: 'discouraged' })
    : await beginRequest(settings, { user, known: keys });
  return {
    session,
    webauthn: { type: isNew ? 'create' : 'request', credential_options: { publicKey: options } },
  };
}

/** @throws validation_failed, mfa_totp_verify_not_enabled, mfa_phone_verify_not_enabled, mfa_webauthn_verify_not_enabled */
export function requireVerifiable(settings: AuthSettings, { factor_type: type }: FactorRow): void {
  // They have an endpoint of their own, and nothing to be asked for.
  if (type === 'recovery_code')
    throw new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' });
  if (type === 'phone' && !settings.phoneFactorVerifyEnabled)
    throw new AuthError('mfa_phone_verify_not_enabled');
  if (type === 'webauthn' && !settings.webAuthnVerifyEnabled)
    throw new AuthError('mfa_webauthn_verify_not_enabled');
  if (type === 'totp' && !settings.totpVerifyEnabled) throw new AuthError('mfa_totp_verify_not_enabled');
}

/** Where a challenge was asked for: only there is it answered. */
export function networkAddressOf({ ip }: Pick<AuthRequest, 'ip'>): string {
  return isIP(ip) === 0 ? '0.0.0.0' : ip;
}
