import * as v from 'valibot';
import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { deleteChallenge, type FactorRow } from '../stores/factors.ts';
import type { UserRow } from '../stores/users.ts';
import { listCredentials, saveSignCount } from '../stores/webauthn-credentials.ts';
import { type CreatedCredential, readCreated, readProof } from './webauthn.ts';

/** Far more than any authenticator says; a credential's id has 1023 bytes at most (WebAuthn, section 4). */
const bytes = v.pipe(v.string(), v.maxLength(65_536), v.regex(/^[\w-]*$/));
const id = v.pipe(v.string(), v.maxLength(1364), v.regex(/^[\w-]+$/));
const credential = { id, rawId: id, type: v.literal('public-key') };
/** The forms of WebAuthn, section 5.1: `RegistrationResponseJSON` and `AuthenticationResponseJSON`. What they say besides proves nothing. */
const CREATED = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(16)), []),
  }),
});
const PROOF = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: v.pipe(
      v.nullish(bytes),
      v.transform((handle) => handle ?? ''),
    ),
  }),
});

const ANSWER = v.object({
  type: v.picklist(['create', 'request']),
  credential_response: v.optional(v.unknown()),
});

/** What an authenticator has said to a challenge. */
export type CredentialAnswer =
  | { readonly type: 'create'; readonly response: v.InferOutput<typeof CREATED> }
  | { readonly type: 'request'; readonly response: v.InferOutput<typeof PROOF> };

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
  const read =
    type === 'create'
      ? { type, parsed: v.safeParse(CREATED, response) }
      : { type, parsed: v.safeParse(PROOF, response) };
  if (!read.parsed.success) throw invalid('Invalid credential_response');
  return { type: read.type, response: read.parsed.output } as CredentialAnswer;
}

function invalid(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}

const SESSION = v.object({ challenge: v.pipe(v.string(), v.nonEmpty()) });

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
  const session = v.safeParse(SESSION, challenge.sessionData);
  const expected = factor.status === 'verified' ? 'request' : 'create';
  if (!session.success || answer.type !== expected) return undefined;
  const known = await listCredentials(tx, user.id);
  const named = known.find(({ id: one }) => Buffer.from(one).toString('base64url') === answer.response.id);
  const { challenge: asked } = session.output;
  if (answer.type === 'create') {
    if (named) return undefined;
    const created = await unlessWrong(() => readCreated(settings, asked, withoutExtensions(answer.response)));
    return created && { factorId: factor.id, created };
  }
  if (named?.status !== 'verified') return undefined;
  const proving = { credential: named, user };
  const signCount = await unlessWrong(() =>
    readProof(settings, asked, withoutExtensions(answer.response), proving),
  );
  if (signCount === undefined) return undefined;
  await saveSignCount(tx, { factorId: named.factorId, signCount });
  return { factorId: named.factorId };
}

/** The library throws for whatever does not hold. */
async function unlessWrong<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/** What a browser adds, and nothing here reads. */
function withoutExtensions<T extends object>(response: T): T & { clientExtensionResults: object } {
  return { ...response, clientExtensionResults: {} };
}
