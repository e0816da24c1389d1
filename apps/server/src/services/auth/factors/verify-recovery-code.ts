import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { presentSession } from '../present/present-session.ts';
import { raiseSession } from '../stores/raise-session.ts';
import { takeRecoveryCode } from '../stores/recovery-codes.ts';
import type { OpenedSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { countFactorAttempt, forgiveFactorAttempt } from './count-attempts.ts';
import { authenticateOwner } from './find-own-factor.ts';
import { hashRecoveryCode, normalizeRecoveryCode } from './recovery-code.ts';

const BODY = v.object({ code: text });

/** What came of a code. Not thrown where something was written that a rollback would forget. */
type Outcome =
  | { readonly kind: 'raised'; readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly kind: 'refused'; readonly error: AuthError };

/** POST /factors/recovery-codes/verify: one of the codes, in place of a device that is not at hand. */
export const verifyRecoveryCode: Operation = async (context, request) => {
  const { user, session } = await authenticateOwner(context, request);
  if (!context.settings.totpVerifyEnabled) throw new AuthError('mfa_recovery_codes_verify_not_enabled');
  const code = normalizeRecoveryCode(readBody(BODY, request.body).code);
  if (code === '') throw new AuthError('validation_failed', { message: 'Code needs to be non-empty' });
  const attempt = { userId: user.id, sessionId: session.id, code };
  const outcome = await asAuthAdmin(context.db, 'verify a recovery code', (tx) =>
    verify(tx, context, attempt),
  );
  if (outcome.kind === 'refused') throw outcome.error;
  return { body: await presentSession(context, outcome.user, outcome.opened) };
};

type Attempt = { readonly userId: string; readonly sessionId: string; readonly code: string };

async function verify(
  tx: Transaction,
  { settings, now: readClock }: AuthContext,
  { userId, sessionId, code }: Attempt,
): Promise<Outcome> {
  const now = readClock();
  const owner = await findUser(tx, { id: userId }, { lock: true });
  const guess = { what: 'recovery code', userId } as const;
  const refusal = await countFactorAttempt(tx, settings, guess, now);
  if (refusal) return { kind: 'refused', error: refusal };
  const set = owner?.factors.find((factor) => factor.factor_type === 'recovery_code');
  const isRight =
    set && (await takeRecoveryCode(tx, { factorId: set.id, hash: hashRecoveryCode(set.id, code) }, now));
  // Who has no codes reads what a wrong one gets.
  if (!set || !isRight)
    return {
      kind: 'refused',
      error: new AuthError('mfa_verification_failed', { message: 'Invalid recovery code entered' }),
    };
  await forgiveFactorAttempt(tx, settings, guess);
  const raising = { userId, sessionId, factorId: set.id, method: 'mfa/recovery_code' } as const;
  const opened = await raiseSession(tx, raising, now);
  const user = await findUser(tx, { id: userId });
  if (!opened || !user) throw new AuthError('session_not_found');
  return { kind: 'raised', user, opened };
}
