import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';

/** What a program asks a person for, until the person has answered and the program has come for its tokens. */
export type Authorization = {
  readonly id: string;
  readonly clientId: string;
  /** Whoever looked at it first; nobody else may answer. */
  readonly userId: string | undefined;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string | undefined;
  readonly resource: string | undefined;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  readonly expiresAt: Date;
  /** What the code has become. */
  readonly sessionId: string | undefined;
};

type Columns = {
  authorization_id: string;
  client_id: string;
  user_id: string | null;
  redirect_uri: string;
  scope: string;
  state: string | null;
  resource: string | null;
  code_challenge: string;
  nonce: string | null;
  status: Authorization['status'];
  expires_at: Date;
  session_id: string | null;
};

const COLUMNS = `authorization_id, client_id, user_id, redirect_uri, scope, state, resource, code_challenge, nonce, status, expires_at,
  session_id`;

function toAuthorization(row: Columns): Authorization {
  return {
    id: row.authorization_id,
    clientId: row.client_id,
    userId: row.user_id ?? undefined,
    redirectUri: row.redirect_uri,
    scope: row.scope,
    state: row.state ?? undefined,
    resource: row.resource ?? undefined,
    challenge: row.code_challenge,
    nonce: row.nonce ?? undefined,
    status: row.status,
    expiresAt: row.expires_at,
    sessionId: row.session_id ?? undefined,
  };
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

type NewAuthorization = Pick<
  Authorization,
  'clientId' | 'redirectUri' | 'scope' | 'state' | 'resource' | 'challenge' | 'nonce' | 'expiresAt'
>;

/** @returns the id by which the page of the consent finds it */
export async function insertAuthorization(
  tx: Transaction,
  asked: NewAuthorization,
  now: Date,
): Promise<string> {
  const id = createToken();
  await tx.query({
    name: 'oauth_insert_authorization',
    text: `insert into auth.oauth_authorizations (id, authorization_id, client_id, redirect_uri, scope, state, resource,
        code_challenge, code_challenge_method, nonce, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 's256', $9, $10, $11)`,
    values: [
      randomUUID(),
      id,
      asked.clientId,
      asked.redirectUri,
      asked.scope,
      asked.state ?? null,
      asked.resource ?? null,
      asked.challenge,
      asked.nonce ?? null,
      now,
      asked.expiresAt,
    ],
  });
  return id;
}

/**
 * What somebody may answer, bound to whoever looks at it first. Locked: of two answers at once the second finds it answered.
 * @returns undefined for what is not there, answered, too old or somebody else's: nobody learns which
 */
export async function takeUpAuthorization(
  tx: Transaction,
  { id, userId, mayBind }: { readonly id: string; readonly userId: string; readonly mayBind: boolean },
  now: Date,
): Promise<Authorization | undefined> {
  const { rows } = await tx.query<Columns>({
    name: 'oauth_take_up_authorization',
    text: `update auth.oauth_authorizations set user_id = $2
      where authorization_id = $1 and status = 'pending' and expires_at > $3 and (user_id = $2 or user_id is null and $4)
      returning ${COLUMNS}`,
    values: [id, userId, now, mayBind],
  });
  return rows[0] && toAuthorization(rows[0]);
}

/** @returns the code for the program; it is kept as a hash alone */
export async function approveAuthorization(
  tx: Transaction,
  { id, expiresAt }: Pick<Authorization, 'id' | 'expiresAt'>,
  now: Date,
): Promise<string> {
  const code = createToken();
  await tx.query({
    name: 'oauth_approve_authorization',
    text: `update auth.oauth_authorizations set status = 'approved', approved_at = $2, authorization_code = $3, expires_at = $4
      where authorization_id = $1`,
    values: [id, now, hashCode(code), expiresAt],
  });
  return code;
}

export async function denyAuthorization(tx: Transaction, id: string): Promise<void> {
  await tx.query({
    name: 'oauth_deny_authorization',
    text: "update auth.oauth_authorizations set status = 'denied' where authorization_id = $1",
    values: [id],
  });
}

/** The authorization that a code stands for, and its account, locked: of two that come with it at once, the second finds it used. */
export async function findByCode(tx: Transaction, code: string): Promise<Authorization | undefined> {
  const values = [hashCode(code)];
  // The account first, as everybody else who changes it.
  const owner = await tx.query({
    name: 'oauth_lock_owner_of_code',
    text: `select from auth.oauth_authorizations a join auth.users u on u.id = a.user_id
      where a.authorization_code = $1 and a.status = 'approved' for update of u`,
    values,
  });
  if (owner.rowCount === 0) return undefined;
  const { rows } = await tx.query<Columns>({
    name: 'oauth_find_by_code',
    text: `select ${COLUMNS} from auth.oauth_authorizations
      where authorization_code = $1 and status = 'approved' for update`,
    values,
  });
  return rows[0] && toAuthorization(rows[0]);
}

/** Keeps what a code was exchanged for, in place of the right to exchange it. */
export async function useUpCode(
  tx: Transaction,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
): Promise<void> {
  await tx.query({
    name: 'oauth_use_up_code',
    text: 'update auth.oauth_authorizations set session_id = $2 where authorization_id = $1',
    values: [id, sessionId],
  });
}
