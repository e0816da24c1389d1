import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Transaction } from '../../../kernel/database.ts';
import { INSTANCE_ID } from './user-row.ts';

/** How a person proved who they are (`amr` of RFC 8176, with the platform's own words). */
export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'recovery'
  | 'magiclink'
  | 'invite'
  | 'email/signup'
  | 'email_change'
  | 'oauth';

/** Which of an account's identities was used. */
export type IdentityProvider = 'email' | 'google';

export type SessionRow = {
  readonly id: string;
  readonly aal: 'aal1' | 'aal2' | 'aal3';
  /** Newest first. */
  readonly amr: readonly { readonly method: string; readonly timestamp: number }[];
};

export type OpenedSession = { readonly session: SessionRow; readonly refreshToken: string };

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
  readonly provider?: IdentityProvider;
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
  const amr = [{ method, timestamp: Math.floor(now.getTime() / 1000) }];
  return { session: { id, aal: 'aal1', amr }, refreshToken };
}
