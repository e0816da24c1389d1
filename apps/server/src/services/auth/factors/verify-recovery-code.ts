import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { askAboutFactor } from '../hooks/verification-attempts.ts';
import { presentSession } from '../present/present-session.ts';
import { recordAct } from '../stores/audit-log.ts';
import { raiseSession } from '../stores/raise-session.ts';
import { hasRecoveryCode, takeRecoveryCode } from '../stores/recovery-codes.ts';
import type { OpenedSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { countFactorAttempt, forgiveFactorAttempt } from './count-attempts.ts';
import { authenticateOwner } from './find-own-factor.ts';
import { hashRecoveryCode, normalizeRecoveryCode } from './recovery-code.ts';

const BODY = v.object({ code: text });

const wrongCode = () =>
  new AuthError('mfa_verification_failed', { message: 'Invalid recovery code entered' });

/** POST /factors/recovery-codes/verify: one of the codes, in place of a device that is not at hand. */
export const verifyRecoveryCode: Operation = async (context, request) => {
  const { user, session } = await authenticateOwner(context, request);
  const { totpVerifyEnabled, webAuthnVerifyEnabled, phoneFactorVerifyEnabled } = context.settings;
  if (!totpVerifyEnabled && !webAuthnVerifyEnabled && !phoneFactorVerifyEnabled)
    throw new AuthError('mfa_recovery_codes_verify_not_enabled');
  const code = normalizeRecoveryCode(readBody(BODY, request.body).code);
  if (code === '') throw new AuthError('validation_failed', { message: 'Code needs to be non-empty' });
  const attempt = { userId: user.id, sessionId: session.id, code, ip: request.ip };
  const judgement = await asAuthAdmin(context.db, 'judge a recovery code', (tx) =>
    judge(tx, context, attempt),
  );
  if ('refusal' in judgement) throw judgement.refusal;
  const { setId, isRight } = judgement;
  // Between two transactions: no row is held while a hook is asked.
  if (setId !== undefined)
    await askAboutFactor(context, request, {
      userId: user.id,
      factorId: setId,
      factorType: 'recovery_code',
      valid: isRight,
    });
  // Who has no codes reads what a wrong one gets.
  if (setId === undefined || !isRight) throw wrongCode();
  const { opened, raised } = await asAuthAdmin(context.db, 'verify a recovery code', (tx) =>
    raise(tx, context, { ...attempt, setId }),
  );
  return { body: await presentSession(context, raised, opened) };
};

type Attempt = {
  readonly userId: string;
  readonly sessionId: string;
  readonly code: string;
  readonly ip: string;
};

/** What is thought of a code. Not thrown: a rollback would forget what was counted and used up. */
type Judgement =
  | { readonly refusal: AuthError }
  | { readonly setId: string | undefined; readonly isRight: boolean };

async function judge(
  tx: Transaction,
  { settings, now: readClock }: AuthContext,
  { userId, code, ip }: Attempt,
): Promise<Judgement> {
  const now = readClock();
  const owner = await findUser(tx, { id: userId }, { lock: true });
  const refusal = await countFactorAttempt(tx, settings, { what: 'recovery code', userId }, now);
  if (refusal) return { refusal };
  const setId = owner?.factors.find((factor) => factor.factor_type === 'recovery_code')?.id;
  const isRight =
    setId !== undefined &&
    (await takeRecoveryCode(tx, { factorId: setId, hash: hashRecoveryCode(setId, code) }, now));
  if (setId !== undefined) {
    const traits = { factor_id: setId, factor_type: 'recovery_code', valid: isRight };
    await recordAct(tx, { ip }, { action: 'verification_attempted', actor: userId, traits }, now);
  }
  return { setId, isRight };
}

/** After a right code. @throws mfa_factor_not_found, mfa_verification_failed, session_not_found for what has gone meanwhile */
async function raise(
  tx: Transaction,
  { settings, now: readClock }: AuthContext,
  { userId, sessionId, code, setId }: Omit<Attempt, 'ip'> & { readonly setId: string },
): Promise<{ readonly opened: OpenedSession; readonly raised: UserRow }> {
  const owner = await findUser(tx, { id: userId }, { lock: true });
  if (!owner?.factors.some(({ id }) => id === setId)) throw new AuthError('mfa_factor_not_found');
  if (!(await hasRecoveryCode(tx, { factorId: setId, hash: hashRecoveryCode(setId, code) })))
    throw wrongCode();
  await forgiveFactorAttempt(tx, settings, { what: 'recovery code', userId });
  const raising = { userId, sessionId, factorId: setId, method: 'mfa/recovery_code' } as const;
  const opened = await raiseSession(tx, raising, readClock());
  const raised = await findUser(tx, { id: userId });
  if (!opened || !raised) throw new AuthError('session_not_found');
  return { opened, raised };
}
