import * as v from 'valibot';
import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { deleteChallenge, type FactorRow } from '../stores/factors.ts';
import type { UserRow } from '../stores/users.ts';
import { listCredentials, saveSignCount } from '../stores/webauthn-credentials.ts';
import {
  type CreatedResponse,
  type ProofResponse,
  readAskedChallenge,
  readCreatedResponse,
  readProofResponse,
  unlessWrong,
} from './credential-response.ts';
import { type CreatedCredential, readCreated, readProof } from './webauthn.ts';

const ANSWER = v.object({
  type: v.picklist(['create', 'request']),
  credential_response: v.optional(v.unknown()),
});

/** What an authenticator has said to a challenge. */
export type CredentialAnswer =
  | { readonly type: 'create'; readonly response: CreatedResponse }
  | { readonly type: 'request'; readonly response: ProofResponse };

/**
 * Reads the field `webauthn` of a request. The `rpId` and `rpOrigins` that clients send along are not asked.
 * @throws validation_failed
 */
export function readCredentialAnswer(raw: unknown): CredentialAnswer {
  if (raw === undefined || raw === null) throw invalid('WebAuthn config required');
  const answer = v.safeParse(ANSWER, raw);
  if (!answer.success) throw invalid('WebAuthn type must be create or request');
  const { type, credential_response: response } = answer.output;
  if (response === undefined || response === null) throw invalid('credential_response required');
  const answered =
    type === 'create'
      ? { type, response: readCreatedResponse(response) }
      : { type, response: readProofResponse(response) };
  if (!answered.response) throw invalid('Invalid credential_response');
  return answered as CredentialAnswer;
}

function invalid(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}

type Attempt = {
  readonly user: UserRow;
  /** As it is under the account's lock. */
  readonly factor: FactorRow;
  readonly answer: CredentialAnswer;
  readonly challenge: { readonly id: string; readonly sessionData: unknown };
};

/** The factor that was proven, and the credential that it is from now on where it was none. */
export type ProvenCredential = { readonly factorId: string; readonly created?: CreatedCredential };

/**
 * Judges an answer. The challenge is used up by it, right or wrong. A factor that nothing has proven yet is only created, one that counts only
 * proven; any authenticator of the account proves, as its options say.
 * @returns undefined for a wrong one
 */
export async function proveCredential(
  tx: Transaction,
  settings: AuthSettings,
  { user, factor, answer, challenge }: Attempt,
): Promise<ProvenCredential | undefined> {
  await deleteChallenge(tx, challenge.id);
  const asked = readAskedChallenge(challenge.sessionData);
  const expected = factor.status === 'verified' ? 'request' : 'create';
  if (asked === undefined || answer.type !== expected) return undefined;
  const known = await listCredentials(tx, user.id);
  const named = known.find(({ id: one }) => Buffer.from(one).toString('base64url') === answer.response.id);
  if (answer.type === 'create') {
    if (named) return undefined;
    const created = await unlessWrong(() => readCreated(settings, asked, answer.response));
    return created && { factorId: factor.id, created };
  }
  if (named?.status !== 'verified') return undefined;
  const proving = { credential: named, user };
  const signCount = await unlessWrong(() => readProof(settings, asked, answer.response, proving));
  if (signCount === undefined) return undefined;
  await saveSignCount(tx, { factorId: named.factorId, signCount });
  return { factorId: named.factorId };
}
