import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { ProviderProfile } from '../providers/provider.ts';
import { forgetMailedTokens } from './one-time-tokens.ts';
import { AUDIENCE, findUser, type IdentityRow, INSTANCE_ID, type UserRow } from './users.ts';

export type FoundIdentity = {
  readonly userId: string;
  /** What the provider said the last time. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Finds the account of a provider's person. Whoever else asks for the same person waits until the transaction ends: of two browsers
 * that come back at once, the second sees what the first did.
 */
export async function findIdentity(
  tx: Transaction,
  { provider, subject }: Pick<ProviderProfile, 'provider' | 'subject'>,
): Promise<FoundIdentity | undefined> {
  await tx.query({
    name: 'auth_lock_identity',
    text: `select pg_advisory_xact_lock(hashtextextended('auth.identities ' || $1::text || ' ' || $2::text, 0))`,
    values: [provider, subject],
  });
  const { rows } = await tx.query<{ user_id: string; identity_data: Record<string, unknown> }>({
    name: 'auth_find_identity',
    text: 'select user_id, identity_data from auth.identities where provider = $1 and provider_id = $2',
    values: [provider, subject],
  });
  const [row] = rows;
  return row && { userId: row.user_id, data: row.identity_data };
}

export type NewIdentity = {
  /** `email`, or the name of another provider. */
  readonly provider: string;
  /** What the provider calls the person. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Gives an account a further way to sign in. A person of a provider belongs to one account: a second one is refused (23505). */
export async function insertIdentity(
  tx: Transaction,
  { userId, provider, subject, data }: NewIdentity & { readonly userId: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_insert_identity',
    text: `insert into auth.identities (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6, $6)`,
    values: [randomUUID(), subject, userId, data, provider, now],
  });
}

type NewUser = {
  /** Given by an operator who moves accounts; else a new one. */
  readonly id?: string;
  /** One of the two at least. */
  readonly email?: string | null;
  readonly phone?: string | null;
  /** Empty for an account that signs in by mails or texts only. */
  readonly passwordHash: string;
  readonly userMetadata: Record<string, unknown>;
  readonly appMetadata?: Record<string, unknown>;
  readonly role?: string;
  readonly invited?: boolean;
  /** Of another provider, which vouches for the address: the account is confirmed. Without it the account gets an identity of each of the two. */
  readonly identity?: NewIdentity;
  /** Of an organisation: others may have the same address. */
  readonly isSso?: boolean;
};

/**
 * Adds an account and its first identity. By e-mail or phone, it still has to be confirmed.
 * @returns its id, or undefined when the address, the number or the id is taken: of two that race, one wins.
 */
export async function insertUser(tx: Transaction, user: NewUser, now: Date): Promise<string | undefined> {
  const { id = randomUUID(), passwordHash, userMetadata, appMetadata = {}, role = AUDIENCE } = user;
  const { email = null, phone = null } = user;
  const identities = user.identity ? [user.identity] : ownIdentities(id, { email, phone });
  const providers = identities.map(({ provider }) => provider);
  const app = { provider: providers[0] ?? null, providers, ...appMetadata };
  const { rowCount } = await tx.query({
    name: 'auth_insert_user',
    // The empty tokens are what the platform's own reader expects: it cannot read null there.
    text: `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
        raw_user_meta_data, invited_at, created_at, updated_at, confirmation_token, recovery_token,
        email_change, email_change_token_new, email_confirmed_at, phone, is_sso_user)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, '', '', '', '', $11, $12, $13)
      on conflict do nothing`,
    values: [
      INSTANCE_ID,
      id,
      AUDIENCE,
      role,
      email,
      passwordHash,
      app,
      userMetadata,
      user.invited ? now : null,
      now,
      user.identity ? now : null,
      phone,
      user.isSso ?? false,
    ],
  });
  if (rowCount === 0) return undefined;
  for (const identity of identities) await insertIdentity(tx, { userId: id, ...identity }, now);
  return id;
}

function ownIdentities(
  userId: string,
  { email, phone }: { readonly email: string | null; readonly phone: string | null },
): readonly NewIdentity[] {
  return [
    ...(email === null ? [] : [emailIdentity(userId, email)]),
    ...(phone === null ? [] : [phoneIdentity(userId, phone)]),
  ];
}

/** Lets an account sign in by phone; its identity is named after the account. */
function phoneIdentity(userId: string, phone: string): NewIdentity {
  const data = { sub: userId, phone, email_verified: false, phone_verified: false };
  return { provider: 'phone', subject: userId, data };
}

/** Lets an account sign in by e-mail; its identity is named after the account. */
function emailIdentity(userId: string, email: string): NewIdentity {
  const data = { sub: userId, email, email_verified: false, phone_verified: false };
  return { provider: 'email', subject: userId, data };
}

/**
 * Opens an account that has neither an address nor any other way to sign in: only its session leads to it.
 * @returns its id
 */
export async function insertAnonymousUser(
  tx: Transaction,
  { id, userMetadata }: Pick<NewUser, 'userMetadata'> & { readonly id: string },
  now: Date,
): Promise<string> {
  await tx.query({
    name: 'auth_insert_anonymous_user',
    text: `insert into auth.users (instance_id, id, aud, role, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
        confirmation_token, recovery_token, email_change, email_change_token_new, encrypted_password, is_anonymous)
      values ($1, $2, $3, $3, '{}', $4, $5, $5, '', '', '', '', '', true)`,
    values: [INSTANCE_ID, id, AUDIENCE, userMetadata, now],
  });
  return id;
}

/** Gives an account another phone number in its identity of that kind, or such an identity with it. */
export async function setPhoneIdentity(
  tx: Transaction,
  { userId, phone, proven }: { readonly userId: string; readonly phone: string; readonly proven: boolean },
  now: Date,
): Promise<void> {
  const { subject, data } = phoneIdentity(userId, phone);
  await tx.query({
    name: 'auth_set_phone_identity',
    text: `insert into auth.identities as i (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      values ($2, $3, $1, $4, 'phone', $5, $5, $5)
      on conflict on constraint identities_provider_id_provider_unique do update
      set identity_data = i.identity_data || $6::jsonb, updated_at = $5`,
    values: [
      userId,
      randomUUID(),
      subject,
      { ...data, phone_verified: proven },
      now,
      { phone, phone_verified: proven },
    ],
  });
  await listProviders(tx, userId, now);
}

/**
 * Lets an account sign in by e-mail from now on under an address that it gets. Does nothing to an organisation's, nor to one that goes on
 * under an address that nobody has vouched for (`hasUnvouchedAddress`) and gets another such.
 */
export async function addEmailIdentity(
  tx: Transaction,
  { userId, email, proven }: { readonly userId: string; readonly email: string; readonly proven: boolean },
  now: Date,
): Promise<void> {
  const { subject, data } = emailIdentity(userId, email);
  const { rowCount } = await tx.query({
    name: 'auth_add_email_identity',
    text: `insert into auth.identities (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      select $2, $3, u.id, $4, 'email', $5, $5, $5 from auth.users u
      where u.id = $1 and not u.is_sso_user
        and (u.is_anonymous or u.email is null or u.email_confirmed_at is not null or $6::boolean)
      on conflict on constraint identities_provider_id_provider_unique do nothing`,
    values: [userId, randomUUID(), subject, { ...data, email_verified: proven }, now, proven],
  });
  if (rowCount > 0) await listProviders(tx, userId, now);
}

/** Lets an account that has no identity of its address left sign in by e-mail. */
export async function insertEmailIdentity(
  tx: Transaction,
  { userId, email }: { readonly userId: string; readonly email: string },
  now: Date,
): Promise<void> {
  await insertIdentity(tx, { userId, ...emailIdentity(userId, email) }, now);
  await listProviders(tx, userId, now);
}

const WITH_PASSWORD = ['email', 'phone'];

/**
 * Takes one of several identities away. The account goes on under an address that a remaining identity has, and without
 * its number when the phone goes; without an e-mail or phone identity it has no password either. Under another address than before it is
 * confirmed only if the provider vouches for that one, or if `trusting`; what was mailed to the old one is void.
 * @throws email_conflict_identity_not_deletable when every such address is somebody else's
 */
export async function deleteIdentity(
  tx: Transaction,
  { user, identity, trusting }: Removal,
  now: Date,
): Promise<void> {
  const left = user.identities.filter((one) => one.id !== identity.id);
  const isPhone = identity.provider === 'phone';
  const { email, isProven } = isPhone
    ? { email: user.email, isProven: true }
    : await chooseAddress(tx, user, left);
  const isLastWithPassword =
    WITH_PASSWORD.includes(identity.provider) &&
    !left.some(({ provider }) => WITH_PASSWORD.includes(provider));
  await tx.query({
    name: 'auth_delete_identity',
    text: 'delete from auth.identities where id = $1 and user_id = $2',
    values: [identity.id, user.id],
  });
  await tx.query({
    name: 'auth_go_on_without_identity',
    text: `update auth.users set email = $2::text, encrypted_password = case when $3 then '' else encrypted_password end, updated_at = $4,
        phone = case when $5 then null else phone end, phone_confirmed_at = case when $5 then null else phone_confirmed_at end,
        email_confirmed_at = case when $6 then email_confirmed_at end
      where id = $1`,
    values: [user.id, email, isLastWithPassword, now, isPhone, email !== null && (isProven || trusting)],
  });
  if (email !== user.email) await forgetRequests(tx, user.id);
}

type Removal = {
  readonly user: UserRow;
  readonly identity: IdentityRow;
  /** Addresses count as proven unasked: the installation wants no confirmation of them. */
  readonly trusting: boolean;
};

/** The account's own address while an identity has it; else the oldest that a provider vouches for; else the oldest. */
async function chooseAddress(
  tx: Transaction,
  user: UserRow,
  left: readonly IdentityRow[],
): Promise<{ readonly email: string | null; readonly isProven: boolean }> {
  const kept = { email: user.email, isProven: true };
  if (left.some(({ email }) => email === user.email)) return kept;
  const named = left
    .filter(({ email }) => email !== null)
    .map(({ email, identity_data: data }) => ({ email, isProven: data['email_verified'] === true }));
  const vouchedFirst = named.toSorted((one, other) => Number(other.isProven) - Number(one.isProven));
  for (const choice of vouchedFirst) if (!(await findUser(tx, { email: choice.email ?? '' }))) return choice;
  // Whoever goes on by phone alone has given the address up.
  if (left.some(({ provider }) => provider === 'phone')) return { email: null, isProven: false };
  if (named.length > 0) throw new AuthError('email_conflict_identity_not_deletable');
  return kept;
}

/** Voids what was asked for under an address that the account no longer has. */
async function forgetRequests(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_requests',
    text: `update auth.users set email_change = '', email_change_confirm_status = 0, phone_change = '' where id = $1`,
    values: [userId],
  });
  await forgetMailedTokens(tx, userId);
}

/** Notes what the provider says of a person today. */
export async function renewIdentity(
  tx: Transaction,
  { provider, subject, data }: ProviderProfile,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_renew_identity',
    text: `update auth.identities set identity_data = $3, updated_at = $4 where provider = $1 and provider_id = $2`,
    values: [provider, subject, data, now],
  });
}

/** Writes down, for tokens and screens, by which providers an account can sign in: the oldest first. */
export async function listProviders(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_list_providers',
    text: `update auth.users u
      set raw_app_meta_data = coalesce(raw_app_meta_data, '{}'::jsonb)
          || jsonb_build_object('provider', p.names -> 0, 'providers', p.names),
        updated_at = $2
      from (select jsonb_agg(provider order by first_at, provider) as names
            from (select provider, min(created_at) as first_at from auth.identities
                  where user_id = $1 group by provider) i) p
      where u.id = $1 and p.names is not null`,
    values: [userId, now],
  });
}
