import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate, requireOpenSession, type SignedIn } from '../authenticate.ts';
import { challengeFields, metadata, readBody, readEmail, text } from '../body-fields.ts';
import { readChallenge } from '../code-challenge.ts';
import { requireSecondLevel } from '../factors/assurance.ts';
import { type GiveBack, withMailAllowance, withTextAllowance } from '../mail-allowance.ts';
import { type EmailChange, issueEmailChange, mailEmailChange, mailToken } from '../mail-token.ts';
import { notifyChange } from '../notices/notify-change.ts';
import {
  changeOwnPhone,
  type NewPhone,
  type PhoneChange,
  readNewPhone,
  textPhoneChange,
  textReauthentication,
} from '../own-phone.ts';
import { presentUser } from '../present/present-user.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { recordAct } from '../stores/audit-log.ts';
import { changeEmail, changePassword } from '../stores/credentials.ts';
import { startFlow } from '../stores/flows.ts';
import { issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser, mergeMetadata, type UserRow } from '../stores/users.ts';
import { requirePhones } from '../texts/text-code.ts';
import { isBanned } from '../user-state.ts';
import { reauthenticationReceiver, validateNewPassword } from '../validate-password.ts';

const BODY = v.object({
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  current_password: text,
  nonce: text,
  channel: text,
  data: metadata,
  app_metadata: v.nullish(v.unknown()),
  ...challengeFields,
});
type Body = v.InferOutput<typeof BODY>;

/** PUT /user: a person changes password, address, number or own data. All of it happens, or none. */
export const updateUser: Operation = async (context, request) => {
  const signedIn = await authenticate(context, request);
  const body = readBody(BODY, request.body);
  if (body.app_metadata !== undefined && body.app_metadata !== null)
    throw new AuthError('not_admin', { message: 'Updating app_metadata requires admin privileges' });
  const newEmail = readNewEmail(signedIn, body);
  const newPhone = readNewPhone(context, signedIn.user, body);
  const isNamed = newEmail !== undefined || newPhone !== undefined;
  // Another way in would stay open when the organisation lets somebody go.
  if (signedIn.user.is_sso_user && (isNamed || isGiven(body.password)))
    throw new AuthError('user_sso_managed');
  if (isNamed || isGiven(body.password))
    requireSecondLevel(signedIn, {
      status: 401,
      message: 'AAL2 session is required to update email or password when MFA is enabled.',
    });
  if (signedIn.user.is_anonymous && body.password && !isNamed)
    throw new AuthError('validation_failed', {
      status: 422,
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    });
  const newHash = await readNewPassword(context, signedIn, body);
  await run(context, request, signedIn, { body, newEmail, newPhone, newHash });
  return { body: presentUser(await findChanged(context, signedIn)) };
};

/** Each message is counted before anything is changed, and sent after all is. */
function run(
  context: AuthContext,
  request: AuthRequest,
  signedIn: SignedIn,
  changes: Changes,
): Promise<void> {
  const { newPhone } = changes;
  if (newPhone === undefined || !context.settings.confirmPhone)
    return runMailing(context, request, signedIn, changes);
  const order = { kind: 'phone_change', phone: newPhone.phone } as const;
  return withTextAllowance(context, request, order, (giveBack) =>
    runMailing(context, request, signedIn, changes, giveBack),
  );
}

async function runMailing(
  context: AuthContext,
  request: AuthRequest,
  signedIn: SignedIn,
  changes: Changes,
  giveTextBack: GiveBack = async () => undefined,
): Promise<void> {
  const { newEmail } = changes;
  const finish = async ({ text: texted }: Started) => {
    if (texted) await textPhoneChange(context, texted, giveTextBack);
  };
  if (newEmail === undefined || isTakenOnTrust(context, signedIn))
    await finish(await change(context, request, signedIn, changes));
  else {
    // Both are written to: an account must not be the means to fill somebody else's mailbox.
    const to = [...(signedIn.user.email ? [signedIn.user.email] : []), newEmail];
    await withMailAllowance(context, request, { kind: 'email_change', to }, async (giveBack) => {
      const started = await change(context, request, signedIn, changes);
      const redirectTo = resolveRedirect(context.settings, request);
      if (started.mail) await mailEmailChange(context, started.mail, { redirectTo, giveBack });
      await finish(started);
    });
  }
}

/** Whether somebody else has it is not checked here: the answer would tell everybody who has an account. */
function readNewEmail({ user }: SignedIn, body: Body): string | undefined {
  const email = body.email === '' ? undefined : readEmail(body.email);
  return email === user.email ? undefined : email;
}

/** As with a sign-up: where addresses are not asked to prove themselves, that of an account without one needs no mail either. */
function isTakenOnTrust({ settings }: AuthContext, { user }: SignedIn): boolean {
  return user.is_anonymous && !settings.confirmEmail;
}

function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Hashed before the transaction, which would otherwise hold a connection for as long. */
async function readNewPassword(
  context: AuthContext,
  signedIn: SignedIn,
  { password, current_password: current, nonce }: Body,
): Promise<string | undefined> {
  if (!isGiven(password)) return undefined;
  await validateNewPassword(context, signedIn, { password, current, nonce });
  return context.passwords.hash(password);
}

type Changes = {
  readonly body: Body;
  readonly newEmail: string | undefined;
  readonly newPhone: NewPhone | undefined;
  readonly newHash: string | undefined;
};

