import type { Transaction } from '../../../kernel/database.ts';
import { hashLinkToken, hashMailedCode, isSameHash } from '../mailed-secrets.ts';
import type { Claim, MailedTokenType } from './issue-mailed-token.ts';

export type TakenToken = {
  readonly userId: string;
  readonly type: MailedTokenType;
  readonly flowId: string | undefined;
  readonly claim: Claim;
};

/** A followed link, or a typed code with the address it was mailed to. */
export type Proof = { readonly link: string } | { readonly code: string; readonly email: string };

type Columns = {
  id: string;
  user_id: string;
  token_type: MailedTokenType;
  code_hash: string;
  flow_state_id: string | null;
  password_hash: string | null;
  user_metadata: object | null;
};

/** So often may a code be typed: of a million codes, that leaves a stranger five. */
export const CODE_ATTEMPTS = 5;

/**
 * Uses a one-time token up. Of two that come with the same one, the first to arrive gets it. An attempt at a code is counted before
 * the code is compared, one after the other, whoever makes it: the caller must commit whatever comes out.
 * @param lifetime seconds
 * @returns undefined when there is no such token, or it is too old, or its code was typed too often.
 */
export async function takeMailedToken(
  tx: Transaction,
  { proof, types }: { readonly proof: Proof; readonly types: readonly MailedTokenType[] },
  lifetime: number,
  now: Date,
): Promise<TakenToken | undefined> {
  const since = new Date(now.getTime() - lifetime * 1000);
  const id =
    'link' in proof
      ? await findByLink(tx, hashLinkToken(proof.link), types, since)
      : await findByCode(tx, proof, types, since);
  if (id === undefined) return undefined;
  const { rows } = await tx.query<Columns>({
    name: 'auth_take_mailed_token',
    text: `delete from auth.mailed_tokens where id = $1
      returning id, user_id, token_type, code_hash, flow_state_id, password_hash, user_metadata`,
    values: [id],
  });
  const [taken] = rows;
  return (
    taken && {
      userId: taken.user_id,
      type: taken.token_type,
      flowId: taken.flow_state_id ?? undefined,
      claim: {
        ...(taken.password_hash === null ? {} : { passwordHash: taken.password_hash }),
        ...(taken.user_metadata === null ? {} : { userMetadata: taken.user_metadata }),
      },
    }
  );
}

async function findByLink(
  tx: Transaction,
  hash: string,
  types: readonly MailedTokenType[],
  since: Date,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'auth_find_mailed_link',
    // The account first, as everybody else who changes it: two who meet wait for each other in one order.
    text: `select t.id from auth.mailed_tokens t join auth.users u on u.id = t.user_id
      where t.link_hash = $1 and t.token_type = any($2::auth.one_time_token_type[]) and t.created_at > $3 for update of u`,
    values: [hash, types, since],
  });
  return rows[0]?.id;
}

async function findByCode(
  tx: Transaction,
  { code, email }: { readonly code: string; readonly email: string },
  types: readonly MailedTokenType[],
  since: Date,
): Promise<string | undefined> {
  await tx.query({
    name: 'auth_lock_mailed_codes',
    text: `select u.id from auth.users u
      where u.id in (select user_id from auth.mailed_tokens where email = $1) order by u.id for update of u`,
    values: [email],
  });
  const { rows } = await tx.query<Pick<Columns, 'id' | 'code_hash'>>({
    name: 'auth_count_code_attempt',
    text: `update auth.mailed_tokens set attempts = attempts + 1
      where email = $1 and token_type = any($2::auth.one_time_token_type[]) and created_at > $3 and attempts < $4
      returning id, code_hash`,
    values: [email, types, since, CODE_ATTEMPTS],
  });
  return rows.find((row) => isSameHash(row.code_hash, hashMailedCode(row.id, code)))?.id;
}
