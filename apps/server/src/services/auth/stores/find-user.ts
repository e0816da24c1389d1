import type { Transaction } from '../../../kernel/database.ts';
import { SELECT_USER, type UserRow } from './user-row.ts';

export type FindUserOptions = {
  /** Keeps others from changing the account until the transaction ends. */
  readonly lock?: boolean;
};

/** Finds the account with an id or a (normalised) e-mail address. Accounts of an SSO provider keep to their provider. */
export async function findUser(
  tx: Transaction,
  by: { readonly id: string } | { readonly email: string },
  { lock = false }: FindUserOptions = {},
): Promise<UserRow | undefined> {
  const [condition, value] =
    'id' in by ? ['u.id = $1::uuid', by.id] : ['u.email = $1 and not u.is_sso_user', by.email];
  const { rows } = await tx.query<UserRow>({
    text: `${SELECT_USER} where ${condition}${lock ? ' for update of u' : ''}`,
    values: [value],
  });
  return rows[0];
}
