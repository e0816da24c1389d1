import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { hashMailedCode } from '../mailed-secrets.ts';

export type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code';

/** A row of `auth.mfa_factors` as it comes with its account, without what proves it; times are ISO text. */
export type FactorRow = {
  id: string;
  factor_type: FactorType;
  status: 'unverified' | 'verified';
  friendly_name: string | null;
  phone: string | null;
  created_at: string;
  updated_at: string;
  last_challenged_at: string | null;
};

/** The columns of `FactorRow`, for a query over `auth.mfa_factors f`. */
export const FACTOR_COLUMNS = `jsonb_build_object('id', f.id, 'factor_type', f.factor_type, 'status', f.status,
  'friendly_name', f.friendly_name, 'phone', f.phone, 'created_at', f.created_at, 'updated_at', f.updated_at,
  'last_challenged_at', f.last_challenged_at)`;

/** Adds a factor, one that nothing has proven yet unless its status says otherwise. @param secret sealed */
export async function insertFactor(
  tx: Transaction,
  factor: {
    readonly id: string;
    readonly userId: string;
    readonly type: FactorType;
    readonly status?: FactorRow['status'];
    readonly friendlyName: string;
    readonly secret: string | null;
    /** Where codes are texted to, of a factor that is a phone. */
    readonly phone?: string;
  },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_insert_factor',
    text: `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
      values ($1, $2, $3, $4, $7, $5, $8, $6, $6)`,
    values: [
      factor.id,
      factor.userId,
      factor.friendlyName,
      factor.type,
      factor.secret,
      now,
      factor.status ?? 'unverified',
      factor.phone ?? null,
    ],
  });
}

/** The sealed secret of a factor. */
export async function findFactorSecret(tx: Transaction, factorId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ secret: string | null }>({
    name: 'auth_find_factor_secret',
    text: 'select secret from auth.mfa_factors where id = $1',
    values: [factorId],
  });
  return rows[0]?.secret ?? undefined;
}

/** Keeps a secret that was sealed anew, unless somebody has written another meanwhile. */
export async function replaceFactorSecret(
  tx: Transaction,
  { id, before, secret }: { readonly id: string; readonly before: string; readonly secret: string },
): Promise<void> {
  await tx.query({
    name: 'auth_replace_factor_secret',
    text: 'update auth.mfa_factors set secret = $3 where id = $1 and secret = $2',
    values: [id, before, secret],
  });
}

/** A factor has been proven: it counts, and others of its kind that were begun and not finished go. */
export async function confirmFactor(
  tx: Transaction,
  { id, userId, type }: { readonly id: string; readonly userId: string; readonly type: FactorType },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_confirm_factor',
    text: `with confirmed as (
        update auth.mfa_factors set status = 'verified', updated_at = $4 where id = $1 and status = 'unverified'
      )
      delete from auth.mfa_factors where user_id = $2 and factor_type = $3 and status = 'unverified' and id <> $1`,
    values: [id, userId, type, now],
  });
}

export async function renameFactor(
  tx: Transaction,
  { id, friendlyName }: { readonly id: string; readonly friendlyName: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_rename_factor',
    text: 'update auth.mfa_factors set friendly_name = $2, updated_at = $3 where id = $1',
    values: [id, friendlyName, now],
  });
}

/**
 * Deletes a factor. Sessions that it raised are sessions without a second factor again, in their next access token as well.
 * @param keepSession one that stays what it is
 */
export async function deleteFactor(
  tx: Transaction,
  factorId: string,
  now: Date,
  keepSession: string | null = null,
): Promise<void> {
  await tx.query({
    name: 'auth_lower_sessions_of_factor',
    text: `with lowered as (
        update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2
        where factor_id = $1 and id is distinct from $4::uuid returning id
      )
      delete from auth.mfa_amr_claims where session_id in (select id from lowered) and authentication_method = any ($3)`,
    values: [factorId, now, SECOND_FACTOR_METHODS, keepSession],
  });
  await tx.query({
    name: 'auth_delete_factor',
    text: 'delete from auth.mfa_factors where id = $1',
    values: [factorId],
  });
}

