import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { metadata, readBody, readPhone, text } from '../body-fields.ts';
import { draftUser } from '../draft-user.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { isWelcome } from '../hooks/before-user-created.ts';
import { withTextAllowance } from '../mail-allowance.ts';
import { recordAct } from '../stores/audit-log.ts';
import { insertUser } from '../stores/identities.ts';
import { issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow, validateMetadata } from '../stores/users.ts';
import { chooseCode, readChannel, requirePhones, textCode } from '../texts/text-code.ts';

const BODY = v.object({
  phone: text,
  create_user: v.nullish(v.boolean(), true),
  data: metadata,
  channel: text,
});

type Wish = {
  /** Of the account, if one is opened. */
  readonly id: string;
  readonly phone: string;
  readonly data: Record<string, unknown>;
  readonly mayCreate: boolean;
  readonly code: string;
  readonly ip: string;
};

/**
 * POST /otp with a phone number: texts a code that signs in without a password. Always `{}`: the platform tells a provider's id of the message
 * to whoever has an account, and 422 `otp_disabled` where there is none and none is wanted; here only where a sign-up would tell the same.
 */
export async function sendOtpByPhone(context: AuthContext, request: AuthRequest): Promise<Answer> {
  const body = readBody(BODY, request.body);
  requirePhones(context, 'Unsupported phone provider');
  const channel = readChannel(body.channel);
  const phone = readPhone(body.phone);
  const data = body.data ?? {};
  validateMetadata(data);
  const id = randomUUID();
  await withTextAllowance(context, request, { kind: 'confirmation', phone }, async (giveBack) => {
    const draft = draftUser(id, { email: null, phone, data }, context.now());
    const mayCreate = body.create_user !== false && (await isWelcome(context, request, draft));
    const code = chooseCode(context.settings, phone, context.now());
    const user = await asAuthAdmin(context.db, 'ask for a code by phone', (tx) =>
      issueSignInCode(tx, { id, phone, data, mayCreate, code, ip: request.ip }, context.now()),
    );
    const { signUpEnabled, confirmPhone } = context.settings;
    const isTold = signUpEnabled && !confirmPhone;
    if (!user && body.create_user === false && isTold) throw new AuthError('otp_disabled');
    if (user?.id === id) tellUserCreated(context, request, user);
    if (user) await textCode(context, { user, phone, channel, code, giveBack });
    else context.textSender.pretend();
  });
  return { body: {} };
}

async function issueSignInCode(
  tx: Transaction,
  { id, phone, data, mayCreate, code, ip }: Wish,
  now: Date,
): Promise<UserRow | undefined> {
  const known = await findUser(tx, { phone }, { lock: true });
  if (known?.deleted_at || (!known && !mayCreate)) return undefined;
  if (!known) await insertUser(tx, { id, phone, passwordHash: '', userMetadata: {} }, now);
  const user = known ?? (await findUser(tx, { phone }, { lock: true }));
  if (!user) throw new AuthError('conflict');
  // As in a sign-up, what is said of the person waits for the code: a stranger could have said it.
  const isNew = !user.phone_confirmed_at;
  const type = isNew ? 'confirmation_token' : 'recovery_token';
  const claim = isNew ? { userMetadata: data } : {};
  await issueMailedToken(tx, { userId: user.id, type, phone, claim, code }, now);
  const action = isNew ? 'user_confirmation_requested' : 'user_recovery_requested';
  await recordAct(tx, { ip }, { action, actor: user.id, traits: { provider: 'phone' } }, now);
  return isNew ? { ...user, raw_user_meta_data: data } : user;
}
