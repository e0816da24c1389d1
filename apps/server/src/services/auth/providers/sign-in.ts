import { randomUUID } from 'node:crypto';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { authenticate, type SignedIn } from '../authenticate.ts';
import { readEmail } from '../body-fields.ts';
import { draftUser } from '../draft-user.ts';
import { requireSecondLevel } from '../factors/assurance.ts';
import { askBeforeUserCreated } from '../hooks/before-user-created.ts';
import { adoptUnconfirmed, setVouchedEmail } from '../stores/credentials.ts';
import {
  findIdentity,
  insertIdentity,
  insertUser,
  listProviders,
  renewIdentity,
} from '../stores/identities.ts';
import { deleteUser, fillMetadata, findUser, type UserRow } from '../stores/users.ts';
import { isBanned, isMereClaim } from '../user-state.ts';
import type { ProviderProfile } from './provider.ts';

/**
 * Asks the operator's hook about a provider's person who has no account yet, before the transaction that opens it.
 * @returns whether an account may be opened: false for somebody who has one
 * @throws what the hook refuses with
 */
export async function askBeforeProviderSignUp(
  context: AuthContext,
  request: Pick<AuthRequest, 'ip'>,
  profile: ProviderProfile,
): Promise<boolean> {
  const { settings, db, now } = context;
  if (!settings.hooks.before_user_created || !settings.signUpEnabled) return true;
  if (profile.email === '' || !profile.emailVerified) return true;
  const email = readEmail(profile.email);
  const isKnown = await asAuthAdmin(db, 'look for an account of a provider', async (tx) =>
    Boolean((await findIdentity(tx, profile)) ?? (await findUser(tx, { email }))),
  );
  if (isKnown) return false;
  const { provider, data } = profile;
  await askBeforeUserCreated(context, request, draftUser(randomUUID(), { email, data, provider }, now()));
  return true;
}

/**
 * Finds or opens the account of a provider's person: by the provider's own id; else by the address, if the provider vouches for it;
 * else a new one. An address that is not vouched for leads into nobody's account, and opens none.
 * @throws user_banned, signup_disabled, provider_email_needs_verification, validation_failed
 */
export async function signInByProvider(
  tx: Transaction,
  rules: SignUpRules,
  profile: ProviderProfile,
  now: Date,
): Promise<UserRow> {
  const known = await findIdentity(tx, profile);
  if (known) {
    const user = await takeUser(tx, known.userId, now);
    await renewIdentity(tx, profile, now);
    await fillMetadata(tx, user, profile, known.data, now);
    return takeUser(tx, known.userId, now);
  }
  return takeUser(tx, await joinByAddress(tx, rules, profile, now), now);
}

/** @returns the id of the account that the person now signs in to. */
async function joinByAddress(
  tx: Transaction,
  rules: SignUpRules,
  profile: ProviderProfile,
  now: Date,
): Promise<string> {
  const email = readVouchedAddress(profile);
  const owner = await findUser(tx, { email }, { lock: true });
  if (!owner && !rules.signUpEnabled) throw new AuthError('signup_disabled');
  // The account was there a moment ago, and nobody was asked about a new one.
  if (!owner && !rules.mayOpen) throw new AuthError('conflict');
  const added = owner
    ? undefined
    : await insertUser(tx, { email, passwordHash: '', userMetadata: profile.data, identity: profile }, now);
  if (added !== undefined) {
    rules.onOpened?.(added);
    return added;
  }
  // Somebody may have signed up with the address at this very moment.
  const user = owner ?? (await findUser(tx, { email }, { lock: true }));
  if (!user) throw new AuthError('conflict');
  if (isBanned(user, now)) throw new AuthError('user_banned');
  if (!user.email_confirmed_at) await adoptUnconfirmed(tx, user, now);
  await linkIdentity(tx, { userId: user.id, profile }, now);
  return user.id;
}

