import type { Transaction } from '../../../kernel/database.ts';
import type { Claim, MailedTokenType } from './issue-mailed-token.ts';

type Pending = { readonly flowId: string | undefined; readonly claim: Claim };

/**
 * What the mails of one kind to an account still wait for, if that is one thing. Where several people have claimed the address, nobody
 * can say whose wish a further mail should carry: then it is undefined.
 */
export async function findPending(
  tx: Transaction,
  { userId, type }: { readonly userId: string; readonly type: MailedTokenType },
): Promise<Pending | undefined> {
  const { rows } = await tx.query<{
    password_hash: string | null;
    user_metadata: object | null;
    flow_id: string | null;
  }>({
    name: 'auth_find_pending',
    text: `select distinct on (t.password_hash, t.user_metadata) t.password_hash, t.user_metadata, f.id as flow_id
      from auth.mailed_tokens t left join auth.flow_state f on f.id = t.flow_state_id
      where t.user_id = $1 and t.token_type = $2
      order by t.password_hash, t.user_metadata, t.created_at desc`,
    values: [userId, type],
  });
  const [only, another] = rows;
  if (!only || another) return undefined;
  return {
    flowId: only.flow_id ?? undefined,
    claim: {
      ...(only.password_hash === null ? {} : { passwordHash: only.password_hash }),
      ...(only.user_metadata === null ? {} : { userMetadata: only.user_metadata }),
    },
  };
}

/** The password of the newest sign-up with an address that waits for its link: with it, a person is told to look for the mail. */
export async function findClaimedPassword(tx: Transaction, email: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ password_hash: string }>({
    name: 'auth_find_claimed_password',
    text: `select password_hash from auth.mailed_tokens
      where email = $1 and token_type = 'confirmation_token' and password_hash is not null
      order by created_at desc limit 1`,
    values: [email],
  });
  return rows[0]?.password_hash;
}
