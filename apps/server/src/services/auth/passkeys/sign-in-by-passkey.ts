import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { deviceOf, rememberDevice } from '../devices.ts';
import { type ProofResponse, readProofResponse, unlessWrong } from '../factors/credential-response.ts';
import { beginRequest, readProof } from '../factors/webauthn.ts';
import { presentSession } from '../present/present-session.ts';
import { notePasskeyUse, takePasskey } from '../stores/passkeys.ts';
import { type Device, type OpenedSession, openSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { insertWebAuthnChallenge } from '../stores/webauthn-challenges.ts';
import { isBanned } from '../user-state.ts';
import { readChallengeId, takeAnsweredChallenge } from './take-answered-challenge.ts';

/** POST /passkeys/authentication/options: what the browser has to ask for. Nobody is named: the authenticator says whose key it is. */
export const beginPasskeySignIn: Operation = async (context) => {
  const now = context.now();
  const expiresAt = new Date(now.getTime() + context.settings.factorChallengeLifetime * 1000);
  const { options, session } = await beginRequest(context.settings);
  const asked = { type: 'authentication', session, expiresAt } as const;
  const id = await asAuthAdmin(context.db, 'ask for a passkey', (tx) =>
    insertWebAuthnChallenge(tx, asked, now),
  );
  return { body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) } };
};

const BODY = v.object({ challenge_id: text, credential: v.optional(v.unknown()) });

/**
 * POST /passkeys/authentication/verify: the answer of an authenticator for a session of the first level. An unknown key and a wrong answer are
 * refused alike.
 */
export const signInByPasskey: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const challengeId = readChallengeId(body.challenge_id);
  if (body.credential === undefined || body.credential === null)
    throw new AuthError('validation_failed', { message: 'credential is required' });
  const answer = { challengeId, response: readProofResponse(body.credential), device: deviceOf(request) };
  const signedIn = await asAuthAdmin(context.db, 'sign in by a passkey', (tx) => signIn(tx, context, answer));
  if (signedIn instanceof AuthError) throw signedIn;
  const headers = await rememberDevice(context, request, signedIn.user.email ?? signedIn.user.phone);
  return { headers, body: await presentSession(context, signedIn.user, signedIn.opened) };
};

type Answer = {
  readonly challengeId: string;
  /** Undefined for an answer of another shape, which uses the challenge up as any other. */
  readonly response: ProofResponse | undefined;
  readonly device: Device;
};

/** @returns the refusal; not thrown, as in `takeAnsweredChallenge` */
async function signIn(
  tx: Transaction,
  context: Pick<AuthContext, 'settings' | 'now'>,
  { challengeId, response, device }: Answer,
): Promise<{ readonly user: UserRow; readonly opened: OpenedSession } | AuthError> {
  const now = context.now();
  const asked = await takeAnsweredChallenge(tx, { type: 'authentication', id: challengeId }, now);
  if (asked instanceof AuthError) return asked;
  const proven = response && (await prove(tx, context, asked, response));
  if (!proven) return new AuthError('webauthn_verification_failed');
  const { user, passkeyId, signCount } = proven;
  await notePasskeyUse(tx, { passkeyId, signCount }, now);
  if (isBanned(user, now)) return new AuthError('user_banned');
  if (!user.email_confirmed_at && !user.phone_confirmed_at)
    return new AuthError('email_not_confirmed', { status: 403 });
  const opening = { userId: user.id, method: 'passkey', provider: 'passkey', device } as const;
  const opened = await openSession(tx, opening, now);
  return { user: (await findUser(tx, { id: user.id })) ?? user, opened };
}

async function prove(
  tx: Transaction,
  { settings }: Pick<AuthContext, 'settings'>,
  asked: string,
  response: ProofResponse,
) {
  const passkey = await takePasskey(tx, response.id);
  const user = passkey && (await findUser(tx, { id: passkey.userId }));
  // A key that signs in says whose it is, always (WebAuthn, section 7.2, step 6).
  if (!user || response.response.userHandle === '') return undefined;
  const proving = { credential: passkey, user };
  const signCount = await unlessWrong(() => readProof(settings, asked, response, proving));
  return signCount === undefined ? undefined : { user, passkeyId: passkey.passkeyId, signCount };
}
