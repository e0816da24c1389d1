import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import type { ProviderProfile } from '../providers/provider.ts';
import { FACTOR_COLUMNS, type FactorRow } from './factors.ts';

/** A row of `auth.identities`; times are ISO text because the rows arrive aggregated as JSON. */
export type IdentityRow = {
  id: string;
  user_id: string;
  provider_id: string;
  provider: string;
  identity_data: Record<string, unknown>;
  email: string | null;
  last_sign_in_at: string | null;
  created_at: string | null;
  updated_at: string | null;
};

/** A row of `auth.users` with its identities and second factors. */
export type UserRow = {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  phone: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number | null;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown> | null;
  raw_user_meta_data: Record<string, unknown> | null;
  created_at: Date | null;
  updated_at: Date | null;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_sso_user: boolean;
  is_anonymous: boolean;
  identities: IdentityRow[];
  factors: FactorRow[];
};

/** By name: a column that a newer version adds must not change what a prepared statement answers. */
const COLUMNS = [
  ...[
    'id',
    'aud',
    'role',
    'email',
    'phone',
    'encrypted_password',
    'email_confirmed_at',
    'phone_confirmed_at',
  ],
  ...['confirmed_at', 'invited_at', 'confirmation_sent_at', 'recovery_sent_at', 'email_change'],
  ...['email_change_sent_at', 'email_change_confirm_status', 'phone_change', 'phone_change_sent_at'],
  ...['reauthentication_sent_at', 'last_sign_in_at', 'raw_app_meta_data', 'raw_user_meta_data', 'created_at'],
  ...['updated_at', 'banned_until', 'deleted_at', 'is_sso_user', 'is_anonymous'],
] as const satisfies readonly Exclude<keyof UserRow, 'identities' | 'factors'>[];

/** Selects `UserRow`s; a condition on `u` follows. */
export const SELECT_USER = `select ${COLUMNS.map((column) => `u.${column}`).join(', ')},
  coalesce((select json_agg(i order by i.created_at, i.id)
            from auth.identities i where i.user_id = u.id), '[]') as identities,
  coalesce((select jsonb_agg(${FACTOR_COLUMNS} order by f.created_at, f.id)
            from auth.mfa_factors f where f.user_id = u.id), '[]'::jsonb) as factors
  from auth.users u`;

/** The one project of an installation: the platform's rows all carry it. */
export const INSTANCE_ID = '00000000-0000-0000-0000-000000000000';
/** Whom access tokens are for, and the role they give: the platform's only values for people. */
export const AUDIENCE = 'authenticated';

type FindUserOptions = {
  /** Keeps others from changing the account until the transaction ends. */
  readonly lock?: boolean;
};

/** Finds the account with an id, or a (normalised) e-mail address or phone number. Accounts of an SSO provider keep to their provider. */
export async function findUser(
  tx: Transaction,
  by: { readonly id: string } | { readonly email: string } | { readonly phone: string },
  { lock = false }: FindUserOptions = {},
): Promise<UserRow | undefined> {
  const [condition, value] = describeWanted(by);
  const values = [value];
  // First the lock: a statement that has to wait for it would show the identities as they were before.
  if (lock) {
    const locked = await tx.query({
      name: `auth_lock_user ${condition}`,
      text: `select from auth.users u where ${condition} for update`,
      values,
    });
    if (locked.rowCount === 0) return undefined;
  }
  const { rows } = await tx.query<UserRow>({
    name: `auth_find_user ${condition}`,
    text: `${SELECT_USER} where ${condition}`,
    values,
  });
  return rows[0];
}

function describeWanted(by: Parameters<typeof findUser>[1]): readonly [condition: string, value: string] {
  if ('id' in by) return ['u.id = $1::uuid', by.id];
  if ('phone' in by) return ['u.phone = $1 and not u.is_sso_user', by.phone];
  return ['u.email = $1 and not u.is_sso_user', by.email];
}

type UserPage = { readonly users: UserRow[]; readonly total: number };

