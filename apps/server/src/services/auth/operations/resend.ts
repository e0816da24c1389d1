import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isOperator } from '../authenticate.ts';
import { challengeFields, readBody, readEmail, text } from '../body-fields.ts';
import { type CodeChallenge, readChallenge } from '../code-challenge.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { issueEmailChange, mailEmailChange, mailToken } from '../mail-token.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { recordAct } from '../stores/audit-log.ts';
import { startFlow } from '../stores/flows.ts';
import { findPending, issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser } from '../stores/users.ts';
import { resendByPhone } from './resend-by-phone.ts';

const BODY = v.object({ type: text, email: text, phone: text, ...challengeFields });
const TYPES = ['signup', 'email_change', 'sms', 'phone_change'];

type Order = {
  readonly email: string;
  /** Of a client that has begun anew: what it has forgotten of the first mail's flow. Without one, that flow goes on. */
  readonly challenge: CodeChallenge | undefined;
};

/** POST /resend: sends what a pending sign-up or change of address or number waits for again; `{}` when there is none. */
export const resend: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const { type, email, phone } = body;
  if (!TYPES.includes(type))
    throw refuse('Missing one of these types: signup, email_change, sms, phone_change');
  if (email !== '' && phone !== '') throw refuse('Only an email address or phone number should be provided.');
  if (type === 'sms' || type === 'phone_change') {
    if (phone === '') throw refuse('Type provided requires a phone number');
    return resendByPhone(context, request, type);
  }
  if (email === '') throw refuse('Type provided requires an email address');
  const order = { email: readEmail(email), challenge: readChallenge(body) };
  return type === 'signup'
    ? resendConfirmation(context, request, order)
    : resendEmailChange(context, request, order);
};

function resendConfirmation(
  context: AuthContext,
  request: AuthRequest,
  { email, challenge }: Order,
): Promise<Answer> {
  return withMailAllowance(context, request, { kind: 'confirmation', to: [email] }, async (giveBack) => {
    const issued = await asAuthAdmin(context.db, 'resend a confirmation', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true });
      if (!user || user.email_confirmed_at || user.deleted_at) return undefined;
      const order = {
        userId: user.id,
        type: 'confirmation_token',
        codeLength: context.settings.codeLength,
      } as const;
      const pending = await findPending(tx, order);
      const flow = { userId: user.id, method: 'email/signup', challenge } as const;
      const flowId = await beginAnew(tx, flow, pending?.flowId, context.now());
      const token = await issueMailedToken(tx, { ...order, email, ...pending, flowId }, context.now());
      const act = {
        action: 'user_confirmation_requested',
        actor: user.id,
        traits: { provider: 'email' },
      } as const;
      await recordAct(tx, request, act, context.now());
      const said = pending?.claim.userMetadata as Record<string, unknown> | undefined;
      return { token, user: { ...user, raw_user_meta_data: said ?? {} } };
    });
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = { template: 'confirm_sign_up', to: email, link: 'signup', redirectTo, giveBack } as const;
    if (issued) await mailToken(context, { ...mail, ...issued });
    else context.mailSender.pretend();
    return { body: {} };
  });
}

function resendEmailChange(
  context: AuthContext,
  request: AuthRequest,
  { email, challenge }: Order,
): Promise<Answer> {
  return withMailAllowance(context, request, { kind: 'email_change', to: [email] }, async (giveBack) => {
    const asked = await asAuthAdmin(context.db, 'find a change of address', (tx) => findUser(tx, { email }));
    const { email_change: newEmail } = asked ?? {};
    // Whoever asks must not learn from a refusal that there is a change, nor to where: that mailbox is spared in silence.
    if (newEmail && !(await mayMail(context, request, newEmail))) return { body: {} };
    const { secureEmailChange: askCurrent, codeLength } = context.settings;
    const change = await asAuthAdmin(context.db, 'resend a change of address', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true });
      if (!user?.email_change || user.deleted_at) return undefined;
      const pending = await findPending(tx, { userId: user.id, type: 'email_change_token_new' });
      const flow = { userId: user.id, method: 'email_change', challenge } as const;
      const flowId = await beginAnew(tx, flow, pending?.flowId, context.now());
      const order = { user, newEmail: user.email_change, flowId, askCurrent, codeLength };
      return issueEmailChange(tx, order, context.now());
    });
    if (change)
      await mailEmailChange(context, change, {
        redirectTo: resolveRedirect(context.settings, request),
        giveBack,
      });
    else context.mailSender.pretend();
    return { body: {} };
  });
}

/** The flow that the new link ends: the one that the client asks for, or else the first mail's. */
async function beginAnew(
  tx: Transaction,
  {
    challenge,
    ...flow
  }: {
    readonly userId: string;
    readonly method: 'email/signup' | 'email_change';
    readonly challenge: CodeChallenge | undefined;
  },
  pendingFlow: string | undefined,
  now: Date,
): Promise<string | undefined> {
  return challenge ? startFlow(tx, { ...flow, challenge }, now) : pendingFlow;
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
