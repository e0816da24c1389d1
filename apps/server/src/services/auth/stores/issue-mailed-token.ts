import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { createMailedCode, hashMailedCode } from '../hash-mailed-code.ts';

/** What a mailed link or code proves: the platform's kinds of one-time tokens, each with its columns in `auth.users`. */
const SENT_AT = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
} as const;

export type MailedTokenType = keyof typeof SENT_AT;

/** What goes into the mail: the code for typing, its hash for the link. Only the hash is stored. */
export type MailedToken = { readonly code: string; readonly tokenHash: string };

/** Makes a one-time token; an earlier one of the same type stops working. */
export async function issueMailedToken(
  tx: Transaction,
  request: {
    readonly userId: string;
    readonly type: MailedTokenType;
    /** The address the mail goes to: a code is good only together with it. */
    readonly email: string;
    /** The request came with a code challenge. */
    readonly challenged?: boolean;
  },
  now: Date,
): Promise<MailedToken> {
  const { userId, type, email, challenged = false } = request;
  const code = createMailedCode();
  const tokenHash = hashMailedCode(email, code, challenged);
  await tx.query({
    text: `update auth.users set ${type} = $2, ${SENT_AT[type]} = $3, updated_at = $3 where id = $1`,
    values: [userId, tokenHash, now],
  });
  await tx.query({
    name: 'auth_issue_mailed_token',
    text: `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6::timestamptz at time zone 'utc', $6::timestamptz at time zone 'utc')
      on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
        relates_to = excluded.relates_to, created_at = excluded.created_at, updated_at = excluded.updated_at`,
    values: [randomUUID(), userId, type, tokenHash, email, now],
  });
  return { code, tokenHash };
}
