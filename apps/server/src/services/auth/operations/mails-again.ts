import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isOperator } from '../authenticate.ts';
import { challengeFields, readBody, readEmail, text } from '../body-fields.ts';
import { issueEmailChange, mailEmailChange, mailToken } from '../mail-token.ts';
import { type CodeChallenge, readChallenge } from '../read-challenge.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { startFlow } from '../stores/flows.ts';
import { findPending, issueMailedToken, type MailedToken } from '../stores/one-time-tokens.ts';
import { findUser } from '../stores/users.ts';
import { withMailAllowance } from '../with-mail-allowance.ts';

const BODY = v.object({ email: text, ...challengeFields });

/** POST /recover: mails a link for choosing a new password. Always `{}`: the answer must not reveal who has an account. */
export const recover: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const email = readEmail(body.email);
  const challenge = readChallenge(body);
  await withMailAllowance(context, request, { kind: 'recovery', to: [email] }, async (giveBack) => {
    const token = await issueRecoveryToken(context, email, challenge);
    if (token === undefined) return context.postOffice.pretend();
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = { letter: 'reset_password', to: email, link: 'recovery', redirectTo, giveBack } as const;
    return mailToken(context, { ...mail, token });
  });
  return { body: {} };
};

function issueRecoveryToken(
  { db, now }: AuthContext,
  email: string,
  challenge: CodeChallenge | undefined,
): Promise<MailedToken | undefined> {
  return asAuthAdmin(db, 'ask for a new password', async (tx) => {
    const user = await findUser(tx, { email }, { lock: true });
    if (!user || user.deleted_at) return undefined;
    const method = 'recovery';
    const flowId = challenge && (await startFlow(tx, { userId: user.id, method, challenge }, now()));
    return issueMailedToken(tx, { userId: user.id, type: 'recovery_token', email, flowId }, now());
  });
}

const RESEND_BODY = v.object({ type: text, email: text, phone: text });
const TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

/** POST /resend: mails the link of a pending sign-up or change of address again; `{}` when there is none. */
export const resend: Operation = async (context, request) => {
  const { type, email, phone } = readBody(RESEND_BODY, request.body);
  if (!TYPES.includes(type))
    throw refuse('Missing one of these types: signup, email_change, sms, phone_change');
  if (email !== '' && phone !== '') throw refuse('Only an email address or phone number should be provided.');
  if (phone !== '' || type === 'sms' || type === 'phone_change')
    throw new AuthError('phone_provider_disabled');
  if (email === '') throw refuse('Type provided requires an email address');
  const address = readEmail(email);
  return type === 'signup'
    ? resendConfirmation(context, request, address)
    : resendEmailChange(context, request, address);
};

function resendConfirmation(context: AuthContext, request: AuthRequest, email: string): Promise<Answer> {
  return withMailAllowance(context, request, { kind: 'confirmation', to: [email] }, async (giveBack) => {
    const token = await asAuthAdmin(context.db, 'resend a confirmation', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true });
      if (!user || user.email_confirmed_at || user.deleted_at) return undefined;
      const order = { userId: user.id, type: 'confirmation_token' } as const;
      const pending = await findPending(tx, order);
      return issueMailedToken(tx, { ...order, email, ...pending }, context.now());
    });
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = { letter: 'confirm_sign_up', to: email, link: 'signup', redirectTo, giveBack } as const;
    if (token) await mailToken(context, { ...mail, token });
    else context.postOffice.pretend();
    return { body: {} };
  });
}

function resendEmailChange(context: AuthContext, request: AuthRequest, email: string): Promise<Answer> {
  return withMailAllowance(context, request, { kind: 'email_change', to: [email] }, async (giveBack) => {
    const asked = await asAuthAdmin(context.db, 'find a change of address', (tx) => findUser(tx, { email }));
    const { email_change: newEmail } = asked ?? {};
    // Whoever asks must not learn from a refusal that there is a change, nor to where: that mailbox is spared in silence.
    if (newEmail && !(await mayMail(context, request, newEmail))) return { body: {} };
    const askCurrent = context.settings.secureEmailChange;
    const change = await asAuthAdmin(context.db, 'resend a change of address', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true });
      if (!user?.email_change || user.deleted_at) return undefined;
      const pending = await findPending(tx, { userId: user.id, type: 'email_change_token_new' });
      const order = { user, newEmail: user.email_change, flowId: pending?.flowId, askCurrent };
      return issueEmailChange(tx, order, context.now());
    });
    if (change)
      await mailEmailChange(context, change, {
        redirectTo: resolveRedirect(context.settings, request),
        giveBack,
      });
    else context.postOffice.pretend();
    return { body: {} };
  });
}

async function mayMail(context: AuthContext, request: AuthRequest, email: string): Promise<boolean> {
  if (isOperator(context, request)) return true;
  try {
    await context.limits.takeMails([{ kind: 'email_change', email, ip: request.ip }]);
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}

function refuse(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}
