import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { challengeFields, metadata, readBody, readEmail, text } from '../body-fields.ts';
import { type CodeChallenge, readChallenge } from '../code-challenge.ts';
import { draftUser } from '../draft-user.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { isWelcome } from '../hooks/before-user-created.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { type LinkType, mailToken } from '../mail-token.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { recordAct } from '../stores/audit-log.ts';
import { startFlow } from '../stores/flows.ts';
import { insertUser } from '../stores/identities.ts';
import { issueMailedToken, type MailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow, validateMetadata } from '../stores/users.ts';
import { sendOtpByPhone } from './send-otp-by-phone.ts';

const BODY = v.object({
  email: text,
  phone: text,
  create_user: v.nullish(v.boolean(), true),
  data: metadata,
  channel: text,
  ...challengeFields,
});

type Wish = {
  /** Of the account, if one is opened. */
  readonly id: string;
  readonly email: string;
  readonly data: Record<string, unknown>;
  readonly mayCreate: boolean;
  readonly challenge: CodeChallenge | undefined;
};

/** What a request asks for, and from where. */
type Asked = Wish & { readonly ip: string };

/**
 * POST /otp and its old name /magiclink: mails a link and a code that sign in without a password. The platform answers 422
 * `otp_disabled` where there is no account and none is wanted; here that is answered like any other address, and nothing is mailed,
 * unless a sign-up would tell the same.
 */
export const sendOtp: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  if (body.email !== '' && body.phone !== '')
    throw new AuthError('validation_failed', {
      message: 'Only an email address or phone number should be provided',
    });
  if (body.phone !== '') return sendOtpByPhone(context, request);
  if (body.channel !== '')
    throw new AuthError('validation_failed', {
      message: 'Channel should only be specified with Phone OTP',
    });
  const email = readEmail(body.email);
  const data = body.data ?? {};
  validateMetadata(data);
  const wish = {
    id: randomUUID(),
    email,
    data,
    mayCreate: body.create_user !== false,
    challenge: readChallenge(body),
  };

  await withMailAllowance(context, request, { kind: 'recovery', to: [email] }, async (giveBack) => {
    const draft = draftUser(wish.id, wish, context.now());
    const mayCreate = wish.mayCreate && (await isWelcome(context, request, draft));
    const issued = await asAuthAdmin(context.db, 'ask for a sign-in link', (tx) =>
      issueSignInToken(tx, context.settings, { ...wish, mayCreate, ip: request.ip }, context.now()),
    );
    if (!issued && !wish.mayCreate && tellsAccounts(context.settings)) throw new AuthError('otp_disabled');
    if (!issued) return context.mailSender.pretend();
    if (issued.user.id === wish.id) tellUserCreated(context, request, issued.user);
    const redirectTo = resolveRedirect(context.settings, request);
    return mailToken(context, { template: 'magic_link', to: email, ...issued, redirectTo, giveBack });
  });
  return { body: {} };
};

/** Where addresses are taken on trust, a sign-up that is refused says that there is an account: then nothing is hidden by silence. */
function tellsAccounts({ signUpEnabled, confirmEmail }: AuthSettings): boolean {
  return signUpEnabled && !confirmEmail;
}

async function issueSignInToken(
  tx: Transaction,
  settings: AuthSettings,
  { id, email, data, mayCreate, challenge, ip }: Asked,
  now: Date,
): Promise<{ token: MailedToken; link: LinkType; user: UserRow } | undefined> {
  const known = await findUser(tx, { email }, { lock: true });
  if (known?.deleted_at || (!known && !(mayCreate && settings.signUpEnabled))) return undefined;
  if (!known) await insertUser(tx, { id, email, passwordHash: '', userMetadata: {} }, now);
  const user = known ?? (await findUser(tx, { email }, { lock: true }));
  if (!user) throw new AuthError('conflict');

  // As in a sign-up, what is said of the person waits for the link: a stranger could have said it.
  const isNew = !user.email_confirmed_at;
  const method = isNew ? 'email/signup' : 'magiclink';
  const flowId = challenge && (await startFlow(tx, { userId: user.id, method, challenge }, now));
  const type = isNew ? 'confirmation_token' : 'recovery_token';
  const claim = isNew ? { userMetadata: data } : {};
  const token = await issueMailedToken(
    tx,
    { userId: user.id, type, email, flowId, claim, codeLength: settings.codeLength },
    now,
  );
  const action = isNew ? 'user_confirmation_requested' : 'user_recovery_requested';
  await recordAct(tx, { ip }, { action, actor: user.id, traits: { provider: 'email' } }, now);
  if (!isNew) return { token, link: 'magiclink', user };
  return { token, link: 'signup', user: { ...user, raw_user_meta_data: data } };
}
