import type { Transaction } from '../../../kernel/database.ts';
import type { SessionLimits } from './sessions.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Exchanged refresh tokens are kept this long: meanwhile, one that turns up again betrays a thief. */
const REVOKED_TOKENS_MS = 7 * DAY_MS;
/** An unconfirmed sign-up may ask for another mail for so long; then its password is forgotten. */
const CLAIMS_MS = 7 * DAY_MS;
/** A reset of factors that was not finished is told apart from none for so long after its wait; then it is forgotten. */
const RESETS_MS = 14 * DAY_MS;
/** As long as Brazilian law asks of whoever keeps an application: six months (Marco Civil da Internet, article 15). */
const AUDIT_LOG_MS = 184 * DAY_MS;
/** Statements end after eight seconds: a backlog is worked off bit by bit. */
const BATCH = 5_000;
/** Of counters more: strangers who try many accounts, or come from many networks, make one of each. */
const COUNTERS_BATCH = 100_000;

/** How long things last, in seconds. */
export type Lifetimes = SessionLimits & { readonly mailedTokenLifetime: number };

/**
 * Deletes what can no longer be used. Rows that somebody holds stay until the next time: who waited for them while holding others of the same
 * account could be waited for.
 * @returns how many rows went
 */
export async function purgeExpired(
  tx: Transaction,
  { mailedTokenLifetime, sessionTimebox, sessionInactivityTimeout }: Lifetimes,
  now: Date,
): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const flows = await tx.query({
    name: 'auth_purge_flows',
    text: `delete from auth.flow_state
      where id in (select id from auth.flow_state where created_at < $1 order by created_at limit $2 for update skip locked)`,
    values: [ago(DAY_MS), BATCH],
  });
  const left = await tx.query({
    name: 'auth_purge_client_states',
    text: `delete from auth.oauth_client_states
      where id in (select id from auth.oauth_client_states where created_at < $1 order by created_at limit $2)`,
    values: [ago(DAY_MS), BATCH],
  });
  const codes = await tx.query({
    name: 'auth_purge_mailed_tokens',
    text: `delete from auth.mailed_tokens where id in (
      select id from auth.mailed_tokens
      where created_at < $1 and (password_hash is null or created_at < $2) order by created_at limit $3 for update skip locked)`,
    values: [ago(mailedTokenLifetime * 1000 + DAY_MS), ago(mailedTokenLifetime * 1000 + CLAIMS_MS), BATCH],
  });
  const tokens = await tx.query({
    name: 'auth_purge_refresh_tokens',
    text: `delete from auth.refresh_tokens where id in (
      select id from auth.refresh_tokens where updated_at < $1 and revoked limit $2 for update skip locked)`,
    values: [ago(REVOKED_TOKENS_MS), BATCH],
  });
  const sessions = await tx.query({
    name: 'auth_purge_sessions',
    // A day later, as GoTrue does: until then whoever comes back is told that the session has expired.
    text: `delete from auth.sessions where id in (
      select id from auth.sessions
      where $1::float8 > 0 and created_at < $3::timestamptz - make_interval(secs => $1)
        or $2::float8 > 0 and greatest(created_at, refreshed_at at time zone 'utc') < $3::timestamptz - make_interval(secs => $2)
      order by id limit $4 for update skip locked)`,
    values: [sessionTimebox, sessionInactivityTimeout, ago(DAY_MS), BATCH],
  });
  const factors = await tx.query({
    name: 'auth_purge_unproven_factors',
    text: `delete from auth.mfa_factors where id in (
      select id from auth.mfa_factors where status = 'unverified' and created_at < $1 limit $2 for update skip locked)`,
    values: [ago(DAY_MS), BATCH],
  });
  const challenges = await tx.query({
    name: 'auth_purge_challenges',
    text: `delete from auth.mfa_challenges
      where id in (select id from auth.mfa_challenges where created_at < $1 order by created_at limit $2 for update skip locked)`,
    values: [ago(DAY_MS), BATCH],
  });
  const asked = await tx.query({
    name: 'auth_purge_webauthn_challenges',
    text: `delete from auth.webauthn_challenges
      where id in (select id from auth.webauthn_challenges where expires_at < $1 order by expires_at limit $2 for update skip locked)`,
    values: [ago(DAY_MS), BATCH],
  });
  const ways = await tx.query({
    name: 'auth_purge_relay_states',
    text: `delete from auth.saml_relay_states
      where id in (select id from auth.saml_relay_states where created_at < $1 order by created_at limit $2)`,
    values: [ago(DAY_MS), BATCH],
  });
  const resets = await tx.query({
    name: 'auth_purge_factor_resets',
    text: `delete from auth.factor_resets
      where user_id in (select user_id from auth.factor_resets where ready_at < $1 order by ready_at limit $2 for update skip locked)`,
    values: [ago(RESETS_MS), BATCH],
  });
  const counters = await tx.query({
    name: 'auth_purge_rate_counters',
    text: `delete from auth.rate_counters
      where key in (select key from auth.rate_counters where ends_at < $1 order by ends_at limit $2)`,
    values: [now, COUNTERS_BATCH],
  });
  const acts = await tx.query({
    name: 'auth_purge_audit_log',
    text: `delete from auth.audit_log_entries
      where id in (select id from auth.audit_log_entries where created_at < $1 order by created_at limit $2)`,
    values: [ago(AUDIT_LOG_MS), BATCH],
  });
  const passing = [flows, left, codes, tokens, sessions, factors, challenges, asked, ways, resets, counters];
  const purged = [...passing, acts];
  return purged.reduce((sum, { rowCount }) => sum + rowCount, 0);
}
