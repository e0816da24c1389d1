import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { insertIdentity, type NewIdentity } from './insert-identity.ts';
import { AUDIENCE, INSTANCE_ID } from './user-row.ts';

export type NewUser = {
  /** Given by an operator who moves accounts; else a new one. */
  readonly id?: string;
  readonly email: string;
  /** Empty for an account that signs in by mail only. */
  readonly passwordHash: string;
  readonly userMetadata: Record<string, unknown>;
  readonly appMetadata?: Record<string, unknown>;
  readonly role?: string;
  readonly invited?: boolean;
  /** Of another provider, which vouches for the address: the account is confirmed. Without it the account gets an e-mail identity. */
  readonly identity?: NewIdentity;
};

/**
 * Adds an account and its first identity. By e-mail, it still has to be confirmed.
 * @returns its id, or undefined when the address (or the id) is taken: of two that race, one wins.
 */
export async function insertUser(tx: Transaction, user: NewUser, now: Date): Promise<string | undefined> {
  const { id = randomUUID(), email, passwordHash, userMetadata, appMetadata = {}, role = AUDIENCE } = user;
  const provider = user.identity?.provider ?? 'email';
  const app = { provider, providers: [provider], ...appMetadata };
  const { rowCount } = await tx.query({
    name: 'auth_insert_user',
    // The empty tokens are what the platform's own reader expects: it cannot read null there.
    text: `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
        raw_user_meta_data, invited_at, created_at, updated_at, confirmation_token, recovery_token,
        email_change, email_change_token_new, email_confirmed_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, '', '', '', '', $11)
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
    ],
  });
  if (rowCount === 0) return undefined;
  await insertIdentity(tx, { userId: id, ...(user.identity ?? emailIdentity(id, email)) }, now);
  return id;
}

/** Lets an account sign in by e-mail; its identity is named after the account. */
function emailIdentity(userId: string, email: string): NewIdentity {
  const data = { sub: userId, email, email_verified: false, phone_verified: false };
  return { provider: 'email', subject: userId, data };
}
