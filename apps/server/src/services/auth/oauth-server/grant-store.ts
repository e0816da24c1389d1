import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';

/** What a person lets a program do, until one of them ends it. */
export type Grant = {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientUri: string;
  readonly logoUri: string;
  readonly scopes: readonly string[];
  readonly grantedAt: Date;
  /** When the program renewed a token last; undefined: it has none. */
  readonly lastUsedAt: Date | undefined;
};

/** @returns the scopes that stand; undefined without a grant */
export async function findGrantedScopes(
  tx: Transaction,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ scopes: string }>({
    name: 'oauth_find_granted_scopes',
    text: 'select scopes from auth.oauth_consents where user_id = $1 and client_id = $2 and revoked_at is null',
    values: [userId, clientId],
  });
  return rows[0]?.scopes;
}

/** Keeps a person's yes: what was allowed before stays allowed. */
export async function keepGrant(
  tx: Transaction,
  { userId, clientId, scope }: { readonly userId: string; readonly clientId: string; readonly scope: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'oauth_keep_grant',
    text: `insert into auth.oauth_consents as c (id, user_id, client_id, scopes, granted_at) values ($1, $2, $3, $4, $5)
      on conflict (user_id, client_id) do update set
        scopes = case when c.revoked_at is null then (
          select string_agg(distinct word, ' ') from unnest(string_to_array(c.scopes || ' ' || excluded.scopes, ' ')) as word
        ) else excluded.scopes end,
        granted_at = excluded.granted_at, revoked_at = null`,
    values: [randomUUID(), userId, clientId, scope, now],
  });
}

/** What a person lets programs do, the newest first. */
export async function listGrants(tx: Transaction, userId: string): Promise<readonly Grant[]> {
  const { rows } = await tx.query<{
    client_id: string;
    client_name: string | null;
    client_uri: string | null;
    logo_uri: string | null;
    scopes: string;
    granted_at: Date;
    last_used_at: Date | null;
  }>({
    name: 'oauth_list_grants',
    text: `select c.client_id, p.client_name, p.client_uri, p.logo_uri, c.scopes, c.granted_at,
        (select max(greatest(s.created_at, s.refreshed_at at time zone 'utc')) from auth.sessions s
         where s.user_id = c.user_id and s.oauth_client_id = c.client_id) as last_used_at
      from auth.oauth_consents c join auth.oauth_clients p on p.id = c.client_id and p.deleted_at is null
      where c.user_id = $1 and c.revoked_at is null order by c.granted_at desc, c.id`,
    values: [userId],
  });
  return rows.map((row) => ({
    clientId: row.client_id,
    clientName: row.client_name ?? '',
    clientUri: row.client_uri ?? '',
    logoUri: row.logo_uri ?? '',
    scopes: row.scopes.split(' '),
    grantedAt: row.granted_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }));
}

/** Ends what a person let a program do: its tokens, those it could come for, and the yes. @returns whether there was anything */
export async function endGrant(
  tx: Transaction,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
  now: Date,
): Promise<boolean> {
  // First and apart: a program that is coming for its tokens is waited for, and what it got is there to be ended.
  await tx.query({
    name: 'oauth_forget_authorizations',
    text: 'delete from auth.oauth_authorizations where user_id = $1 and client_id = $2',
    values: [userId, clientId],
  });
  const { rowCount } = await tx.query({
    name: 'oauth_end_grant',
    text: `with ended as (delete from auth.sessions where user_id = $1 and oauth_client_id = $2)
      update auth.oauth_consents set revoked_at = greatest(granted_at, $3)
      where user_id = $1 and client_id = $2 and revoked_at is null`,
    values: [userId, clientId, now],
  });
  return rowCount > 0;
}

/** Takes back every yes of an account that becomes somebody else's. Its sessions have been closed. */
export async function forgetGrants(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'oauth_forget_grants',
    text: 'delete from auth.oauth_consents where user_id = $1',
    values: [userId],
  });
}

/** A person's copies of one program; a program that asks again and again does not push others out. */
const MOST_SESSIONS_OF_A_PROGRAM = 20;

/** Ends all but the newest sessions of a program for a person. */
export async function endSurplusSessions(
  tx: Transaction,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
): Promise<void> {
  await tx.query({
    name: 'oauth_end_surplus_sessions',
    text: `delete from auth.sessions where id in (
      select id from auth.sessions where user_id = $1 and oauth_client_id = $2
      order by greatest(created_at, refreshed_at at time zone 'utc') desc, id offset $3)`,
    values: [userId, clientId, MOST_SESSIONS_OF_A_PROGRAM],
  });
}
