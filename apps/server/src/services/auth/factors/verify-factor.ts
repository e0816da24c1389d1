import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isUuid, readBody, text } from '../body-fields.ts';
import { askAboutFactor } from '../hooks/verification-attempts.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { presentSession } from '../present/present-session.ts';
import {
  confirmFactor,
  deleteChallenge,
  type FactorRow,
  findFactorSecret,
  markChallengeVerified,
  replaceFactorSecret,
  takeChallenge,
  takeTimeStep,
} from '../stores/factors.ts';
import { raiseSession } from '../stores/raise-session.ts';
import type { OpenedSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { networkAddressOf, requireVerifiable } from './challenge-factor.ts';
import { countFactorAttempt, forgiveFactorAttempt } from './count-attempts.ts';
import { authenticateOwner, findFactorOf } from './find-own-factor.ts';
import { findTimeStep } from './totp.ts';

const BODY = v.object({ challenge_id: text, code: text });

/** What is thought of a code. Not thrown: a rollback would forget what was counted and used up. */
type Judgement =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly error: AuthError }
  | { readonly kind: 'unread'; readonly error: AuthError };

/** POST /factors/:factor_id/verify: a code of the factor makes the session one of the second level, and a new factor count. */
export const verifyFactor: Operation = async (context, request) => {
  const { user, session } = await authenticateOwner(context, request);
  const factor = findFactorOf(user, request);
  const body = readBody(BODY, request.body);
  if (body.code === '') throw new AuthError('validation_failed', { message: 'Code needs to be non-empty' });
  requireVerifiable(context.settings, factor);
  const attempt = {
    factor,
    userId: user.id,
    sessionId: session.id,
    challengeId: body.challenge_id,
    code: body.code,
    ip: networkAddressOf(request),
  };
  const judgement = await asAuthAdmin(context.db, 'judge a code', (tx) => judge(tx, context, attempt));
  if (judgement.kind !== 'unread') {
    const valid = judgement.kind === 'right';
    // Between two transactions: no row is held while a hook is asked.
    await askAboutFactor(context, request, {
      userId: user.id,
      factorId: factor.id,
      factorType: 'totp',
      valid,
    });
  }
  if (judgement.kind !== 'right') throw judgement.error;
  const { opened, raised, isNew } = await asAuthAdmin(context.db, 'verify a second factor', (tx) =>
    raise(tx, context, attempt),
  );
  if (isNew) notifyChange(context, { kind: 'mfa_factor_enrolled', user: raised, factorType: 'totp' });
  return { body: await presentSession(context, raised, opened) };
};

type Attempt = {
  readonly factor: FactorRow;
  readonly userId: string;
  readonly sessionId: string;
  readonly challengeId: string;
  readonly code: string;
  readonly ip: string;
};

async function judge(tx: Transaction, context: AuthContext, attempt: Attempt): Promise<Judgement> {
  // What is done to an account's factors at the same time happens one after the other.
  await findUser(tx, { id: attempt.userId }, { lock: true });
  const guess = { what: 'app', userId: attempt.userId } as const;
  const refusal =
    (await checkChallenge(tx, context, attempt)) ??
    (await countFactorAttempt(tx, context.settings, guess, context.now()));
  if (refusal) return { kind: 'unread', error: refusal };
  if (await isRightCode(tx, context, attempt)) return { kind: 'right' };
  const error = new AuthError('mfa_verification_failed', { message: 'Invalid TOTP code entered' });
  return { kind: 'wrong', error };
}

type Raised = {
  readonly opened: OpenedSession;
  readonly raised: UserRow;
  /** The factor counts from now on. */
  readonly isNew: boolean;
};

/** After a right code. @throws mfa_factor_not_found, session_not_found for what has gone meanwhile */
async function raise(tx: Transaction, context: AuthContext, attempt: Attempt): Promise<Raised> {
  const now = context.now();
  const { userId, sessionId, challengeId } = attempt;
  const owner = await findUser(tx, { id: userId }, { lock: true });
  const factor = owner?.factors.find(({ id }) => id === attempt.factor.id);
  if (!factor) throw new AuthError('mfa_factor_not_found');
  await forgiveFactorAttempt(tx, context.settings, { what: 'app', userId });
  await markChallengeVerified(tx, challengeId, now);
  await confirmFactor(tx, { id: factor.id, userId, type: factor.factor_type }, now);
  const opened = await raiseSession(tx, { userId, sessionId, factorId: factor.id, method: 'totp' }, now);
  const raised = await findUser(tx, { id: userId });
  if (!opened || !raised) throw new AuthError('session_not_found');
  return { opened, raised, isNew: factor.status !== 'verified' };
}

/** A challenge is answered once, from where it was asked for, before its time is over. */
async function checkChallenge(
  tx: Transaction,
  { settings, now }: AuthContext,
  { factor, challengeId: id, ip }: Attempt,
): Promise<AuthError | undefined> {
  const challenge = isUuid(id) ? await takeChallenge(tx, { id, factorId: factor.id, ip }) : undefined;
  if (!challenge)
    return new AuthError('mfa_factor_not_found', {
      status: 422,
      message: 'MFA factor with the provided challenge ID not found',
    });
  if (challenge.verifiedAt !== null || !challenge.isSameAddress)
    return new AuthError('mfa_ip_address_mismatch');
  if (now().getTime() < challenge.createdAt.getTime() + settings.factorChallengeLifetime * 1000)
    return undefined;
  await deleteChallenge(tx, id);
  return new AuthError('mfa_challenge_expired', {
    message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  });
}

/** A code is right once: of its time, and newer than the last one that was. */
async function isRightCode(
  tx: Transaction,
  { keyring, now }: AuthContext,
  { factor, code }: Attempt,
): Promise<boolean> {
  const sealed = await findFactorSecret(tx, factor.id);
  // Somebody has removed it while the person was typing.
  if (sealed === undefined) throw new AuthError('mfa_factor_not_found');
  const secret = keyring.factorSecrets.unseal(sealed, factor.id);
  if (!secret)
    throw new AuthError('unexpected_failure', {
      cause: new Error(`no key of this installation opens the secret of factor ${factor.id}`),
    });
  if (secret.outdated)
    await replaceFactorSecret(tx, {
      id: factor.id,
      before: sealed,
      secret: keyring.factorSecrets.seal(secret.text, factor.id),
    });
  const timeStep = findTimeStep(secret.text, code, now());
  return timeStep !== undefined && takeTimeStep(tx, { factorId: factor.id, timeStep });
}
