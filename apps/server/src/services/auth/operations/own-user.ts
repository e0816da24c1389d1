import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate, type SignedIn } from '../authenticate.ts';
import { challengeFields, metadata, readBody, readEmail, text } from '../body-fields.ts';
import { readChallenge } from '../code-challenge.ts';
import { requireSecondLevel } from '../factors/assurance.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { type EmailChange, issueEmailChange, mailEmailChange, mailToken } from '../mail-token.ts';
import { presentUser } from '../present/present-user.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { changeEmail, changePassword } from '../stores/credentials.ts';
import { startFlow } from '../stores/flows.ts';
import { issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser, mergeMetadata } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import { validateNewPassword } from '../validate-password.ts';

const BODY = v.object({
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  current_password: text,
  nonce: text,
  data: metadata,
  app_metadata: v.nullish(v.unknown()),
  ...challengeFields,
});
type Body = v.InferOutput<typeof BODY>;

/** PUT /user: a person changes password, address or own data. All of it happens, or none. */
export const updateUser: Operation = async (context, request) => {
  const signedIn = await authenticate(context, request);
  const body = readBody(BODY, request.body);
  if (body.app_metadata !== undefined && body.app_metadata !== null)
    throw new AuthError('not_admin', { message: 'Updating app_metadata requires admin privileges' });
  if (body.phone !== '')
    throw new AuthError('phone_provider_disabled', { message: 'Phone logins are disabled' });
  const newEmail = readNewEmail(signedIn, body);
  if (newEmail !== undefined || isGiven(body.password))
    requireSecondLevel(signedIn, {
      status: 401,
      message: 'AAL2 session is required to update email or password when MFA is enabled.',
    });
  if (signedIn.user.is_anonymous && body.password && newEmail === undefined)
    throw new AuthError('validation_failed', {
      status: 422,
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    });
  const newHash = await readNewPassword(context, signedIn, body);
  const changes = { body, newEmail, newHash };
  if (newEmail === undefined || isTakenOnTrust(context, signedIn)) await change(context, signedIn, changes);
  else {
    // Both are written to: an account must not be the means to fill somebody else's mailbox.
    const to = [...(signedIn.user.email ? [signedIn.user.email] : []), newEmail];
    await withMailAllowance(context, request, { kind: 'email_change', to }, async (giveBack) => {
      const started = await change(context, signedIn, changes);
      const redirectTo = resolveRedirect(context.settings, request);
      if (started) await mailEmailChange(context, started, { redirectTo, giveBack });
    });
  }
  return { body: await presentChanged(context, signedIn) };
};

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
  readonly newHash: string | undefined;
};

function change(
  context: AuthContext,
  signedIn: SignedIn,
  changes: Changes,
): Promise<EmailChange | undefined> {
  return asAuthAdmin(context.db, 'update own account', (tx) => applyChanges(tx, context, signedIn, changes));
}

async function applyChanges(
  tx: Transaction,
  context: AuthContext,
  signedIn: SignedIn,
  { body, newEmail, newHash }: Changes,
): Promise<EmailChange | undefined> {
  const now = context.now();
  const { session } = signedIn;
  const userId = signedIn.user.id;
  // Locked: an account that is being cleared away at this moment takes no address any more.
  const user = await findUser(tx, { id: userId }, { lock: true });
  if (!user) throw new AuthError('user_not_found', { status: 403 });
  if (isBanned(user, now)) throw new AuthError('user_banned');
  if (newHash !== undefined)
    await changePassword(tx, { userId, passwordHash: newHash, keepSession: session?.id }, now);
  if (body.data) await mergeMetadata(tx, { userId, column: 'raw_user_meta_data', data: body.data }, now);
  if (newEmail === undefined) return undefined;
  if (isTakenOnTrust(context, signedIn)) {
    // A second account with this address is refused by the database.
    await changeEmail(tx, { userId, email: newEmail, proven: true }, now);
    return undefined;
  }
  const challenge = readChallenge(body);
  const flowId = challenge && (await startFlow(tx, { userId, method: 'email_change', challenge }, now));
  const { secureEmailChange: askCurrent, codeLength } = context.settings;
  return issueEmailChange(tx, { user, newEmail, flowId, askCurrent, codeLength }, now);
}

async function presentChanged({ db }: AuthContext, { user }: SignedIn): Promise<Record<string, unknown>> {
  const changed = await asAuthAdmin(db, 'read own account', (tx) => findUser(tx, { id: user.id }));
  if (!changed) throw new AuthError('user_not_found', { status: 403 });
  return presentUser(changed);
}

/** GET /user: whose token this is. */
export const getUser: Operation = async (context, request) => ({
  body: presentUser((await authenticate(context, request)).user),
});

/** GET /reauthenticate: mails a code that a later change of password may ask for. */
export const reauthenticate: Operation = async (context, request) => {
  const { user } = await authenticate(context, request);
  const email = user.email ?? '';
  if (email === '')
    throw new AuthError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    });
  if (!user.email_confirmed_at)
    throw new AuthError('validation_failed', { message: 'Please verify your email first.' });
  await withMailAllowance(context, request, { kind: 'reauthentication', to: [email] }, async (giveBack) => {
    const token = await asAuthAdmin(context.db, 'issue a reauthentication code', (tx) =>
      issueMailedToken(
        tx,
        { userId: user.id, type: 'reauthentication_token', email, codeLength: context.settings.codeLength },
        context.now(),
      ),
    );
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
