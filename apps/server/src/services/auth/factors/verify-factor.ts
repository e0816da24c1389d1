import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isUuid, readBody, text } from '../body-fields.ts';
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

/** What came of a code. Not thrown where something was written that a rollback would forget. */
type Outcome =
  | { readonly kind: 'raised'; readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly kind: 'refused'; readonly error: AuthError };

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
  const outcome = await asAuthAdmin(context.db, 'verify a second factor', (tx) =>
    verify(tx, context, attempt),
  );
  if (outcome.kind === 'refused') throw outcome.error;
  return { body: await presentSession(context, outcome.user, outcome.opened) };
};

type Attempt = {
  readonly factor: FactorRow;
  readonly userId: string;
  readonly sessionId: string;
  readonly challengeId: string;
  readonly code: string;
  readonly ip: string;
};

async function verify(tx: Transaction, context: AuthContext, attempt: Attempt): Promise<Outcome> {
  const { settings } = context;
  const now = context.now();
  const { userId, factor, sessionId } = attempt;
  // What is done to an account's factors at the same time happens one after the other.
  await findUser(tx, { id: userId }, { lock: true });
  const guess = { what: 'app', userId } as const;
  const refusal =
    (await checkChallenge(tx, context, attempt)) ?? (await countFactorAttempt(tx, settings, guess, now));
  if (refusal) return { kind: 'refused', error: refusal };
  if (!(await isRightCode(tx, context, attempt)))
    return {
      kind: 'refused',
      error: new AuthError('mfa_verification_failed', { message: 'Invalid TOTP code entered' }),
    };
  await forgiveFactorAttempt(tx, settings, guess);
  await markChallengeVerified(tx, attempt.challengeId, now);
  await confirmFactor(tx, { id: factor.id, userId, type: factor.factor_type }, now);
  const opened = await raiseSession(tx, { userId, sessionId, factorId: factor.id, method: 'totp' }, now);
  const user = await findUser(tx, { id: userId });
  if (!opened || !user) throw new AuthError('session_not_found');
  return { kind: 'raised', user, opened };
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
