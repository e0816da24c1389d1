import { isUuid } from '@linkoteca/domain/uuid';
import type { Transaction } from '../../../kernel/database.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { type ChallengeRow, deleteChallenge, takeChallenge } from '../stores/factors.ts';

type Answering = { readonly challengeId: string; readonly factorId: string; readonly ip: string };

/**
 * A challenge that may still be answered: once, from where it was asked for, before its time is over.
 * @returns the refusal otherwise; not thrown, for a rollback would keep one whose time is over
 */
export async function takeOpenChallenge(
  tx: Transaction,
  { settings, now }: Pick<AuthContext, 'settings' | 'now'>,
  { challengeId: id, factorId, ip }: Answering,
): Promise<ChallengeRow | AuthError> {
  const challenge = isUuid(id) ? await takeChallenge(tx, { id, factorId, ip }) : undefined;
  if (!challenge)
    return new AuthError('mfa_factor_not_found', {
      status: 422,
      message: 'MFA factor with the provided challenge ID not found',
    });
  if (challenge.verifiedAt !== null || !challenge.isSameAddress)
    return new AuthError('mfa_ip_address_mismatch');
  if (now().getTime() < challenge.createdAt.getTime() + settings.factorChallengeLifetime * 1000)
    return challenge;
  await deleteChallenge(tx, id);
  return new AuthError('mfa_challenge_expired', {
    message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  });
}
