import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { INSTANCE_ID } from './users.ts';

/** What the log tells of, with the kind that the platform counts it among. (Source: GoTrue, `audit_log_entry.go`; the last group is ours.) */
const LOG_TYPES = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  identity_unlinked: 'user',
  token_revoked: 'token',
  generate_recovery_codes: 'user',
  recovery_codes_deleted: 'recovery_codes',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  factor_deleted: 'factor',
  factor_updated: 'factor',

  identity_linked: 'user',
  factor_reset_requested: 'factor',
  passkey_created: 'user',
  passkey_deleted: 'user',
  personal_token_created: 'token',
  personal_token_revoked: 'token',
} as const;

export type Act = {
  readonly action: keyof typeof LOG_TYPES;
  /** The account that did it, or that it was done with. */
  readonly actor: string | 'operator';
  /** What else there is to know. Never a secret, an address or a number: who has the account says the account. */
  readonly traits?: Readonly<Record<string, string | boolean>>;
};

/** An operator's key stands for nobody's account. */
const OPERATOR_ID = '00000000-0000-0000-0000-000000000000';

/**
 * So many acts of one kind of one account within a day are told of, all of an operator: a script that repeats itself must not fill the disk, nor
 * hide behind that what else it does.
 */
export const MOST_ACTS_A_DAY = 200;

/**
 * Writes down who did what, in the transaction that does it: one is not without the other.
 * @param from the request's network address
 */
export async function recordAct(
  tx: Transaction,
  { ip }: { readonly ip: string },
  { action, actor, traits }: Act,
  now: Date,
): Promise<void> {
  const isOperator = actor === 'operator';
  const actorId = isOperator ? OPERATOR_ID : actor;
  await tx.query({
    name: 'auth_record_act',
    text: `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
      select $1, $2, json_strip_nulls(json_build_object('action', $3::text, 'actor_id', $4::text, 'actor_username', $5::text,
        'actor_via_sso', coalesce((select u.is_sso_user from auth.users u where u.id = $4::text::uuid), false),
        'log_type', $6::text, 'traits', $7::json)), $8::timestamptz, $9
      where $10 or (
        select count(*) from auth.audit_log_entries e
        where e.payload ->> 'actor_id' = $4::text and e.created_at > $8::timestamptz - interval '1 day' and e.payload ->> 'action' = $3
      ) < $11`,
    values: [
      INSTANCE_ID,
      randomUUID(),
      action,
      actorId,
      isOperator ? 'service_role' : '',
      LOG_TYPES[action],
      traits ?? null,
      now,
      ip.slice(0, 64),
      isOperator,
      MOST_ACTS_A_DAY,
    ],
  });
}

/** The same of an act of an operator's, with the account that it was done to. */
export function recordOperatorAct(
  tx: Transaction,
  from: { readonly ip: string },
  { action, user, traits }: Omit<Act, 'actor'> & { readonly user: { readonly id: string } },
  now: Date,
): Promise<void> {
  return recordAct(tx, from, { action, actor: 'operator', traits: { ...traits, user_id: user.id } }, now);
}