/** What is to be sent. */
type Started = { readonly mail?: EmailChange | undefined; readonly text?: PhoneChange | undefined };

async function change(
  context: AuthContext,
  request: AuthRequest,
  signedIn: SignedIn,
  changes: Changes,
): Promise<Started> {
  const applied = await asAuthAdmin(context.db, 'update own account', async (tx) => {
    const started = await applyChanges(tx, context, signedIn, changes);
    const { body, newEmail, newPhone, newHash } = changes;
    const actor = signedIn.user.id;
    if (newHash !== undefined)
      await recordAct(tx, request, { action: 'user_updated_password', actor }, context.now());
    if (body.data || newEmail !== undefined || newPhone !== undefined)
      await recordAct(tx, request, { action: 'user_modified', actor }, context.now());
    return started;
  });
  // Before anything is sent: a message that fails takes nothing of it back.
  await tellOwner(context, signedIn, changes);
  return applied;
}

async function tellOwner(
  context: AuthContext,
  signedIn: SignedIn,
  { newHash, newPhone }: Changes,
): Promise<void> {
  if (newHash === undefined && newPhone === undefined) return;
  const user = await findChanged(context, signedIn);
  if (newHash !== undefined) notifyChange(context, { kind: 'password_changed', user });
  const oldPhone = signedIn.user.phone;
  if (user.phone !== null && user.phone !== oldPhone)
    notifyChange(context, { kind: 'phone_changed', user, phone: user.phone, oldPhone: oldPhone ?? '' });
}

async function applyChanges(
  tx: Transaction,
  context: AuthContext,
  signedIn: SignedIn,
  { body, newEmail, newPhone, newHash }: Changes,
): Promise<Started> {
  const now = context.now();
  const { session } = signedIn;
  const userId = signedIn.user.id;
  // Locked: an account that is being cleared away at this moment takes no address any more.
  const user = await findUser(tx, { id: userId }, { lock: true });
  if (!user) throw new AuthError('user_not_found', { status: 403 });
  if (isBanned(user, now)) throw new AuthError('user_banned');
  await requireOpenSession(tx, session);
  if (newHash !== undefined)
    await changePassword(tx, { userId, passwordHash: newHash, keepSession: session?.id }, now);
  if (body.data) await mergeMetadata(tx, { userId, column: 'raw_user_meta_data', data: body.data }, now);
  const texted = newPhone && (await changeOwnPhone(tx, context.settings, user, newPhone, now));
  if (newEmail === undefined) return { text: texted };
  if (isTakenOnTrust(context, signedIn)) {
    // A second account with this address is refused by the database.
    await changeEmail(tx, { userId, email: newEmail, proven: true }, now);
    return { text: texted };
  }
  const challenge = readChallenge(body);
  const flowId = challenge && (await startFlow(tx, { userId, method: 'email_change', challenge }, now));
  const { secureEmailChange: askCurrent, codeLength } = context.settings;
  const mail = await issueEmailChange(tx, { user, newEmail, flowId, askCurrent, codeLength }, now);
  return { mail, text: texted };
}

async function findChanged({ db }: AuthContext, { user }: SignedIn): Promise<UserRow> {
  const changed = await asAuthAdmin(db, 'read own account', (tx) => findUser(tx, { id: user.id }));
  if (!changed) throw new AuthError('user_not_found', { status: 403 });
  return changed;
}

/** GET /user: whose token this is. */
export const getUser: Operation = async (context, request) => ({
  body: presentUser((await authenticate(context, request)).user),
});

/** GET /reauthenticate: sends a code that a later change of password may ask for. */
export const reauthenticate: Operation = async (context, request) => {
  const { user } = await authenticate(context, request);
  const receiver = reauthenticationReceiver(user);
  if ('phone' in receiver) return reauthenticateByPhone(context, request, user, receiver.phone);
  const { email } = receiver;
  if (email === '')
    throw new AuthError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    });
  if (!user.email_confirmed_at)
    throw new AuthError('validation_failed', { message: 'Please verify your email first.' });
  await withMailAllowance(context, request, { kind: 'reauthentication', to: [email] }, async (giveBack) => {
    const token = await asAuthAdmin(context.db, 'issue a reauthentication code', async (tx) => {
      await recordAct(
        tx,
        request,
        { action: 'user_reauthenticate_requested', actor: user.id },
        context.now(),
      );
      return issueMailedToken(
        tx,
        { userId: user.id, type: 'reauthentication_token', email, codeLength: context.settings.codeLength },
        context.now(),
      );
    });
    // The mail shows the code only: no link leads to a reauthentication.
    const mail = {
      template: 'reauthenticate',
      link: 'magiclink',
      redirectTo: context.settings.siteUrl,
    } as const;
    await mailToken(context, { ...mail, to: email, token, user, giveBack });
  });
  return { body: {} };
};

async function reauthenticateByPhone(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  phone: string,
): Promise<Answer> {
  if (!user.phone_confirmed_at)
    throw new AuthError('validation_failed', { message: 'Please verify your phone first.' });
  requirePhones(context, 'Phone logins are disabled');
  const order = { kind: 'reauthentication', phone } as const;
  await withTextAllowance(context, request, order, (giveBack) =>
    textReauthentication(context, request, { user, phone }, giveBack),
  );
  return { body: {} };
}
