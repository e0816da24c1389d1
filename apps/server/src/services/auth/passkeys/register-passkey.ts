import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOpenSession } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';
import { type CreatedResponse, readCreatedResponse, unlessWrong } from '../factors/credential-response.ts';
import type { FactorOwner } from '../factors/find-own-factor.ts';
import { beginCreation, readCreated } from '../factors/webauthn.ts';
import { recordAct } from '../stores/audit-log.ts';
import { insertPasskey, listPasskeys, type Passkey } from '../stores/passkeys.ts';
import type { FoundSession } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';
import { insertWebAuthnChallenge } from '../stores/webauthn-challenges.ts';
import { listCredentials } from '../stores/webauthn-credentials.ts';
import { isFreshSession } from '../validate-password.ts';
import { authenticatePasskeyOwner } from './own-passkeys.ts';
import { presentPasskey } from './present-passkey.ts';
import { readChallengeId, takeAnsweredChallenge } from './take-answered-challenge.ts';

/** Of one account. (Source: GoTrue, `MaxPasskeysPerUser`.) */
const MOST_PASSKEYS = 10;

/** POST /passkeys/registration/options: what the browser has to ask of an authenticator for a new passkey of the person. */
export const beginPasskeyRegistration: Operation = async (context, request) => {
  const { user } = await authenticateRegistrant(context, request);
  const now = context.now();
  const expiresAt = new Date(now.getTime() + context.settings.factorChallengeLifetime * 1000);
  const { id, options } = await asAuthAdmin(context.db, 'ask for a new passkey', async (tx) => {
    const passkeys = await listPasskeys(tx, user.id);
    if (passkeys.length >= MOST_PASSKEYS) throw new AuthError('too_many_passkeys');
    // A key that is a second factor on the same authenticator would be written over: both are known there by the account's id.
    const known = [...passkeys, ...(await listCredentials(tx, user.id))];
    const begun = await beginCreation(context.settings, { user, known, residentKey: 'required' });
    const asked = { type: 'registration', userId: user.id, session: begun.session, expiresAt } as const;
    return { id: await insertWebAuthnChallenge(tx, asked, now), options: begun.options };
  });
  return { body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) } };
};

const BODY = v.object({ challenge_id: text, credential: v.optional(v.unknown()) });

/** POST /passkeys/registration/verify: the passkey is the person's from now on. */
export const registerPasskey: Operation = async (context, request) => {
  const { user, session } = await authenticateRegistrant(context, request);
  const body = readBody(BODY, request.body);
  const challengeId = readChallengeId(body.challenge_id);
  if (body.credential === undefined || body.credential === null)
    throw new AuthError('validation_failed', { message: 'credential is required' });
  const response = readCreatedResponse(body.credential);
  const made = await asAuthAdmin(context.db, 'add a passkey', (tx) =>
    add(tx, context, { userId: user.id, session, challengeId, response, ip: request.ip }),
  );
  if (made instanceof AuthError) throw made;
  return { body: presentPasskey(made) };
};

type Registration = {
  readonly userId: string;
  readonly session: FoundSession;
  readonly challengeId: string;
  /** Undefined for an answer of another shape, which uses the challenge up as any other. */
  readonly response: CreatedResponse | undefined;
  readonly ip: string;
};

/** @returns the refusal; not thrown, as in `takeAnsweredChallenge` */
async function add(
  tx: Transaction,
  { settings, now: readClock }: Pick<AuthContext, 'settings' | 'now'>,
  { userId, session, challengeId, response, ip }: Registration,
): Promise<Passkey | AuthError> {
  const now = readClock();
  // Locked: of two at once, the second counts the first.
  if (!(await findUser(tx, { id: userId }, { lock: true }))) return new AuthError('user_not_found');
  await requireOpenSession(tx, session);
  const asked = await takeAnsweredChallenge(tx, { type: 'registration', userId, id: challengeId }, now);
  if (asked instanceof AuthError) return asked;
  const created = response && (await unlessWrong(() => readCreated(settings, asked, response)));
  if (!created) return new AuthError('webauthn_verification_failed');
  if ((await listPasskeys(tx, userId)).length >= MOST_PASSKEYS) return new AuthError('too_many_passkeys');
  const made = await insertPasskey(tx, { userId, created }, now);
  if (!made) return new AuthError('webauthn_credential_exists');
  await recordAct(
    tx,
    { ip },
    { action: 'passkey_created', actor: userId, traits: { passkey_id: made.passkeyId } },
    now,
  );
  return made;
}

/**
 * Who adds a passkey. It outlives the session, and a change of password: a session that was left open, or stolen, is not enough.
 * @throws as `authenticatePasskeyOwner`; reauthentication_needed
 */
async function authenticateRegistrant(context: AuthContext, request: AuthRequest): Promise<FactorOwner> {
  const owner = await authenticatePasskeyOwner(context, request);
  if (owner.user.is_sso_user)
    throw new AuthError('validation_failed', { status: 422, message: 'SSO users cannot register passkeys' });
  if (!isFreshSession(owner.session, context.settings, context.now()))
    throw new AuthError('reauthentication_needed', { message: 'Sign in again to add a passkey' });
  return owner;
}