/** Lists accounts by age. `filter` is text that the address, the number or the full name contains, whatever its case. */
export async function listUsers(
  tx: Transaction,
  page: {
    readonly filter: string;
    readonly newestFirst: boolean;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<UserPage> {
  const pattern = `%${page.filter.replace(/[\\%_]/g, '\\$&')}%`;
  const condition = `($1 = '%%' or u.email ilike $1 or u.phone ilike $1 or u.raw_user_meta_data ->> 'full_name' ilike $1)`;
  const direction = page.newestFirst ? 'desc' : 'asc';
  const { rows: users } = await tx.query<UserRow>({
    text: `${SELECT_USER} where ${condition}
      order by u.created_at ${direction}, u.id ${direction} limit $2 offset $3`,
    values: [pattern, page.limit, page.offset],
  });
  const { rows } = await tx.query<{ total: number }>({
    text: `select count(*)::int as total from auth.users u where ${condition}`,
    values: [pattern],
  });
  return { users, total: rows[0]?.total ?? 0 };
}

/** Gives an organisation's person the address that the organisation says today. */
export async function setSsoEmail(
  tx: Transaction,
  { userId, email }: { readonly userId: string; readonly email: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_set_sso_email',
    text: `update auth.users set email = $2, updated_at = $3 where id = $1 and is_sso_user and email is distinct from $2`,
    values: [userId, email, now],
  });
}

/** Shuts an account until a time; null opens it again. */
export async function banUser(tx: Transaction, userId: string, until: Date | null, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_ban_user',
    text: 'update auth.users set banned_until = $2, updated_at = $3 where id = $1',
    values: [userId, until, now],
  });
}

/** Deletes an account; foreign keys take its sessions, identities and belongings along, but not its flows. */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query({ text: 'delete from auth.users where id = $1', values: [userId] });
  await tx.query({ text: 'delete from auth.flow_state where user_id = $1', values: [userId] });
}

/** Sets the role an account's access tokens carry. */
export async function setRole(tx: Transaction, userId: string, role: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_set_role',
    text: 'update auth.users set role = $2, updated_at = $3 where id = $1',
    values: [userId, role, now],
  });
}

/**
 * Access tokens carry both kinds of metadata in a header of every request, and servers refuse headers of more than 16 KiB:
 * more than this would lock its owner out.
 */
const MAX_BYTES = 4096;

function isTooLarge(data: object): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > MAX_BYTES;
}

/** @throws validation_failed when data of this size would not fit an access token. */
export function validateMetadata(data: object): void {
  if (isTooLarge(data))
    throw new AuthError('validation_failed', {
      message: `User metadata cannot be longer than ${MAX_BYTES} bytes`,
    });
}

/**
 * Adds data to what an account has; a key with null is removed.
 * @throws validation_failed when the result is too large.
 */
export async function mergeMetadata(
  tx: Transaction,
  {
    userId,
    column,
    data,
  }: { userId: string; column: 'raw_user_meta_data' | 'raw_app_meta_data'; data: object },
  now: Date,
): Promise<void> {
  validateMetadata(data);
  const removed = Object.entries(data).flatMap(([key, value]) => (value === null ? [key] : []));
  const { rows } = await tx.query<{ merged: object }>({
    text: `update auth.users
      set ${column} = (coalesce(${column}, '{}'::jsonb) || $2::jsonb) - $3::text[], updated_at = $4
      where id = $1 returning ${column} as merged`,
    values: [userId, data, removed, now],
  });
  if (rows[0]) validateMetadata(rows[0].merged);
}

/**
 * Takes over what a provider says of a person, but never what the person has said here: a key is written when it is missing, or
 * still as this provider left it. The platform overwrites; there, a name that was changed in the profile is gone at the next sign-in.
 * Where there is no room for it all, everything stays as it was: a name that became longer must lock nobody out.
 * @param before what the provider said the last time; empty at the first.
 */
export async function fillMetadata(
  tx: Transaction,
  user: Pick<UserRow, 'id' | 'raw_user_meta_data'>,
  { data }: ProviderProfile,
  before: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  const own = user.raw_user_meta_data ?? {};
  const news = Object.fromEntries(
    Object.entries(data).filter(
      ([key, value]) =>
        JSON.stringify(own[key]) !== JSON.stringify(value) &&
        (own[key] === undefined || JSON.stringify(own[key]) === JSON.stringify(before[key])),
    ),
  );
  if (Object.keys(news).length === 0 || isTooLarge({ ...own, ...news })) return;
  await mergeMetadata(tx, { userId: user.id, column: 'raw_user_meta_data', data: news }, now);
}