type SignUpRules = Pick<AuthSettings, 'signUpEnabled'> & {
  /** As `askBeforeProviderSignUp` says. */
  readonly mayOpen: boolean;
  /** Told the id of an account that is opened; the transaction has not ended then. */
  readonly onOpened?: (id: string) => void;
};

/** @throws manual_linking_disabled */
export function requireLinking({ settings, providers }: Pick<AuthContext, 'settings' | 'providers'>): void {
  if (!settings.manualLinkingEnabled || !providers.isAnyOffered)
    throw new AuthError('manual_linking_disabled');
}

/**
 * Tells who wants another way in. It outlives the session, and a changed password: whoever has only the password of an account with a
 * second factor adds none. GoTrue asks that of a new factor, and not of this.
 * @throws as `authenticate`; manual_linking_disabled, insufficient_aal
 */
export async function authenticateToLink(context: AuthContext, request: AuthRequest): Promise<SignedIn> {
  const signedIn = await authenticate(context, request);
  requireLinking(context);
  requireSecondLevel(signedIn, { message: 'AAL2 required to link an identity' });
  return signedIn;
}

/**
 * Adds a provider's person to the account of somebody who asked for it while signed in. The address may be another one: whoever
 * is signed in to both has shown that both are theirs. An account without an address gets the one that the provider vouches for.
 * @throws identity_already_exists, user_not_found, user_banned, user_sso_managed; for an account without an address also email_exists,
 *   provider_email_needs_verification, validation_failed
 */
export async function linkToAccount(
  tx: Transaction,
  { userId, profile }: { readonly userId: string; readonly profile: ProviderProfile },
  now: Date,
): Promise<UserRow> {
  const known = await findIdentity(tx, profile);
  if (known)
    throw new AuthError(
      'identity_already_exists',
      known.userId === userId ? {} : { message: 'Identity is already linked to another user' },
    );
  const user = await takeUser(tx, userId, now);
  // Another way in would stay open when the organisation lets somebody go.
  if (user.is_sso_user) throw new AuthError('user_sso_managed');
  if (user.email === null) await takeAddress(tx, user, profile, now);
  await linkIdentity(tx, { userId, profile }, now);
  return (await findUser(tx, { id: userId })) ?? user;
}

async function takeAddress(
  tx: Transaction,
  user: UserRow,
  profile: ProviderProfile,
  now: Date,
): Promise<void> {
  const email = readVouchedAddress(profile);
  const owner = await findUser(tx, { email }, { lock: true });
  if (owner && !isMereClaim(owner, now)) throw new AuthError('email_exists');
  // Whoever holds the mailbox has just decided what its address is for.
  if (owner) await deleteUser(tx, owner.id);
  await setVouchedEmail(tx, { userId: user.id, email }, now);
}

/** @throws provider_email_needs_verification, validation_failed */
function readVouchedAddress({ provider, email, emailVerified }: ProviderProfile): string {
  if (email === '')
    throw new AuthError('validation_failed', { message: 'Error getting user email from external provider' });
  if (!emailVerified)
    throw new AuthError('provider_email_needs_verification', {
      message: `Unverified email with ${provider}. Verify the email with the provider first`,
    });
  return readEmail(email);
}

/** Adds a provider's person, who belongs to nobody yet, to an account. */
async function linkIdentity(
  tx: Transaction,
  { userId, profile }: { readonly userId: string; readonly profile: ProviderProfile },
  now: Date,
): Promise<void> {
  await insertIdentity(tx, { userId, ...profile }, now);
  await listProviders(tx, userId, now);
  const user = await takeUser(tx, userId, now);
  await fillMetadata(tx, user, profile, {}, now);
}

async function takeUser(tx: Transaction, id: string, now: Date): Promise<UserRow> {
  const user = await findUser(tx, { id }, { lock: true });
  if (!user) throw new AuthError('user_not_found');
  if (isBanned(user, now)) throw new AuthError('user_banned');
  return user;
}
