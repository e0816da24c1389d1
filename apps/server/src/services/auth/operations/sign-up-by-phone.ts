import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { TextChannel } from '../../../kernel/text-messages.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { challengeFields, metadata, readBody, readPhone, text } from '../body-fields.ts';
import { draftUser } from '../draft-user.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { askBeforeUserCreated } from '../hooks/before-user-created.ts';
import { withTextAllowance } from '../mail-allowance.ts';
import { presentUser } from '../present/present-user.ts';
import { recordAct } from '../stores/audit-log.ts';
import { insertUser } from '../stores/identities.ts';
import { issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow, validateMetadata } from '../stores/users.ts';
import { chooseCode, readChannel, requirePhones, textCode } from '../texts/text-code.ts';
import { validatePassword } from '../validate-password.ts';
import { signUpAtOnce } from './sign-up-at-once.ts';

const BODY = v.object({ phone: text, password: text, data: metadata, channel: text, ...challengeFields });

type Application = {
  /** Of the account, if one is opened. */
  readonly id: string;
  readonly phone: string;
  readonly data: Record<string, unknown>;
  readonly password: string;
  readonly channel: TextChannel;
};

/** POST /signup with a phone number: opens an account, and texts a code that proves it unless numbers are taken on trust. */
export async function signUpByPhone(context: AuthContext, request: AuthRequest): Promise<Answer> {
  const application = readApplication(context, request);
  const { id, phone, data } = application;
  // As by e-mail: asked for every number, whether or not there is an account.
  await askBeforeUserCreated(context, request, draftUser(id, { email: null, phone, data }, context.now()));
  return context.settings.confirmPhone
    ? signUpByText(context, request, application)
    : signUpAtOnce(context, request, { ...application, by: { phone } });
}

function readApplication(context: AuthContext, request: AuthRequest): Application {
  const { settings } = context;
  const body = readBody(BODY, request.body);
  if (!settings.signUpEnabled) throw new AuthError('signup_disabled');
  requirePhones(context, 'Phone signups are disabled');
  if (body.password === '')
    throw new AuthError('validation_failed', { message: 'Signup requires a valid password' });
  if (body.code_challenge !== '')
    throw new AuthError('validation_failed', { message: 'PKCE not supported for phone signups' });
  const channel = readChannel(body.channel);
  const phone = readPhone(body.phone);
  validatePassword(body.password, settings);
  const data = body.data ?? {};
  validateMetadata(data);
  return { id: randomUUID(), phone, data, password: body.password, channel };
}

async function signUpByText(
  context: AuthContext,
  request: AuthRequest,
  application: Application,
): Promise<Answer> {
  const { phone, data, channel } = application;
  return withTextAllowance(context, request, { kind: 'confirmation', phone }, async (giveBack) => {
    // Hashed whether or not there is an account: the time of the answer must not reveal who has one.
    const passwordHash = await context.passwords.hash(application.password);
    const now = context.now();
    const code = chooseCode(context.settings, phone, now);
    const { opened, user } = await asAuthAdmin(context.db, 'sign up by phone', (tx) =>
      claimPhone(tx, request, { ...application, passwordHash, code }, now),
    );
    // Nobody is told by a text message that somebody wanted his number: it would cost money, and trouble him as often as a stranger likes.
    if (opened !== undefined && user) tellUserCreated(context, request, user);
    if (user) await textCode(context, { user, phone, channel, code, giveBack });
    else context.textSender.pretend();
    const draft = draftUser(
      opened ?? randomUUID(),
      { email: null, phone, data, confirmationSent: true },
      now,
    );
    return { body: presentUser(draft) };
  });
}

/**
 * Opens an account, or joins those who have claimed the number before: whoever types the code gets the password and data of his own request.
 * @returns `opened` is the id of a new account; no user when the number belongs to somebody who has proven it.
 */
async function claimPhone(
  tx: Transaction,
  request: AuthRequest,
  { id, phone, data, passwordHash, code }: Application & { passwordHash: string; code: string },
  now: Date,
): Promise<{ opened: string | undefined; user: UserRow | undefined }> {
  const opened = await insertUser(tx, { id, phone, passwordHash: '', userMetadata: {} }, now);
  const found = await findUser(tx, { phone }, { lock: true });
  const act = found?.phone_confirmed_at ? 'user_repeated_signup' : 'user_confirmation_requested';
  if (found)
    await recordAct(tx, request, { action: act, actor: found.id, traits: { provider: 'phone' } }, now);
  if (!found || found.phone_confirmed_at) return { opened, user: undefined };
  const claim = { passwordHash, userMetadata: data };
  await issueMailedToken(tx, { userId: found.id, type: 'confirmation_token', phone, claim, code }, now);
  return { opened, user: { ...found, raw_user_meta_data: data } };
}
