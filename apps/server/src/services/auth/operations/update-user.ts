import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate, type SignedIn } from '../authenticate.ts';
import { challengeFields, metadata, readBody, text } from '../body-fields.ts';
import { type EmailChange, issueEmailChange, mailEmailChange } from '../issue-email-change.ts';
import { judgeNewPassword } from '../judge-new-password.ts';
import { presentUser } from '../present/present-user.ts';
import { readChallenge } from '../read-challenge.ts';
import { readEmail } from '../read-email.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { changePassword } from '../stores/change-password.ts';
import { findUser } from '../stores/find-user.ts';
import { mergeMetadata } from '../stores/merge-metadata.ts';
import { startFlow } from '../stores/start-flow.ts';
import { withMailAllowance } from '../with-mail-allowance.ts';

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
  const newEmail = await readNewEmail(context, signedIn, body);
  const newHash = await readNewPassword(context, signedIn, body);
  const run = () => change(context, request, signedIn, { body, newEmail, newHash });
  if (newEmail === undefined) await run();
  else
    await withMailAllowance(
      context,
      request,
      { kind: 'email_change', email: signedIn.user.email ?? '' },
      run,
    );
  return { body: await presentChanged(context, signedIn) };
};

async function readNewEmail(
  { db }: AuthContext,
  { user }: SignedIn,
  body: Body,
): Promise<string | undefined> {
  const email = body.email === '' ? undefined : readEmail(body.email);
  if (email === undefined || email === user.email) return undefined;
  const owner = await asAuthAdmin(db, 'is an address taken', (tx) => findUser(tx, { email }));
  if (owner && owner.id !== user.id) throw new AuthError('email_exists');
  return email;
}

/** Hashed before the transaction, which would otherwise hold a connection for as long. */
async function readNewPassword(
  context: AuthContext,
  signedIn: SignedIn,
  { password, current_password: current, nonce }: Body,
): Promise<string | undefined> {
  if (password === undefined || password === null) return undefined;
  await judgeNewPassword(context, signedIn, { password, current, nonce });
  return context.passwords.hash(password);
}

type Changes = {
  readonly body: Body;
  readonly newEmail: string | undefined;
  readonly newHash: string | undefined;
};

async function change(
  context: AuthContext,
  request: AuthRequest,
  signedIn: SignedIn,
  changes: Changes,
): Promise<void> {
  const started = await asAuthAdmin(context.db, 'update own account', (tx) =>
    applyChanges(tx, context, signedIn, changes),
  );
  if (started) await mailEmailChange(context, started, resolveRedirect(context.settings, request));
}

async function applyChanges(
  tx: Transaction,
  context: AuthContext,
  { user, session }: SignedIn,
  { body, newEmail, newHash }: Changes,
): Promise<EmailChange | undefined> {
  const now = context.now();
  const userId = user.id;
  if (newHash !== undefined)
    await changePassword(tx, { userId, passwordHash: newHash, keepSession: session?.id }, now);
  if (body.data) await mergeMetadata(tx, { userId, column: 'raw_user_meta_data', data: body.data }, now);
  if (newEmail === undefined) return undefined;
  const challenge = readChallenge(body);
  if (challenge) await startFlow(tx, { userId, method: 'email_change', challenge }, now);
  const askCurrent = context.settings.secureEmailChange;
  return issueEmailChange(tx, { user, newEmail, challenged: challenge !== undefined, askCurrent }, now);
}

async function presentChanged({ db }: AuthContext, { user }: SignedIn): Promise<Record<string, unknown>> {
  const changed = await asAuthAdmin(db, 'read own account', (tx) => findUser(tx, { id: user.id }));
  if (!changed) throw new AuthError('user_not_found', { status: 403 });
  return presentUser(changed);
}
