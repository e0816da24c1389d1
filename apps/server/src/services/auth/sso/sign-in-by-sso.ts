import { randomUUID } from 'node:crypto';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { draftUser } from '../draft-user.ts';
import { askBeforeUserCreated } from '../hooks/before-user-created.ts';
import { findIdentity, insertUser, renewIdentity } from '../stores/identities.ts';
import { fillMetadata, findUser, setSsoEmail, type UserRow, validateMetadata } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import type { Asserted } from './read-assertion.ts';
import type { SsoProvider } from './sso-store.ts';

/** Somebody of an organisation, as an account remembers them. */
export type SsoProfile = {
  /** `sso:` and the organisation's id: its people are its own, and nobody else's. */
  readonly provider: string;
  readonly subject: string;
  readonly email: string;
  readonly data: Record<string, unknown>;
};

/** Claims with a name of their own; others are the organisation's. (Source: GoTrue, `provider.Claims`.) */
const KNOWN_CLAIMS: readonly string[] = [
  'name',
  'full_name',
  'family_name',
  'given_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'avatar_url',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
];

/**
 * Who an identity provider says that somebody is. One that has domains vouches for addresses of these alone: else whoever runs it could be
 * anybody, and see what is shared with them.
 * @throws saml_assertion_no_email
 */
export function profileOf(provider: SsoProvider, { subject, email, claims }: Asserted): SsoProfile {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (provider.domains.length > 0 && !provider.domains.includes(domain))
    throw new AuthError('saml_assertion_no_email', {
      message: 'SAML Assertion does not contain an email address of a domain of its SSO provider',
    });
  const { email: _email, ...others } = claims;
  const known = Object.fromEntries(Object.entries(others).filter(([name]) => KNOWN_CLAIMS.includes(name)));
  const custom = Object.fromEntries(Object.entries(others).filter(([name]) => !KNOWN_CLAIMS.includes(name)));
  const data = {
    ...known,
    ...(Object.keys(custom).length > 0 ? { custom_claims: custom } : {}),
    iss: provider.entityId,
    sub: subject,
    email,
    email_verified: true,
    phone_verified: false,
  };
  return { provider: `sso:${provider.id}`, subject, email, data };
}

/**
 * Asks the operator's hook about somebody who has no account yet, before the transaction that opens it.
 * @returns whether an account may be opened: false for somebody who has one
 * @throws what the hook refuses with
 */
export async function askBeforeSsoSignUp(
  context: AuthContext,
  request: Pick<AuthRequest, 'ip'>,
  profile: SsoProfile,
): Promise<boolean> {
  const { settings, db, now } = context;
  if (!settings.hooks.before_user_created || !settings.signUpEnabled) return true;
  const known = await asAuthAdmin(db, 'look for an account of an organisation', (tx) =>
    findIdentity(tx, profile),
  );
  if (known) return false;
  const { email, data, provider } = profile;
  await askBeforeUserCreated(context, request, draftUser(randomUUID(), { email, data, provider }, now()));
  return true;
}

type SignUpRules = { readonly signUpEnabled: boolean; readonly mayOpen: boolean };

/**
 * Finds or opens the account of an organisation's person: by the identity provider's own id alone. An account with the same address that came
 * by another way is another one.
 * @throws user_banned, signup_disabled, conflict; validation_failed for data of somebody new that are too large
 */
export async function signInBySso(
  tx: Transaction,
  { signUpEnabled, mayOpen }: SignUpRules,
  profile: SsoProfile,
  now: Date,
): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
  const { email, data } = profile;
  const known = await findIdentity(tx, profile);
  if (!known && !signUpEnabled) throw new AuthError('signup_disabled');
  // The account was there a moment ago, and nobody was asked about a new one.
  if (!known && !mayOpen) throw new AuthError('conflict');
  // Whoever has an account keeps what was said before: one more group must not lock out people who can do nothing about it.
  if (!known) validateMetadata(data);
  const identity = { ...profile, emailVerified: true };
  const id = known
    ? known.userId
    : await insertUser(tx, { email, passwordHash: '', userMetadata: data, identity, isSso: true }, now);
  const user = id === undefined ? undefined : await findUser(tx, { id }, { lock: true });
  if (!user) throw new AuthError('conflict');
  if (isBanned(user, now)) throw new AuthError('user_banned');
  if (!known) return { user, isNew: true };
  await renewIdentity(tx, identity, now);
  await setSsoEmail(tx, { userId: user.id, email }, now);
  await fillMetadata(tx, user, identity, known.data, now);
  return { user: (await findUser(tx, { id: user.id })) ?? user, isNew: false };
}
