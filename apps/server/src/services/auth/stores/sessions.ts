import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { type Database, queryAsAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import { recordAct } from './audit-log.ts';
import type { SecondFactorMethod } from './factors.ts';
import { INSTANCE_ID, SELECT_USER, type UserRow } from './users.ts';

/** How a person proved who they are (`amr` of RFC 8176, with the platform's own words). */
export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'recovery'
  | 'magiclink'
  | 'invite'
  | 'email/signup'
  | 'email_change'
  | 'oauth'
  | 'anonymous'
  | 'passkey'
  | 'sso/saml'
  | 'oauth_provider/authorization_code';

export type SessionRow = {
  readonly id: string;
  readonly aal: 'aal1' | 'aal2' | 'aal3';
  /** Newest first. */
  readonly amr: readonly { readonly method: string; readonly timestamp: number }[];
  /** Whom the person let in, and for what; undefined: the person. */
  readonly program?: Program | undefined;
};

/** A program that acts for a person, within bounds. */
export type Program = {
  /** Undefined for a token that the person made. */
  readonly clientId: string | undefined;
  /** What it may do, separated by spaces. */
  readonly scope: string;
  /** For which server its tokens are (RFC 8707), where it said so. */
  readonly resource: string | undefined;
};

export type OpenedSession = {
  readonly session: SessionRow;
  readonly refreshToken: string;
  /** How it was proven just now. */
  readonly method: AuthenticationMethod | SecondFactorMethod | 'token_refresh';
};

/** The browser that asks, as the list of a person's sessions may show it one day. */
export type Device = { readonly ip: string; readonly userAgent: string | undefined };

const MAX_USER_AGENT_LENGTH = 512;

/** An unguessable token: 128 random bits. */
export function createRefreshToken(): string {
  return randomBytes(16).toString('base64url');
}

type Opening = {
  readonly userId: string;
  readonly method: AuthenticationMethod;
  readonly device: Device;
  /** Of the identity that was used; `email` when it is left out. */
  readonly provider?: string;
};

/** Signs a person in: a session, its first refresh token, and a note of when. */
export async function openSession(
  tx: Transaction,
  { userId, method, device, provider = 'email' }: Opening,
  now: Date,
): Promise<OpenedSession> {
  const id = randomUUID();
  const refreshToken = createRefreshToken();
  const ip = isIP(device.ip) === 0 ? null : device.ip;
  const userAgent = device.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null;
  await tx.query({
    name: 'auth_open_session',
    text: `with session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
        values ($1, $2::uuid, $3, $3, 'aal1', $4, $5)
      ), amr as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values ($6, $1, $3, $3, $7)
      ), token as (
        insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
        values ($8, $9, $2::uuid::text, false, $3, $3, $1)
      ), identity as (
        update auth.identities set last_sign_in_at = $3 where user_id = $2::uuid and provider = $10
      )
      update auth.users set last_sign_in_at = $3, updated_at = $3 where id = $2::uuid`,
    values: [id, userId, now, userAgent, ip, randomUUID(), method, INSTANCE_ID, refreshToken, provider],
  });
  await recordAct(tx, device, { action: 'login', actor: userId, traits: { provider, method } }, now);
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  return { session: { id, aal: 'aal1', amr }, refreshToken, method };
}

export type FoundSession = SessionRow & {
  readonly userId: string;
  readonly createdAt: Date;
  /** When it was refreshed last, or opened. */
  readonly usedAt: Date;
  /** When it ends whatever happens, if it does. */
  readonly notAfter: Date | null;
  /** Whether `notAfter` is past by the database's clock, which policies go by: that of a copy may be behind. */
  readonly isOver: boolean;
};

type Columns = {
  id: string;
  user_id: string;
  aal: SessionRow['aal'] | null;
  created_at: Date;
  used_at: Date;
  not_after: Date | null;
  is_over: boolean;
  oauth_client_id: string | null;
  scopes: string | null;
  resource: string | null;
  amr: { method: string; timestamp: number }[];
};

/** @param lock makes whoever else wants this session wait until the transaction ends. */
export async function findSession(
  tx: Transaction,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<FoundSession | undefined> {
  const { rows } = await tx.query<Columns>({
    name: lock ? 'auth_lock_session' : 'auth_find_session',
    text: `${SELECT_SESSION} where s.id = $1::uuid${lock ? ' for update of s' : ''}`,
    values: [id],
  });
  return rows[0] && toFoundSession(rows[0]);
}

/**
 * Selects sessions with what was proven in them; a condition on `s` follows. The transaction may have begun before the one that ended the
 * session: its `now()` would be too early.
 */
const SELECT_SESSION = `select s.id, s.user_id, s.aal, s.created_at, s.not_after, s.oauth_client_id, s.scopes,
    coalesce(s.not_after <= clock_timestamp(), false) as is_over,
    (select r.resource from auth.oauth_session_resources r where r.session_id = s.id) as resource,
    greatest(s.created_at, s.refreshed_at at time zone 'utc') as used_at,
    coalesce((select jsonb_agg(jsonb_build_object('method', a.authentication_method,
        'timestamp', floor(extract(epoch from a.updated_at))::bigint) order by a.updated_at desc)
      from auth.mfa_amr_claims a where a.session_id = s.id), '[]'::jsonb) as amr
  from auth.sessions s`;

function toFoundSession(row: Columns): FoundSession {
  return {
    id: row.id,
    userId: row.user_id,
    aal: row.aal ?? 'aal1',
    amr: row.amr,
    program: toProgram(row),
    createdAt: row.created_at,
    usedAt: row.used_at,
    notAfter: row.not_after,
    isOver: row.is_over,
  };
}

/** As JSON has it. */
type SessionJson = Omit<Columns, 'created_at' | 'used_at' | 'not_after'> & {
  readonly created_at: string;
  readonly used_at: string;
  readonly not_after: string | null;
};

/**
 * An account and a session, whosever it is, in one round trip: what every request of a person begins with.
 * @param sessionId undefined: none is asked for
 */
export async function findAccountAndSession(
  db: Database,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | undefined },
): Promise<{ readonly user: UserRow | undefined; readonly session: FoundSession | undefined }> {
  const { rows } = await queryAsAuthAdmin<UserRow & { found_session: SessionJson | null }>(db, {
    name: 'auth_find_account_and_session',
    text: `select account.*, to_json(found) as found_session from (${SELECT_USER} where u.id = $1::uuid) account
      left join (${SELECT_SESSION} where s.id = $2::uuid) found on true`,
    values: [userId, sessionId ?? null],
  });
  const [row] = rows;
  if (!row) return { user: undefined, session: undefined };
  const { found_session: found, ...user } = row;
  const session = found && {
    ...found,
    created_at: new Date(found.created_at),
    used_at: new Date(found.used_at),
    not_after: found.not_after === null ? null : new Date(found.not_after),
  };
  return { user, session: session ? toFoundSession(session) : undefined };
}

function toProgram({ oauth_client_id: clientId, scopes, resource }: Columns): Program | undefined {
  if (clientId === null && scopes === null) return undefined;
  return { clientId: clientId ?? undefined, scope: scopes ?? '', resource: resource ?? undefined };
}

/** How long sessions last, in seconds; 0: without end. */
export type SessionLimits = { readonly sessionTimebox: number; readonly sessionInactivityTimeout: number };

/** Why a session is over, if it is. Its last moment is still part of it. (Source: GoTrue, `Session.CheckValidity`.) */
export function findSessionEnd(
  { createdAt, usedAt, notAfter, isOver }: FoundSession,
  { sessionTimebox, sessionInactivityTimeout }: SessionLimits,
  now: Date,
): 'ended' | 'timebox' | 'inactivity' | undefined {
  const isPast = (from: Date, seconds: number) =>
    seconds > 0 && now.getTime() > from.getTime() + seconds * 1000;
  if (isPast(createdAt, sessionTimebox)) return 'timebox';
  if (isPast(usedAt, sessionInactivityTimeout)) return 'inactivity';
  return isOver || (notAfter !== null && notAfter <= now) ? 'ended' : undefined;
}

/** Ends a session whose time is over for whatever goes by its row: policies and the list of a person's devices among it. */
export async function endSession(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_end_session',
    // Policies go by the database's clock.
    text: 'update auth.sessions set not_after = least(not_after, $2, now()) where id = $1',
    values: [id, now],
  });
}

