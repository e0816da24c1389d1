import type { Transaction } from '../../../kernel/database.ts';
import type { CreatedCredential } from '../factors/webauthn.ts';

/** A key that signs in without a password: a row of `auth.webauthn_credentials`. */
export type Passkey = {
  readonly passkeyId: string;
  readonly userId: string;
  /** Of the credential, as authenticators name it. */
  readonly id: Uint8Array<ArrayBuffer>;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly transports: readonly string[];
  readonly signCount: number;
  readonly friendlyName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type Columns = {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  transports: string[];
  sign_count: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
};

const COLUMNS =
  'id, user_id, credential_id, public_key, transports, sign_count::text, friendly_name, created_at, last_used_at';

function toPasskey(row: Columns): Passkey {
  return {
    passkeyId: row.id,
    userId: row.user_id,
    id: Uint8Array.from(row.credential_id),
    publicKey: Uint8Array.from(row.public_key),
    transports: row.transports,
    signCount: Number(row.sign_count),
    friendlyName: row.friendly_name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

/** An account's passkeys, oldest first. */
export async function listPasskeys(tx: Transaction, userId: string): Promise<readonly Passkey[]> {
  const { rows } = await tx.query<Columns>({
    name: 'auth_list_passkeys',
    text: `select ${COLUMNS} from auth.webauthn_credentials where user_id = $1 order by created_at, id`,
    values: [userId],
  });
  return rows.map(toPasskey);
}

/** The passkey that an answer names, whosever it is, kept from others until the transaction ends, as its account is. */
export async function takePasskey(tx: Transaction, credentialId: string): Promise<Passkey | undefined> {
  const values = [Buffer.from(credentialId, 'base64url')];
  // The account first, as everybody else who changes it.
  const owner = await tx.query({
    name: 'auth_lock_owner_of_passkey',
    text: `select from auth.webauthn_credentials c join auth.users u on u.id = c.user_id
      where c.credential_id = $1 for update of u`,
    values,
  });
  if (owner.rowCount === 0) return undefined;
  const { rows } = await tx.query<Columns>({
    name: 'auth_take_passkey',
    text: `select ${COLUMNS} from auth.webauthn_credentials where credential_id = $1 for update`,
    values,
  });
  return rows[0] && toPasskey(rows[0]);
}

/** Adds a passkey. @returns undefined when some account has it already */
export async function insertPasskey(
  tx: Transaction,
  {
    userId,
    created: { credential, aaguid },
  }: { readonly userId: string; readonly created: CreatedCredential },
  now: Date,
): Promise<Passkey | undefined> {
  const { rows } = await tx.query<Columns>({
    name: 'auth_insert_passkey',
    text: `insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports,
        backup_eligible, backed_up, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
      on conflict (credential_id) do nothing returning ${COLUMNS}`,
    values: [
      userId,
      Buffer.from(credential.id, 'base64'),
      Buffer.from(credential.publicKey, 'base64'),
      credential.attestationType,
      aaguid,
      credential.authenticator.signCount,
      JSON.stringify(credential.transport),
      credential.flags.backupEligible,
      credential.flags.backupState,
      now,
    ],
  });
  return rows[0] && toPasskey(rows[0]);
}

/** Writes down that a passkey was used, and how often its authenticator says it was (WebAuthn, section 6.1.1). */
export async function notePasskeyUse(
  tx: Transaction,
  { passkeyId, signCount }: { readonly passkeyId: string; readonly signCount: number },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_note_passkey_use',
    text: `update auth.webauthn_credentials set sign_count = $2, last_used_at = $3, updated_at = $3 where id = $1`,
    values: [passkeyId, signCount, now],
  });
}

/** @returns undefined where the account has no such passkey */
export async function renamePasskey(
  tx: Transaction,
  { passkeyId, userId, friendlyName }: Pick<Passkey, 'passkeyId' | 'userId' | 'friendlyName'>,
  now: Date,
): Promise<Passkey | undefined> {
  const { rows } = await tx.query<Columns>({
    name: 'auth_rename_passkey',
    text: `update auth.webauthn_credentials set friendly_name = $3, updated_at = $4
      where id = $1 and user_id = $2 returning ${COLUMNS}`,
    values: [passkeyId, userId, friendlyName, now],
  });
  return rows[0] && toPasskey(rows[0]);
}

/** @returns false where the account has no such passkey */
export async function deletePasskey(
  tx: Transaction,
  { passkeyId, userId }: Pick<Passkey, 'passkeyId' | 'userId'>,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_delete_passkey',
    text: 'delete from auth.webauthn_credentials where id = $1 and user_id = $2',
    values: [passkeyId, userId],
  });
  return rowCount === 1;
}

/** Takes all passkeys of an account away, which becomes somebody else's or nobody's. */
export async function forgetPasskeys(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_passkeys',
    text: 'delete from auth.webauthn_credentials where user_id = $1',
    values: [userId],
  });
}