/** Deletes an account's factors that were begun before a time and never proven. */
export async function deleteUnprovenFactors(tx: Transaction, userId: string, before: Date): Promise<void> {
  await tx.query({
    name: 'auth_delete_unproven_factors',
    text: `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and created_at < $2`,
    values: [userId, before],
  });
}

/** Takes all factors of an account away, which becomes somebody else's or nobody's. */
export async function forgetFactors(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_factors',
    text: 'delete from auth.mfa_factors where user_id = $1',
    values: [userId],
  });
}

/** How a second factor is named among the proofs of a session. (Source: GoTrue, `AuthenticationMethod`.) */
export const SECOND_FACTOR_METHODS = ['totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

export type ChallengeRow = {
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  /** Whether it was asked for from where it is answered. */
  readonly isSameAddress: boolean;
  /** What an authenticator has to answer, as it was written. */
  readonly sessionData: unknown;
};

/** Writes down that a factor is asked for, by whom and when. @returns the challenge's id */
export async function insertChallenge(
  tx: Transaction,
  {
    factorId,
    ip,
    sessionData,
    code,
  }: {
    readonly factorId: string;
    readonly ip: string;
    readonly sessionData?: object | undefined;
    /** That is texted. Only a hash of it is kept, bound to the challenge. */
    readonly code?: string | undefined;
  },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await tx.query({
    name: 'auth_insert_challenge',
    text: `with asked as (
        update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $2
      )
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, web_authn_session_data, otp_code)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [
      id,
      factorId,
      now,
      ip,
      sessionData === undefined ? null : JSON.stringify(sessionData),
      code === undefined ? null : hashMailedCode(id, code),
    ],
  });
  return id;
}

/** A challenge of this factor, kept from others until the transaction ends. @param ip where it is answered from */
export async function takeChallenge(
  tx: Transaction,
  { id, factorId, ip }: { readonly id: string; readonly factorId: string; readonly ip: string },
): Promise<ChallengeRow | undefined> {
  const { rows } = await tx.query<{
    created_at: Date;
    verified_at: Date | null;
    same: boolean;
    session_data: unknown;
  }>({
    name: 'auth_take_challenge',
    text: `select created_at, verified_at, ip_address = $3 as same, web_authn_session_data as session_data from auth.mfa_challenges
      where id = $1 and factor_id = $2 for update`,
    values: [id, factorId, ip],
  });
  const [row] = rows;
  return (
    row && {
      createdAt: row.created_at,
      verifiedAt: row.verified_at,
      isSameAddress: row.same,
      sessionData: row.session_data,
    }
  );
}

/** Uses the code of a challenge up. @returns false when it is not that one, or was used before */
export async function takeChallengeCode(
  tx: Transaction,
  { id, code }: { readonly id: string; readonly code: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_take_challenge_code',
    text: 'update auth.mfa_challenges set otp_code = null where id = $1 and otp_code = $2',
    values: [id, hashMailedCode(id, code)],
  });
  return rowCount === 1;
}

export async function deleteChallenge(tx: Transaction, id: string): Promise<void> {
  await tx.query({
    name: 'auth_delete_challenge',
    text: 'delete from auth.mfa_challenges where id = $1',
    values: [id],
  });
}

export async function markChallengeVerified(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_mark_challenge_verified',
    text: 'update auth.mfa_challenges set verified_at = $2 where id = $1',
    values: [id, now],
  });
}

/** Uses a time step of an app up, with all before it. @returns false when it was used before */
export async function takeTimeStep(
  tx: Transaction,
  { factorId, timeStep }: { readonly factorId: string; readonly timeStep: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_take_time_step',
    text: `insert into auth.totp_uses as u (factor_id, time_step) values ($1, $2)
      on conflict (factor_id) do update set time_step = excluded.time_step where u.time_step < excluded.time_step`,
    values: [factorId, timeStep],
  });
  return rowCount === 1;
}
