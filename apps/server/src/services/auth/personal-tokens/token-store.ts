import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';

/** A token that a person made for a script. */
export type PersonalToken = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** To the minute; undefined: never. */
  readonly lastUsedAt: Date | undefined;
};

type Columns = {
  id: string;
  name: string;
  scopes: string;
  created_at: Date;
  not_after: Date;
  last_used_at: Date | null;
};

const SELECT = `select s.id, t.name, s.scopes, s.created_at, s.not_after, s.refreshed_at at time zone 'utc' as last_used_at
  from auth.personal_tokens t join auth.sessions s on s.id = t.session_id`;

function toToken(row: Columns): PersonalToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    createdAt: row.created_at,
    expiresAt: row.not_after,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}

type NewToken = {
  readonly userId: string;
  readonly name: string;
  readonly scope: string;
  readonly hash: string;
  readonly expiresAt: Date;
};

export async function insertToken(
  tx: Transaction,
  { userId, name, scope, hash, expiresAt }: NewToken,
  now: Date,
): Promise<PersonalToken> {
  const id = randomUUID();
  await tx.query({
    name: 'auth_insert_personal_token',
    text: `with session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, scopes, not_after)
        values ($1, $2::uuid, $3, $3, 'aal1', $4, $5)
      )
      insert into auth.personal_tokens (session_id, user_id, name, token_hash) values ($1, $2::uuid, $6, $7)`,
    values: [id, userId, now, scope, expiresAt, name, hash],
  });
  return { id, name, scopes: scope.split(' '), createdAt: now, expiresAt, lastUsedAt: undefined };
}

/** A person's tokens, the newest first; those that have ended are no more. */
export async function listTokens(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<readonly PersonalToken[]> {
  const { rows } = await tx.query<Columns>({
    name: 'auth_list_personal_tokens',
    text: `${SELECT} where t.user_id = $1 and s.not_after > $2 order by s.created_at desc, s.id`,
    values: [userId, now],
  });
  return rows.map(toToken);
}

/** @returns whether there was one */
export async function deleteToken(
  tx: Transaction,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_delete_personal_token',
    text: `delete from auth.sessions s using auth.personal_tokens t
      where t.session_id = s.id and s.id = $1::uuid and t.user_id = $2::uuid`,
    values: [id, userId],
  });
  return rowCount > 0;
}

/**
 * Finds the session of a token that comes, and notes that it has come.
 * @returns undefined for one that is unknown or has ended
 */
export async function noteUse(
  tx: Transaction,
  hash: string,
  now: Date,
): Promise<{ readonly sessionId: string; readonly expiresAt: Date } | undefined> {
  const { rows } = await tx.query<{ id: string; not_after: Date }>({
    name: 'auth_note_personal_token',
    text: `update auth.sessions s set refreshed_at = $2::timestamptz at time zone 'utc'
      from auth.personal_tokens t where t.token_hash = $1 and s.id = t.session_id and s.not_after > $2
      returning s.id, s.not_after`,
    values: [hash, now],
  });
  return rows[0] && { sessionId: rows[0].id, expiresAt: rows[0].not_after };
}
