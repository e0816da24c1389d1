import { isUuid } from '@linkoteca/domain/uuid';
import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import { readAskedChallenge } from '../factors/credential-response.ts';
import { takeWebAuthnChallenge } from '../stores/webauthn-challenges.ts';

/** The field `challenge_id` of a request. @throws validation_failed */
export function readChallengeId(id: string): string {
  if (id === '') throw new AuthError('validation_failed', { message: 'challenge_id is required' });
  if (!isUuid(id)) throw new AuthError('validation_failed', { message: 'challenge_id must be a valid UUID' });
  return id;
}

/**
 * What had to be answered. The challenge is used up, whatever becomes of the answer.
 * @returns the refusal otherwise; not thrown, for a rollback would keep the challenge
 */
export async function takeAnsweredChallenge(
  tx: Transaction,
  asked: Parameters<typeof takeWebAuthnChallenge>[1],
  now: Date,
): Promise<string | AuthError> {
  const challenge = await takeWebAuthnChallenge(tx, asked);
  const answered = challenge && readAskedChallenge(challenge.sessionData);
  if (!challenge || answered === undefined) return new AuthError('webauthn_challenge_not_found');
  return now < challenge.expiresAt ? answered : new AuthError('webauthn_challenge_expired');
}
