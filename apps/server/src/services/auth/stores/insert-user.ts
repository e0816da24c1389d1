import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
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
};

/**
 * Adds an unconfirmed account and its e-mail identity.
 * @returns its id, or undefined when the address (or the id) is taken: of two that race, one wins.
 */
export async function insertUser(tx: Transaction, user: NewUser, now: Date): Promise<string | undefined> {
  const { id = randomUUID(), email, passwordHash, userMetadata, appMetadata = {}, role = AUDIENCE } = user;
  const app = { provider: 'email', providers: ['email'], ...appMetadata };
  const { rowCount } = await tx.query({
    name: 'auth_insert_user',
    // The empty tokens are what the platform's own reader expects: it cannot read null there.
    text: `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
        raw_user_meta_data, invited_at, created_at, updated_at, confirmation_token, recovery_token,
        email_change, email_change_token_new)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, '', '', '', '')
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
    ],
  });
  if (rowCount === 0) return undefined;
  await insertEmailIdentity(tx, { userId: id, email, now });
  return id;
}

/** Lets an account sign in by e-mail; its identity is named after the account. */
async function insertEmailIdentity(
  tx: Transaction,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const data = { sub: userId, email, email_verified: false, phone_verified: false };
  await tx.query({
    name: 'auth_insert_identity',
    text: `insert into auth.identities (id, provider_id, user_id, identity_data, provider,
        last_sign_in_at, created_at, updated_at)
      values ($1, $2, $3, $4, 'email', $5, $5, $5)`,
    values: [randomUUID(), userId, userId, data, now],
  });
}