const END_PHONE_CHANGE = {
  name: 'auth_end_phone_change',
  text: `update auth.users set phone_change = '' where id = $1 and coalesce(phone_change, '') <> ''`,
};

export type LogoutScope = 'global' | 'local' | 'others';

/**
 * Ends sessions of an account: all, the given one, or all but the given one. Their refresh tokens go with them, and with all or the others
 * whatever a program could still come for, identities that somebody is about to link, and a change of number that waits for its code.
 */
export async function closeSessions(
  tx: Transaction,
  scope: LogoutScope,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | undefined },
): Promise<void> {
  if (scope !== 'local') {
    // Whoever holds the new phone needs no session to finish it. An address waits for the mailbox of the old one. Where there is none, the
    // account is not held: what waits for it at this moment is to find its flow or authorization gone. `endBegunPhoneChange` comes after.
    await tx.query({ ...END_PHONE_CHANGE, values: [userId] });
    // Apart: a program that is coming for its tokens is waited for, and what it got is there to be ended.
    await tx.query({
      name: 'auth_forget_authorizations',
      text: 'delete from auth.oauth_authorizations where user_id = $1 and session_id is null',
      values: [userId],
    });
  }
  await tx.query({
    name: 'auth_close_sessions',
    text: `with unlinked as (
        delete from auth.flow_state
        where authentication_method = 'oauth' and (user_id is null or user_id = $1) and linking_target_id = $1 and $2 <> 'local'
      )
      delete from auth.sessions where user_id = $1 and case $2
        when 'global' then true
        when 'local' then id = $3::uuid
        else id is distinct from $3::uuid
      end`,
    values: [userId, scope, sessionId ?? null],
  });
}

/**
 * Ends a change of number that was being begun while the sessions were closed: it holds the account, and is waited for. In a transaction after
 * that of `closeSessions`, where the account was not held: whatever holds the account later sees its session gone. One that was left for the
 * caller to ask again with is closed behind this lock.
 */
export async function endBegunPhoneChange(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_lock_account_of_phone_change',
    text: 'select from auth.users where id = $1 for no key update',
    values: [userId],
  });
  // Apart: it sees what was waited for.
  await tx.query({ ...END_PHONE_CHANGE, values: [userId] });
}
