import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { createLinkToken, createMailedCode, hashLinkToken, hashMailedCode } from '../mailed-secrets.ts';

/** What a mailed link or code proves: the platform's kinds of one-time tokens, each with its column in `auth.users`. */
const SENT_AT = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
} as const;

export type MailedTokenType = keyof typeof SENT_AT;

/** What goes into the mail: the code for typing, the token for the link. Only hashes of them are stored. */
export type MailedToken = { readonly code: string; readonly tokenHash: string };

/** What an account is to have once the link is followed. */
export type Claim = { readonly passwordHash?: string; readonly userMetadata?: object };

/**
 * Makes a one-time token. An earlier one of the same type stops working, except for confirmations: several people may claim an
 * address that nobody has confirmed, and each of them is to get what he or she asked for, or nothing.
 */
export async function issueMailedToken(
  tx: Transaction,
  request: {
    readonly userId: string;
    readonly type: MailedTokenType;
    /** The address the mail goes to: a code is good only together with it. */
    readonly email: string;
    /** Of the request's code challenge, when it came with one. */
    readonly flowId?: string | undefined;
    readonly claim?: Claim;
  },
  now: Date,
): Promise<MailedToken> {
  const { userId, type, email, flowId, claim = {} } = request;
  const id = randomUUID();
  const code = createMailedCode();
  const tokenHash = createLinkToken(flowId !== undefined);
  await tx.query({
    text: `update auth.users set ${SENT_AT[type]} = $2, updated_at = $2 where id = $1`,
    values: [userId, now],
  });
  if (type !== 'confirmation_token')
    await tx.query({
      name: 'auth_void_mailed_token',
      text: 'delete from auth.mailed_tokens where user_id = $1 and token_type = $2',
      values: [userId, type],
    });
  await tx.query({
    name: 'auth_issue_mailed_token',
    text: `insert into auth.mailed_tokens (id, user_id, token_type, email, link_hash, code_hash, flow_state_id,
        password_hash, user_metadata, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      id,
      userId,
      type,
      email,
      hashLinkToken(tokenHash),
      hashMailedCode(id, code),
      flowId ?? null,
      claim.passwordHash ?? null,
      claim.userMetadata ?? null,
      now,
    ],
  });
  return { code, tokenHash };
}
