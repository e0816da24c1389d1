import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import {
  createLinkToken,
  createMailedCode,
  hashLinkToken,
  hashMailedCode,
  isSameHash,
} from '../mailed-secrets.ts';

/** What a mailed link or code, or a texted code, proves: the platform's kinds of one-time tokens, each with its column in `auth.users`. */
const SENT_AT = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
  phone_change_token: 'phone_change_sent_at',
} as const;

export type MailedTokenType = keyof typeof SENT_AT;

/** To whom a code goes: it is good only together with that. The table has both in one column; only an address has an @. */
export type Receiver = { readonly email: string } | { readonly phone: string };

function addressOf(receiver: Receiver): string {
  return 'phone' in receiver ? receiver.phone : receiver.email;
}

/** What goes into the mail: the code for typing, the token for the link. Only hashes of them are stored. */
export type MailedToken = { readonly code: string; readonly tokenHash: string };

/** What an account is to have once the link is followed. */
export type Claim = { readonly passwordHash?: string; readonly userMetadata?: object };

/**
 * Makes a one-time token. An earlier one of the same type and way stops working, except for confirmations: several people may claim an
 * address that nobody has confirmed, and each of them is to get what he or she asked for, or nothing.
 */
export async function issueMailedToken(
  tx: Transaction,
  request: Receiver & {
    readonly userId: string;
    readonly type: MailedTokenType;
    /** Of the request's code challenge, when it came with one. */
    readonly flowId?: string | undefined;
    readonly claim?: Claim;
  } & ({ /** How many digits the code has. */ readonly codeLength: number } | { readonly code: string }),
  now: Date,
): Promise<MailedToken> {
  const { userId, type, flowId, claim = {} } = request;
  const address = addressOf(request);
  const id = randomUUID();
  const code = 'code' in request ? request.code : createMailedCode(request.codeLength);
  const tokenHash = createLinkToken(flowId !== undefined);
  await tx.query({
    text: `update auth.users set ${SENT_AT[type]} = $2, updated_at = $2 where id = $1`,
    values: [userId, now],
  });
  if (type !== 'confirmation_token')
    await tx.query({
      name: 'auth_void_mailed_token',
      text: `delete from auth.mailed_tokens
        where user_id = $1 and token_type = $2 and (position('@' in email) > 0) = $3`,
      values: [userId, type, 'email' in request],
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
      address,
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

export type TakenToken = {
  readonly userId: string;
  readonly type: MailedTokenType;
  readonly flowId: string | undefined;
  readonly claim: Claim;
};

/** A followed link, or a typed code with the address or number it was sent to. */
export type Proof = { readonly link: string } | ({ readonly code: string } & Receiver);

type Columns = {
  id: string;
  user_id: string;
  token_type: MailedTokenType;
  code_hash: string;
  flow_state_id: string | null;
  password_hash: string | null;
  user_metadata: object | null;
};

/** So often may a code be typed: of a million codes, or more, that leaves a stranger five. */
const CODE_ATTEMPTS = 5;

/**
 * Uses a one-time token up. Of two that come with the same one, the first to arrive gets it. An attempt at a code is counted before
 * the code is compared, one after the other, whoever makes it: the caller must commit whatever comes out. The token's account stays
 * locked.
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
    // The mail of a sign-up proves the address it went to; an operator may have given the account another since.
    text: `delete from auth.mailed_tokens t using auth.users u
      where t.id = $1 and u.id = t.user_id
        and (t.token_type <> 'confirmation_token' or position('@' in t.email) = 0 or t.email = u.email)
      returning t.id, t.user_id, t.token_type, t.code_hash, t.flow_state_id, t.password_hash, t.user_metadata`,
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
  { code, ...receiver }: { readonly code: string } & Receiver,
  types: readonly MailedTokenType[],
  since: Date,
): Promise<string | undefined> {
  const address = addressOf(receiver);
  // As above: the accounts first.
  await tx.query({
    name: 'auth_lock_mailed_codes',
    text: `select u.id from auth.users u
      where u.id in (select user_id from auth.mailed_tokens where email = $1) order by u.id for update of u`,
    values: [address],
  });
  const { rows } = await tx.query<Pick<Columns, 'id' | 'code_hash'>>({
    name: 'auth_count_code_attempt',
    text: `update auth.mailed_tokens set attempts = attempts + 1
      where email = $1 and token_type = any($2::auth.one_time_token_type[]) and created_at > $3 and attempts < $4
      returning id, code_hash`,
    values: [address, types, since, CODE_ATTEMPTS],
  });
  return rows.find((row) => isSameHash(row.code_hash, hashMailedCode(row.id, code)))?.id;
}

/** Makes every link and code that was mailed to an account useless, and drops what waited for them. */
export async function forgetMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_mailed_tokens',
    text: 'delete from auth.mailed_tokens where user_id = $1',
    values: [userId],
  });
}

type Pending = { readonly flowId: string | undefined; readonly claim: Claim };

/**
 * What the mails (or texts) of one kind to an account still wait for, if that is one thing. Where several people have claimed the address, nobody
 * can say whose wish a further mail should carry: then it is undefined.
 */
export async function findPending(
  tx: Transaction,
  {
    userId,
    type,
    by = 'email',
  }: {
    readonly userId: string;
    readonly type: MailedTokenType;
    readonly by?: 'email' | 'phone';
  },
): Promise<Pending | undefined> {
  const { rows } = await tx.query<{
    password_hash: string | null;
    user_metadata: object | null;
    flow_id: string | null;
  }>({
    name: 'auth_find_pending',
    text: `select distinct on (t.password_hash, t.user_metadata) t.password_hash, t.user_metadata, f.id as flow_id
      from auth.mailed_tokens t left join auth.flow_state f on f.id = t.flow_state_id
      where t.user_id = $1 and t.token_type = $2 and (position('@' in t.email) > 0) = $3
      order by t.password_hash, t.user_metadata, t.created_at desc`,
    values: [userId, type, by === 'email'],
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

/** The password of the newest sign-up that waits for its link or code: with it, a person is told to look for the mail. */
export async function findClaimedPassword(tx: Transaction, receiver: Receiver): Promise<string | undefined> {
  const { rows } = await tx.query<{ password_hash: string }>({
    name: 'auth_find_claimed_password',
    text: `select password_hash from auth.mailed_tokens
      where email = $1 and token_type = 'confirmation_token' and password_hash is not null
      order by created_at desc limit 1`,
    values: [addressOf(receiver)],
  });
  return rows[0]?.password_hash;
}
