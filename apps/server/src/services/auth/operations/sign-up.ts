import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isOperator } from '../authenticate.ts';
import { challengeFields, metadata, readBody, readEmail, text } from '../body-fields.ts';
import { type CodeChallenge, readChallenge } from '../code-challenge.ts';
import { deviceOf } from '../devices.ts';
import { draftUser } from '../draft-user.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { askBeforeUserCreated } from '../hooks/before-user-created.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { mailAddressTaken, mailToken } from '../mail-token.ts';
import { presentSession } from '../present/present-session.ts';
import { presentUser } from '../present/present-user.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { recordAct } from '../stores/audit-log.ts';
import { startFlow } from '../stores/flows.ts';
import { insertAnonymousUser, insertUser } from '../stores/identities.ts';
import { issueMailedToken, type MailedToken } from '../stores/one-time-tokens.ts';
import { openSession } from '../stores/sessions.ts';
import { findUser, type UserRow, validateMetadata } from '../stores/users.ts';
import { validatePassword } from '../validate-password.ts';
import { signUpAtOnce } from './sign-up-at-once.ts';
import { signUpByPhone } from './sign-up-by-phone.ts';

const BODY = v.object({ email: text, phone: text, password: text, data: metadata, ...challengeFields });

type Application = {
  /** Of the account, if one is opened. */
  readonly id: string;
  readonly email: string;
  readonly data: Record<string, unknown>;
  readonly password: string;
  readonly challenge: CodeChallenge | undefined;
};

/** A sign-up that names neither an address nor a phone asks for an account without. @throws bad_json */
export function isAnonymousSignUp({ body }: Pick<AuthRequest, 'body'>): boolean {
  const { email, phone } = readBody(BODY, body);
  return email === '' && phone === '';
}

/** POST /signup: opens an account, and mails a link that proves its address unless addresses are taken on trust. */
export const signUp: Operation = async (context, request) => {
  if (isAnonymousSignUp(request)) return signUpAnonymously(context, request);
  const { email, phone } = readBody(BODY, request.body);
  if (email !== '' && phone !== '')
    throw new AuthError('validation_failed', {
      message: 'Only an email address or phone number should be provided on signup.',
    });
  if (phone !== '') return signUpByPhone(context, request);
  const application = readApplication(context, request);
  // Asked for every address, whether or not there is an account: who has one is not to be told by what the hook refuses.
  const draft = draftUser(application.id, application, context.now());
  await askBeforeUserCreated(context, request, draft);
  return context.settings.confirmEmail
    ? signUpByMail(context, request, application)
    : signUpAtOnce(context, request, { ...application, by: { email: application.email } });
};

function readApplication({ settings }: AuthContext, request: AuthRequest): Application {
  const body = readBody(BODY, request.body);
  if (!settings.signUpEnabled) throw new AuthError('signup_disabled');
  if (body.password === '')
    throw new AuthError('validation_failed', { message: 'Signup requires a valid password' });
  const email = readEmail(body.email);
  validatePassword(body.password, settings);
  const data = body.data ?? {};
  validateMetadata(data);
  return { id: randomUUID(), email, data, password: body.password, challenge: readChallenge(body) };
}

async function signUpByMail(
  context: AuthContext,
  request: AuthRequest,
  application: Application,
): Promise<Answer> {
  const { passwords, db } = context;
  const { email, data } = application;
  return withMailAllowance(context, request, { kind: 'confirmation', to: [email] }, async (giveBack) => {
    // Hashed whether or not there is an account: the time of the answer must not reveal who has one.
    const passwordHash = await passwords.hash(application.password);
    const now = context.now();
    const { opened, claimed } = await asAuthAdmin(db, 'sign up', (tx) =>
      claimAddress(
        tx,
        request,
        { ...application, passwordHash, codeLength: context.settings.codeLength },
        now,
      ),
    );
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = {
      template: 'confirm_sign_up',
      to: email,
      link: 'signup',
      redirectTo,
      giveBack,
    } as const;
    if (opened !== undefined && claimed) tellUserCreated(context, request, claimed.user);
    if (claimed) await mailToken(context, { ...mail, ...claimed });
    else await mailAddressTaken(context, mail);
    // GoTrue leaves the identities out where the address is taken, and thereby tells everybody.
    const draft = draftUser(opened ?? randomUUID(), { email, data, confirmationSent: true }, now);
    return { body: presentUser(draft) };
  });
}

/**
 * Opens an account, or joins those who have claimed the address before: whoever follows the link of his own mail gets the password and
 * data of his own request. GoTrue keeps the first request's password; to keep the last one's would be no better.
 * @returns `opened` is the id of a new account; nothing is claimed when the address belongs to a confirmed one.
 */
async function claimAddress(
  tx: Transaction,
  request: AuthRequest,
  {
    id,
    email,
    data,
    challenge,
    passwordHash,
    codeLength,
  }: Application & { passwordHash: string; codeLength: number },
  now: Date,
): Promise<{
  opened: string | undefined;
  claimed: { readonly user: UserRow; readonly token: MailedToken } | undefined;
}> {
  const opened = await insertUser(tx, { id, email, passwordHash: '', userMetadata: {} }, now);
  const found = await findUser(tx, { email }, { lock: true });
  const act = found?.email_confirmed_at ? 'user_repeated_signup' : 'user_confirmation_requested';
  if (found)
    await recordAct(tx, request, { action: act, actor: found.id, traits: { provider: 'email' } }, now);
  if (!found || found.email_confirmed_at) return { opened, claimed: undefined };
  const userId = found.id;
  const flowId = challenge && (await startFlow(tx, { userId, method: 'email/signup', challenge }, now));
  const claim = { passwordHash, userMetadata: data };
  const token = await issueMailedToken(
    tx,
    { userId, type: 'confirmation_token', email, flowId, claim, codeLength },
    now,
  );
  return { opened, claimed: { user: { ...found, raw_user_meta_data: data }, token } };
}

/** A session for somebody who does not say who he or she is. Nothing else ever leads to this account, until it gets an address. */
async function signUpAnonymously(context: AuthContext, request: AuthRequest): Promise<Answer> {
  const { settings, limits, db } = context;
  if (!settings.anonymousSignInsEnabled) throw new AuthError('anonymous_provider_disabled');
  if (!settings.signUpEnabled) throw new AuthError('signup_disabled');
  const data = readBody(BODY, request.body).data ?? {};
  validateMetadata(data);
  const now = context.now();
  const id = randomUUID();
  await askBeforeUserCreated(context, request, draftUser(id, { email: null, data, provider: null }, now));
  const { user, opened } = await asAuthAdmin(db, 'sign in anonymously', async (tx) => {
    if (!isOperator(context, request)) await limits.countAnonymousSignIn(tx, request.ip);
    const userId = await insertAnonymousUser(tx, { id, userMetadata: data }, now);
    const act = { action: 'user_signedup', actor: id, traits: { provider: 'anonymous' } } as const;
    await recordAct(tx, request, act, now);
    const session = await openSession(tx, { userId, method: 'anonymous', device: deviceOf(request) }, now);
    return { user: await findUser(tx, { id: userId }), opened: session };
  });
  if (!user) throw new AuthError('user_not_found');
  tellUserCreated(context, request, user);
  return { body: await presentSession(context, user, opened) };
}
