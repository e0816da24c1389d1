import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { IdentityProvider } from './open-session.ts';

export type NewIdentity = {
  readonly provider: IdentityProvider;
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
