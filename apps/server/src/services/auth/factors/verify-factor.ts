import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { askAboutFactor } from '../hooks/verification-attempts.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { presentSession } from '../present/present-session.ts';
import { recordAct } from '../stores/audit-log.ts';
import {
  confirmFactor,
  type FactorRow,
  markChallengeVerified,
  takeChallengeCode,
} from '../stores/factors.ts';
import { raiseSession } from '../stores/raise-session.ts';
import type { OpenedSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { saveCredential } from '../stores/webauthn-credentials.ts';
import { hasSecondFactor, isSecondLevel } from './assurance.ts';
import { networkAddressOf, requireVerifiable } from './challenge-factor.ts';
import { countFactorAttempt, forgiveFactorAttempt } from './count-attempts.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';
import { proveCode } from './prove-code.ts';
import {
  type CredentialAnswer,
  type ProvenCredential,
  proveCredential,
  readCredentialAnswer,
} from './prove-credential.ts';
import { takeOpenChallenge } from './take-open-challenge.ts';

const BODY = v.object({ challenge_id: text, code: text, webauthn: v.optional(v.unknown()) });

/** What is thought of an answer. Not thrown: a rollback would forget what was counted and used up. */
type Judgement =
  | ({ readonly kind: 'right' } & ProvenCredential)
  | { readonly kind: 'wrong'; readonly error: AuthError }
  | { readonly kind: 'unread'; readonly error: AuthError };

/**
 * POST /factors/:factor_id/verify: a code of the factor, or the answer of an authenticator, makes the session one of the second level, and a
 * new factor count.
 */
export const verifyFactor: Operation = async (context, request) => {
  const { user, session } = await authenticateOwner(context, request);
  const factor = findFactorOf(user, request);
  const body = readBody(BODY, request.body);
  const isKey = factor.factor_type === 'webauthn';
  if (!isKey && body.code === '')
    throw new AuthError('validation_failed', { message: 'Code needs to be non-empty' });
  requireVerifiable(context.settings, factor);
  const attempt = {
    ...(isKey
      ? ({ factorType: 'webauthn', answer: readCredentialAnswer(body.webauthn) } as const)
      : ({ factorType: factor.factor_type === 'phone' ? 'phone' : 'totp', code: body.code } as const)),
    factorId: factor.id,
    userId: user.id,
    sessionId: session.id,
    hasProven: isSecondLevel({ session }),
    challengeId: body.challenge_id,
    ip: networkAddressOf(request),
  };
  const { factorType } = attempt;
  const judgement = await asAuthAdmin(context.db, 'judge a second factor', (tx) =>
    judge(tx, context, attempt),
  );
  if (judgement.kind !== 'unread') {
    const valid = judgement.kind === 'right';
    // Between two transactions: no row is held while a hook is asked.
    const factorId = judgement.kind === 'right' ? judgement.factorId : factor.id;
    await askAboutFactor(context, request, { userId: user.id, factorId, factorType, valid });
  }
  if (judgement.kind !== 'right') throw judgement.error;
  const { opened, raised, isNew } = await asAuthAdmin(context.db, 'verify a second factor', (tx) =>
    raise(tx, context, attempt, judgement),
  );
  if (isNew) notifyChange(context, { kind: 'mfa_factor_enrolled', user: raised, factorType });
  return { body: await presentSession(context, raised, opened) };
};

type Attempt = {
  readonly factorId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** A factor was proven in the session before. */
  readonly hasProven: boolean;
  readonly challengeId: string;
  readonly ip: string;
} & (
  | { readonly factorType: 'totp'; readonly code: string }
  | { readonly factorType: 'phone'; readonly code: string }
  | { readonly factorType: 'webauthn'; readonly answer: CredentialAnswer }
);

/** How a kind of factor is counted, named among the proofs of a session, and called in an error. */
const KINDS = {
  totp: { what: 'app', method: 'totp', wrong: 'Invalid TOTP code entered' },
  phone: { what: 'phone', method: 'mfa/phone', wrong: 'Invalid MFA Phone code entered' },
  webauthn: { what: 'key', method: 'mfa/webauthn', wrong: 'Invalid WebAuthn credential response' },
} as const;

async function judge(tx: Transaction, context: AuthContext, attempt: Attempt): Promise<Judgement> {
  const { userId, factorId } = attempt;
  // What is done to an account's factors at the same time happens one after the other.
  const user = await findUser(tx, { id: userId }, { lock: true });
  const factor = user?.factors.find(({ id }) => id === factorId);
  if (!user || !factor) return { kind: 'unread', error: new AuthError('mfa_factor_not_found') };
  // It may have been begun by somebody with the password alone, a moment before the account had its first factor.
  if (factor.status === 'unverified' && hasSecondFactor(user) && !attempt.hasProven)
    return {
      kind: 'unread',
      error: new AuthError('insufficient_aal', { message: 'AAL2 required to enroll a new factor' }),
    };
  const challenge = await takeOpenChallenge(tx, context, attempt);
  if (challenge instanceof AuthError) return { kind: 'unread', error: challenge };
  const { what, wrong } = KINDS[attempt.factorType];
  const refusal = await countFactorAttempt(tx, context.settings, { what, userId }, context.now());
  if (refusal) return { kind: 'unread', error: refusal };
  const proven = await prove(tx, context, attempt, { user, factor, sessionData: challenge.sessionData });
  const traits = { factor_id: factorId, factor_type: factor.factor_type, valid: proven !== undefined };
  await recordAct(tx, attempt, { action: 'verification_attempted', actor: userId, traits }, context.now());
  if (proven) return { kind: 'right', ...proven };
  return { kind: 'wrong', error: new AuthError('mfa_verification_failed', { message: wrong }) };
}

async function prove(
  tx: Transaction,
  context: AuthContext,
  attempt: Attempt,
  {
    user,
    factor,
    sessionData,
  }: { readonly user: UserRow; readonly factor: FactorRow; readonly sessionData: unknown },
): Promise<ProvenCredential | undefined> {
  const { factorId, challengeId } = attempt;
  if (attempt.factorType === 'totp')
    return (await proveCode(tx, context, { factorId, code: attempt.code })) ? { factorId } : undefined;
  if (attempt.factorType === 'phone')
    return (await takeChallengeCode(tx, { id: challengeId, code: attempt.code })) ? { factorId } : undefined;
  const challenge = { id: challengeId, sessionData };
  return proveCredential(tx, context.settings, { user, factor, answer: attempt.answer, challenge });
}

type Raised = {
  readonly opened: OpenedSession;
  readonly raised: UserRow;
  /** The factor counts from now on. */
  readonly isNew: boolean;
};

/** After a right answer. @throws mfa_factor_not_found, session_not_found for what has gone meanwhile */
async function raise(
  tx: Transaction,
  { settings, now: readClock }: AuthContext,
  { userId, sessionId, challengeId, factorType }: Attempt,
  { factorId, created }: ProvenCredential,
): Promise<Raised> {
  const now = readClock();
  const { what, method } = KINDS[factorType];
  const owner = await findUser(tx, { id: userId }, { lock: true });
  const factor = owner?.factors.find(({ id }) => id === factorId);
  if (!factor) throw new AuthError('mfa_factor_not_found');
  await forgiveFactorAttempt(tx, settings, { what, userId });
  await markChallengeVerified(tx, challengeId, now);
  if (created) await saveCredential(tx, { factorId, ...created });
  await confirmFactor(tx, { id: factorId, userId, type: factor.factor_type }, now);
  const opened = await raiseSession(tx, { userId, sessionId, factorId, method }, now);
  const raised = await findUser(tx, { id: userId });
  if (!opened || !raised) throw new AuthError('session_not_found');
  return { opened, raised, isNew: factor.status !== 'verified' };
}
