import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { metadata, readBody, readEmail, text } from '../body-fields.ts';
import { draftUser } from '../draft-user.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { askBeforeUserCreated } from '../hooks/before-user-created.ts';
import { buildMailLink, inviteUser, issueEmailChange, type LinkType, mailToken } from '../mail-token.ts';
import { presentUser } from '../present/present-user.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { type Act, recordOperatorAct } from '../stores/audit-log.ts';
import { insertUser } from '../stores/identities.ts';
import { issueMailedToken, type MailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow, validateMetadata } from '../stores/users.ts';
import { validatePassword } from '../validate-password.ts';

const BODY = v.object({
  type: text,
  email: text,
  new_email: text,
  password: text,
  data: metadata,
  redirect_to: text,
});

type Order = {
  readonly type: string;
  readonly email: string;
  readonly newEmail: string;
  readonly passwordHash: string;
  readonly data: Record<string, unknown>;
  readonly askCurrent: boolean;
  readonly codeLength: number;
};

/** `type` is the one that was made: a magic link for an unknown address becomes a sign-up. */
type Made = { readonly token: MailedToken; readonly type: string; readonly link: LinkType };

/** POST /admin/generate_link: the link a mail would carry, for an operator who brings it over another way. */
export const adminGenerateLink: Operation = async (context, request) => {
  requireOperator(context, request);
  const body = readBody(BODY, request.body);
  const email = readEmail(body.email);
  const order = {
    type: body.type,
    email,
    newEmail: body.type.startsWith('email_change') ? readEmail(body.new_email) : '',
    passwordHash: await hashWhenSignUp(context, body),
    data: body.data ?? {},
    askCurrent: context.settings.secureEmailChange,
    codeLength: context.settings.codeLength,
  };
  validateMetadata(order.data);
  const { made, user } = await asAuthAdmin(context.db, 'generate a link', async (tx) => {
    const result = await make(tx, order, context.now());
    const found = await findUser(tx, { email });
    const action = ACTS[result.type] ?? 'user_modified';
    if (found) await recordOperatorAct(tx, request, { action, user: found }, context.now());
    return { made: result, user: found };
  });
  if (!user) throw new AuthError('user_not_found');
  const redirectTo = resolveRedirect(context.settings, request, body.redirect_to);
  const { tokenHash, code } = made.token;
  return {
    body: {
      ...presentUser(user),
      action_link: buildMailLink(context.settings.siteUrl, { tokenHash, type: made.link, redirectTo }),
      email_otp: code,
      hashed_token: tokenHash,
      verification_type: made.type,
      redirect_to: redirectTo,
    },
  };
};

/** Each link is a way into the account: the log tells that an operator has made one. */
const ACTS: Readonly<Record<string, Act['action']>> = {
  signup: 'user_confirmation_requested',
  invite: 'user_invited',
  magiclink: 'user_recovery_requested',
  recovery: 'user_recovery_requested',
};

async function hashWhenSignUp(
  { passwords, settings }: AuthContext,
  { type, password }: v.InferOutput<typeof BODY>,
): Promise<string> {
  if (type !== 'signup') return '';
  if (password === '')
    throw new AuthError('validation_failed', { message: 'Signup requires a valid password' });
  validatePassword(password, settings);
  return passwords.hash(password);
}

async function make(tx: Transaction, order: Order, now: Date): Promise<Made> {
  const { type, email, data, codeLength } = order;
  if (type === 'invite')
    return { token: (await inviteUser(tx, { email, data, codeLength }, now)).token, type, link: 'invite' };
  const user = await findUser(tx, { email }, { lock: true });
  if (type === 'signup' || (type === 'magiclink' && !user)) return makeSignUp(tx, order, user, now);
  if (!user) throw new AuthError('user_not_found', { message: 'User with this email not found' });
  if (type === 'magiclink' || type === 'recovery')
    return {
      token: await issueMailedToken(tx, { userId: user.id, type: 'recovery_token', email, codeLength }, now),
      type,
      link: type,
    };
  if (type === 'email_change_current' || type === 'email_change_new')
    return makeEmailChange(tx, order, user, now);
  throw new AuthError('validation_failed', { message: `Invalid email action link type requested: ${type}` });
}

async function makeSignUp(
  tx: Transaction,
  order: Order,
  known: UserRow | undefined,
  now: Date,
): Promise<Made> {
  const { email, data, passwordHash, codeLength } = order;
  if (known?.email_confirmed_at) throw new AuthError('email_exists');
  const userId = known?.id ?? (await insertUser(tx, { email, passwordHash, userMetadata: data }, now));
  if (userId === undefined) throw new AuthError('conflict');
  const claim = { ...(passwordHash === '' ? {} : { passwordHash }), userMetadata: data };
  const token = await issueMailedToken(
    tx,
    { userId, type: 'confirmation_token', email, claim, codeLength },
    now,
  );
  return { token, type: 'signup', link: 'signup' };
}

async function makeEmailChange(tx: Transaction, order: Order, user: UserRow, now: Date): Promise<Made> {
  const { type, newEmail, askCurrent, codeLength } = order;
  if (!askCurrent && type === 'email_change_current')
    throw new AuthError('validation_failed', {
      message: 'Enable secure email change to generate link for current email',
    });
  if (await findUser(tx, { email: newEmail })) throw new AuthError('email_exists');
  // The two links of one change are asked for one after the other: the second must not void the first.
  if (user.email_change === newEmail) {
    const tokenType = type === 'email_change_new' ? 'email_change_token_new' : 'email_change_token_current';
    const email = type === 'email_change_new' ? newEmail : (user.email ?? '');
    const token = await issueMailedToken(tx, { userId: user.id, type: tokenType, email, codeLength }, now);
    return { token, type, link: 'email_change' };
  }
  const change = await issueEmailChange(
    tx,
    { user, newEmail, flowId: undefined, askCurrent, codeLength },
    now,
  );
  const token = type === 'email_change_new' ? change.toNew : (change.toCurrent ?? change.toNew);
  return { token, type, link: 'email_change' };
}

const INVITE_BODY = v.object({ email: text, data: metadata });

/** POST /invite: an operator opens an account for somebody and mails the way in. */
export const invite: Operation = async (context, request) => {
  requireOperator(context, request);
  const { email: raw, data } = readBody(INVITE_BODY, request.body);
  const email = readEmail(raw);
  const draft = draftUser(randomUUID(), { email, data: data ?? {} }, context.now());
  await askBeforeUserCreated(context, request, draft);
  const { token, user, isNew } = await asAuthAdmin(context.db, 'invite a person', async (tx) => {
    const invited = await inviteUser(
      tx,
      { email, data: data ?? {}, codeLength: context.settings.codeLength },
      context.now(),
    );
    const found = await findUser(tx, { id: invited.userId });
    if (found) await recordOperatorAct(tx, request, { action: 'user_invited', user: found }, context.now());
    return { token: invited.token, isNew: invited.isNew, user: found };
  });
  if (!user) throw new AuthError('user_not_found');
  if (isNew) tellUserCreated(context, request, user);
  await mailToken(context, {
    template: 'invite',
    to: email,
    token,
    link: 'invite',
    redirectTo: resolveRedirect(context.settings, request),
    user: { ...user, raw_user_meta_data: data ?? {} },
    giveBack: async () => undefined,
  });
  return { body: presentUser(user) };
};
